import CNamespaces
import Glibc
import KeeperCore
import LinuxIO

/// A cgroup for each child, where the service manager has delegated the keeper's own.
struct ControlGroups {
    private let own: String

    /// Limits of one child. They hold for it and everything that it forks.
    struct Limits: Equatable {
        /// Bytes of memory.
        let memory: Int
        /// Processes.
        let processes: Int
        /// Hundredths of one core.
        let cores: Int

        static func of(_ child: Child) -> Limits {
            switch child {
            // Unlocking a vault takes 128 MiB, a review of the largest PSBT 64 MiB.
            case .signer: Limits(memory: 512 << 20, processes: 32, cores: 400)
            case .network: Limits(memory: 512 << 20, processes: 16, cores: 100)
            }
        }

        /// What to write into which file of the cgroup.
        var files: [(name: String, text: String)] {
            [
                ("memory.max", "\(memory)"), ("memory.swap.max", "0"), ("memory.oom.group", "1"),
                ("pids.max", "\(processes)"), ("cpu.max", "\(cores * 1000) 100000"),
            ]
        }
    }

    /// Divides the keeper's cgroup; where that is not the keeper's to do, says why.
    static func divide() -> (groups: ControlGroups?, refusal: String?) {
        guard let own = ownDirectory() else {
            return (nil, "there is no unified cgroup hierarchy")
        }
        guard linux_is_delegated(own) == 1 else {
            return (nil, "the service manager has not delegated the keeper's cgroup")
        }
        do throws(Errno) {
            return (try ControlGroups(dividing: own), nil)
        } catch {
            return (nil, "\(own) cannot be divided: \(error)")
        }
    }

    /// Divides the cgroup in this directory.
    init(dividing own: String) throws(Errno) {
        self.own = own
        // Only a cgroup without processes of its own can be divided.
        try ControlGroups.make(own + "/keeper")
        try System.write("\(getpid())", to: own + "/keeper/cgroup.procs")
        try System.write("+memory +pids +cpu", to: own + "/cgroup.subtree_control")
        for child in Child.allCases {
            let path = directory(of: child)
            try ControlGroups.make(path)
            for (name, text) in Limits.of(child).files {
                try System.write(text, to: path + "/" + name)
            }
        }
    }

    private static func make(_ path: String) throws(Errno) {
        do throws(Errno) {
            try System.makeDirectory(path, mode: 0o755)
        } catch {
            guard error == .fileExists else { throw error }
        }
    }

    /// The directory of a child's cgroup.
    func directory(of child: Child) -> String { own + "/\(child)" }

    /// The keeper's own directory below /sys/fs/cgroup.
    private static func ownDirectory() -> String? {
        guard let bytes = try? System.read("/proc/self/cgroup", limit: 4096) else { return nil }
        return path(inList: String(decoding: bytes, as: UTF8.self))
            .map { "/sys/fs/cgroup" + $0 }
    }

    /// The path in the line of the unified hierarchy, if that is the only one.
    static func path(inList list: String) -> String? {
        let lines = list.split(separator: "\n")
        guard lines.count == 1, let line = lines.first, line.hasPrefix("0::/") else { return nil }
        return String(line.dropFirst(3))
    }
}
