import Glibc
import LinuxIO
import Messages

/// An attacker's end of a channel: it sends whatever bytes it likes.
final class RawChannel {
    let target: Target
    let orders: Orders
    /// What else the attacker has to serve, or it would be taken for dead.
    let serve: () -> Void
    private(set) var isOver = false
    /// Owned by this channel until it is closed, then -1.
    private var number: Int32
    private var sequence: UInt32 = 0
    private var scrap = [UInt8](repeating: 0, count: 64 << 10)

    init(
        _ socket: consuming FileDescriptor, _ target: Target, _ orders: Orders,
        serve: @escaping () -> Void
    ) throws {
        try socket.setNonblocking()
        number = socket.take()
        self.target = target
        self.orders = orders
        self.serve = serve
    }

    // MARK: Frames

    /// The bytes of a frame that is right unless something else is asked for.
    func frame(
        _ kind: UInt16, _ body: [UInt8], length: Int? = nil, reserved: UInt8 = 0,
        skipping: UInt32 = 0
    ) -> [UInt8] {
        let length = UInt32(length ?? body.count)
        let bytes =
            Self.bigEndian(length) + [UInt8(kind >> 8), UInt8(kind & 255), 0, reserved]
            + Self.bigEndian(sequence &+ skipping) + body
        sequence &+= 1 &+ skipping
        return bytes
    }

    func ping() -> [UInt8] { frame(target.ping.rawValue, [UInt8](repeating: 7, count: 8)) }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    // MARK: Bytes

    /// Sends all of the bytes, unless the channel ends or the time is over before.
    @discardableResult
    func send(_ bytes: [UInt8], frames: Int64 = 1, draining: Bool = true, until: Duration? = nil)
        -> Bool
    {
        orders.frames += frames
        var rest = bytes[...]
        while !rest.isEmpty, !isOver {
            if draining { drain() }
            let moved = rest.withUnsafeBytes { try? Kernel.write(number, $0) }
            switch moved {
            case .moved(let count): rest = rest.dropFirst(count)
            case .wouldBlock:
                if let until, Kernel.timeSinceBoot() >= until { return false }
                wait(.milliseconds(20), draining ? [.reading, .writing] : [.writing])
            case .ended, nil: isOver = true
            }
        }
        return !isOver
    }

    /// Throws away what has come.
    func drain() {
        while !isOver {
            let moved = scrap.withUnsafeMutableBytes { try? Kernel.read(number, into: $0) }
            switch moved {
            case .moved: continue
            case .wouldBlock: return
            case .ended, nil: isOver = true
            }
        }
    }

    /// Lets time pass, serving what has to be served; returns early at the end of the channel.
    func pause(_ time: Duration, draining: Bool = true) {
        let end = Kernel.timeSinceBoot() + time
        repeat {
            serve()
            if draining { drain() }
            if isOver { return }
            wait(min(.milliseconds(20), end - Kernel.timeSinceBoot()), draining ? .reading : [])
        } while Kernel.timeSinceBoot() < end
    }

    func close() {
        isOver = true
        if number >= 0 { Glibc.close(number) }
        number = -1
    }

    deinit { close() }

    private func wait(_ time: Duration, _ interest: PollSet.Interest) {
        guard !isOver else { return }
        var set = PollSet()
        set.add(number, interest)
        try? set.wait(until: Kernel.timeSinceBoot() + time)
    }
}
