import Configuration
import Glibc
import KeeperCore
import LinuxIO
import LocalSockets

/// The sockets that people connect to. They stay open while a child is restarted, so that whoever
/// connects meanwhile waits instead of being refused.
final class Listeners {
    private var listeners: [Child: HeldDescriptor] = [:]
    private let paths: [String]

    /// Binds and listens at the socket of each child.
    init(_ instance: Instance) throws(StartRefusal) {
        paths = instance.children.map(instance.socketPath)
        for child in instance.children {
            let path = instance.socketPath(of: child)
            do throws(Errno) {
                listeners[child] = HeldDescriptor(
                    try Listeners.listen(at: path, group: instance.socketGroup))
            } catch {
                throw StartRefusal(.system, "nothing can listen at \(path): \(error)")
            }
        }
    }

    deinit { for path in paths { try? System.remove(path) } }

    /// The number of a child's listener; the descriptor stays the keeper's.
    func number(of child: Child) -> Int32? { listeners[child]?.number }

    private static func listen(at path: String, group: UInt32?) throws(Errno) -> FileDescriptor {
        // The claim on the directory says that whoever made it is gone.
        try? System.remove(path)
        let (mask, own) = (umask(group == nil ? 0o177 : 0o117), getegid())
        // Made as the group's, it need not be given to the group, which would take another right.
        if let group { try System.check(setegid(group)) }
        defer {
            setegid(own)
            umask(mask)
        }
        return try LocalSocket.listen(at: path)
    }
}
