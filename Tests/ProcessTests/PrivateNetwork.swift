import CWallTests
import Foundation
import LinuxIO

/// A network of a test's own, in which every address is this machine's and every packet is seen. So
/// whoever dials or asks anybody at all is noticed, and a server may listen at any address.
final class PrivateNetwork {
    /// What is done and started here happens in that network.
    let thread = WorkThread()
    private let capture: Capture

    /// Takes root.
    init() throws {
        // Foundation starts its first process with sockets to wake itself, whose packets are not ours.
        try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: ["true"])
            .waitUntilExit()
        capture = try thread.run {
            let left = wall_leave_network()
            guard left == 0 else { throw Errno(-left) }
            guard wall_run(PrivateNetwork.setUp) == 0 else { throw Missing(what: "ip") }
            return try Capture()
        }
    }

    /// Every address is one of the loopback interface.
    private static let setUp =
        "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo"

    /// What was sent so far.
    func traffic() throws -> Traffic { try capture.traffic() }
}

/// Reads every packet of the network that it was made in.
private final class Capture: @unchecked Sendable {
    private let socket: FileDescriptor
    private let lock = NSLock()
    private var packets: [Packet] = []
    private var failure: String?

    init() throws {
        let number = wall_packets()
        guard number >= 0 else { throw Errno(-number) }
        socket = FileDescriptor(owning: number)
        Thread.detachNewThread { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 17)
            while self?.readOne(&buffer) == true {}
        }
    }

    private func readOne(_ buffer: inout [UInt8]) -> Bool {
        let length = wall_next_packet(socket.number, &buffer, buffer.count)
        guard length != 0 else { return true }
        return lock.withLock {
            guard length > 0, let packet = Packet(buffer[..<min(length, buffer.count)]) else {
                failure = "a packet that cannot be read: \(length)"
                return false
            }
            packets.append(packet)
            return true
        }
    }

    func traffic() throws -> Traffic {
        // What was sent before this call has come by then.
        usleep(300_000)
        let lost = wall_lost_packets(socket.number)
        guard lost == 0 else { throw Missing(what: "\(lost) packets") }
        return try lock.withLock {
            if let failure { throw Missing(what: failure) }
            return Traffic(packets: packets)
        }
    }
}
