import Glibc
import LinuxIO
import LocalSockets
import Messages

extension RawChannel {
    /// Opens the channel as the catalogue says.
    func greet() { send(frame(target.hello.kind.rawValue, target.hello.body), frames: 0) }

    /// Makes an attack and reports what became of the channel.
    func perform(_ assault: Assault) {
        let end = Kernel.timeSinceBoot() + orders.time
        make(assault, until: end)
        guard orders.outcome == .running else { return }
        if assault.expectation == .ended {
            while !isOver, Kernel.timeSinceBoot() < end { pause(.milliseconds(50)) }
        }
        drain()
        orders.outcome = isOver ? .ended : .kept
    }

    private func make(_ assault: Assault, until end: Duration) {
        switch assault {
        case .held, .slow, .slowest: makeSlow(assault, until: end)
        case .flood: flood(until: end, draining: true)
        case .floodUnread: flood(until: end, draining: false)
        case .floodWork: floodWork(until: end)
        case .floodConnections: break
        default: makeWrong(assault)
        }
    }

    private func makeWrong(_ assault: Assault) {
        let large = target.large
        switch assault {
        case .garbage: send(Self.noise(64 << 10))
        case .oversized: send(frame(large.rawValue, [], length: Int(UInt32.max)))
        case .overlong: send(frame(large.rawValue, [], length: large.row.limit + 1))
        case .short: send(frame(target.ping.rawValue, [1, 2, 3, 4, 5, 6, 7]))
        case .reserved: send(frame(target.ping.rawValue, [1, 2, 3, 4, 5, 6, 7, 8], reserved: 1))
        case .interleaved:
            let whole = ping()
            send(Array(whole[..<16]) + ping() + Array(whole[16...]), frames: 2)
        case .replayed:
            let whole = ping()
            send(whole + whole, frames: 2)
        case .skipped: send(frame(target.ping.rawValue, [1, 2, 3, 4, 5, 6, 7, 8], skipping: 1))
        case .descriptor: send(frame(MessageKind.consoleOutput.rawValue, []))
        case .early: send(ping())
        case .secondHello: send(frame(target.hello.kind.rawValue, target.hello.body))
        case .unknown: send(frame(target.ping.rawValue | 0xF0, []))
        case .otherDirection:
            send(frame(target.reply.rawValue, [UInt8](repeating: 1, count: 8)))
        case .otherChannel:
            send(frame(MessageKind.controlPing.rawValue, [UInt8](repeating: 1, count: 8)))
        case .truncated:
            send(Array(ping()[..<15]))
            leave()
        case .death:
            send(frame(large.rawValue, [UInt8](repeating: 1, count: 8 << 20), length: 16 << 20))
            orders.outcome = .left
            Kernel.exit(0)
        default: orders.outcome = .unmade
        }
    }

    /// Bytes without a pattern (Marsaglia's xorshift), for which not even the signer has to ask the kernel.
    private static func noise(_ count: Int) -> [UInt8] {
        var state = UInt64(bitPattern: Kernel.timeSinceBoot().wholeNanoseconds) | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
    }

    private func leave() {
        close()
        orders.outcome = .left
    }

    private func makeSlow(_ assault: Assault, until end: Duration) {
        switch assault {
        case .held:
            let length = target.large.row.limit
            send(
                frame(
                    target.large.rawValue, [UInt8](repeating: 1, count: length - 1), length: length)
            )
            pause(end - Kernel.timeSinceBoot())
            if !isOver { leave() }
        case .slow:
            while Kernel.timeSinceBoot() < end, !isOver {
                for byte in ping() {
                    send([byte], frames: 0)
                    pause(.milliseconds(2))
                }
                orders.frames += 1
            }
        default:
            // Each byte comes soon after the one before, yet the frame never ends.
            orders.frames += 1
            let count = min(1 << 20, target.large.row.limit)
            for byte in frame(target.large.rawValue, [UInt8](repeating: 1, count: count)) {
                guard Kernel.timeSinceBoot() < end, send([byte], frames: 0) else { return }
                pause(.milliseconds(count < 1000 ? 1000 : 100))
            }
        }
    }

    private func flood(until end: Duration, draining: Bool) {
        while Kernel.timeSinceBoot() < end, !isOver {
            var bytes: [UInt8] = []
            for _ in 0..<2000 { bytes += ping() }
            // What is begun is finished, or the channel could not be said to be good.
            send(bytes, frames: 2000, draining: draining, until: draining ? nil : end)
            serve()
        }
    }

    private func floodWork(until end: Duration) {
        var number: UInt64 = 0
        while Kernel.timeSinceBoot() < end, !isOver {
            var bytes: [UInt8] = []
            for _ in 0..<50 {
                number += 1
                // Every second request is one that was made before.
                let id = (0..<16).map {
                    UInt8(truncatingIfNeeded: (number / 2) >> (8 * min($0, 7)))
                }
                // Of a request 1,000 bytes of payload; of an answer the state of what expired.
                let rest: [UInt8] =
                    target == .answers ? [6] : [UInt8](repeating: 3, count: 1000)
                bytes += frame(target.large.rawValue, id + rest)
            }
            send(bytes, frames: 50)
            serve()
        }
    }
}
