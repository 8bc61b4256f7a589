public import ConsoleCore
import Glibc
import LinuxIO

/// Reads what `/proc/PID` shows to this caller.
public enum ProcessFolder {
    /// Everything an audit can learn of a process from the kernel; what the caller may not see
    /// stays nil.
    public static func facts(of pid: Int32) -> KernelFacts {
        let folder = "/proc/\(pid)"
        var facts = KernelFacts()
        facts.status = text(of: folder + "/status").flatMap { ProcessStatus($0) }
        facts.coreLimit = text(of: folder + "/limits").flatMap { KernelFacts.CoreLimit(limits: $0) }
        facts.namespaces = namespaces(in: folder + "/ns")
        facts.descriptors = links(in: folder + "/fd").map { links in
            Dictionary(
                links.compactMap { name, target in Int(name).map { ($0, target) } },
                uniquingKeysWith: { first, _ in first })
        }
        if let owner = owner(of: folder + "/status"), let status = facts.status {
            facts.isDumpable = isDumpable(owner: owner, user: status.userIDs[1])
        }
        return facts
    }

    /// The kernel gives the files of a process that is not dumpable to root; the folder itself stays
    /// the user's. For a process of root's the owner says nothing.
    private static func isDumpable(owner: UInt32, user: UInt32) -> Bool? {
        user == 0 ? nil : owner == user
    }

    private static func namespaces(in folder: String) -> [String: UInt64]? {
        guard let links = links(in: folder) else { return nil }
        var found: [String: UInt64] = [:]
        for (name, target) in links {
            // "net:[4026531840]"
            guard let open = target.firstIndex(of: "["), target.last == "]" else { continue }
            found[name] = UInt64(target[target.index(after: open)...].dropLast())
        }
        return found.isEmpty ? nil : found
    }

    /// The symbolic links in a folder by name; nil if the folder or one of them may not be read.
    private static func links(in folder: String) -> [(String, String)]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var found: [(String, String)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            guard let target = target(of: folder + "/" + name) else { return nil }
            found.append((name, target))
        }
        return found
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink(link, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func owner(of folder: String) -> UInt32? {
        var status = stat()
        return stat(folder, &status) == 0 ? status.st_uid : nil
    }

    private static func text(of path: String) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: 16384)
        var count = 0
        while count < bytes.count {
            let transfer = try? bytes.withUnsafeMutableBytes { buffer in
                try Kernel.read(file.number, into: .init(rebasing: buffer[count...]))
            }
            guard case .moved(let more) = transfer else { break }
            count += more
        }
        return count == 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
