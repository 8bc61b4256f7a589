import CNamespaces
import Glibc
import LinuxIO

/// The file system that a child sees, as a list of what is in it. Nothing else is there.
struct PrivateRoot: Equatable {
    /// One file or directory of the host, and where the child finds it.
    struct Entry: Equatable {
        enum Kind: Equatable {
            /// May be read and run.
            case program
            /// A device that may be read and written.
            case device
            /// The child's own directory: read and written, nothing in it runs.
            case state
        }

        let kind: Kind
        let source: String
        let target: String
    }

    /// Where a child finds its own directory.
    static let state = "/state"

    let entries: [Entry]
    /// The program's path inside.
    let program: String

    /// The root of a child: its program with the libraries, its own directory, two devices.
    ///
    /// The loader looks into `/lib` last, so one flat directory serves all libraries.
    init(program: ProgramFiles, name: String, stateDirectory: String) {
        self.program = "/bin/" + name
        let loader = program.loader.map { Entry(kind: .program, source: $0, target: $0) }
        entries =
            [Entry(kind: .program, source: program.path, target: self.program)]
            + (loader.map { [$0] } ?? [])
            + program.libraries.map {
                Entry(kind: .program, source: $0.path, target: "/lib/" + $0.name)
            } + [
                Entry(kind: .device, source: "/dev/null", target: "/dev/null"),
                Entry(kind: .device, source: "/dev/urandom", target: "/dev/urandom"),
                Entry(kind: .state, source: stateDirectory, target: PrivateRoot.state),
            ]
    }

    /// Makes this the root of the calling process, which must have a mount namespace of its own.
    ///
    /// - Parameter mountPoint: Any directory that holds none of the sources.
    func enter(mountPoint: String) throws(StepFailure) {
        try step("keep mounts to itself") { () throws(Errno) in
            try System.mount("none", on: "/", flags: Int(MS_REC) | Int(MS_PRIVATE))
        }
        try PrivateRoot.mountEmptyRoot(on: mountPoint)
        for entry in entries { try bind(entry, below: mountPoint) }
        try step("make the private root read-only") { () throws(Errno) in
            let limits =
                linux_mount_read_only.rawValue | linux_mount_no_suid.rawValue
                | linux_mount_no_devices.rawValue | linux_mount_no_programs.rawValue
            try System.checkNegative(linux_restrict_mount(mountPoint, UInt64(limits)))
        }
        try step("change to the private root") { () throws(Errno) in
            try System.checkNegative(linux_change_root(mountPoint))
        }
    }

    /// A root without anything in it; also how the keeper finds out whether it can mount at all.
    static func mountEmptyRoot(on mountPoint: String) throws(StepFailure) {
        try step("mount an empty root") { () throws(Errno) in
            let flags = Int(MS_NOSUID) | Int(MS_NODEV) | Int(MS_NOEXEC)
            try System.mount(
                "bulkhead", on: mountPoint, type: "tmpfs", flags: flags,
                options: "size=64k,nr_inodes=256,mode=0755")
        }
    }

    private func bind(_ entry: Entry, below mountPoint: String) throws(StepFailure) {
        let target = mountPoint + entry.target
        try step("make a place for \(entry.target)") { () throws(Errno) in
            try makeParents(of: entry.target, below: mountPoint)
            if entry.kind == .state {
                try System.makeDirectory(target, mode: 0o755)
            } else {
                try System.makeEmptyFile(target)
            }
        }
        try step("bring \(entry.source) into the private root") { () throws(Errno) in
            try System.mount(entry.source, on: target, flags: Int(MS_BIND))
            try System.checkNegative(linux_restrict_mount(target, entry.kind.limits))
        }
    }

    private func makeParents(of path: String, below mountPoint: String) throws(Errno) {
        var parent = mountPoint
        for name in path.split(separator: "/").dropLast() {
            parent += "/" + name
            do throws(Errno) {
                try System.makeDirectory(parent, mode: 0o755)
            } catch {
                guard error == .fileExists else { throw error }
            }
        }
    }
}

extension PrivateRoot.Entry.Kind {
    fileprivate var limits: UInt64 {
        let limits =
            switch self {
            case .program:
                linux_mount_read_only.rawValue | linux_mount_no_suid.rawValue
                    | linux_mount_no_devices.rawValue
            case .device:
                linux_mount_read_only.rawValue | linux_mount_no_suid.rawValue
                    | linux_mount_no_programs.rawValue
            case .state:
                linux_mount_no_suid.rawValue | linux_mount_no_devices.rawValue
                    | linux_mount_no_programs.rawValue
            }
        return UInt64(limits)
    }
}
