import Glibc

/// Tells a service manager how the start goes, by the protocol of sd_notify(3): lines of
/// `NAME=value` in one datagram to the socket that `NOTIFY_SOCKET` names.
struct ServiceManager {
    private let address: [UInt8]?

    /// The manager that this process was started by, if any.
    init() { self.init(address: getenv("NOTIFY_SOCKET").map { String(cString: $0) }) }

    /// The manager at a path, or at an abstract address where it starts with `@`.
    init(address: String?) {
        guard let address, address.hasPrefix("/") || address.hasPrefix("@") else {
            self.address = nil
            return
        }
        self.address = Array(address.utf8)
    }

    /// Everything is up.
    func ready(status: String) { send("READY=1\nSTATUS=\(status)") }

    /// One line for people who ask for the status of the service.
    func status(_ status: String) { send("STATUS=\(status)") }

    /// The end has begun.
    func stopping() { send("STOPPING=1\nSTATUS=stopping") }

    /// A manager that does not listen is no reason to stop.
    private func send(_ text: String) {
        var target = sockaddr_un()
        guard let address, address.count < MemoryLayout.size(ofValue: target.sun_path) else {
            return
        }
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { path in
            path.copyBytes(from: address)
            if address.first == 0x40 { path[0] = 0 }
        }
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }

        let length = MemoryLayout<sa_family_t>.size + address.count
        var text = text
        text.withUTF8 { bytes in
            withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    _ = sendto(
                        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL),
                        generic, socklen_t(length))
                }
            }
        }
    }
}
