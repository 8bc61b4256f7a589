import Messages
import TestSupport
import Testing
import Wire

@Suite("Cutting bytes into frames")
struct FrameDecoderTests {
    private let hello = LinkRequest.hello.frame
    private let ping = LinkRequest.ping(nonce: 5).frame

    private func link() -> FrameDecoder { FrameDecoder(edge: .link, sender: .asking) }

    /// What a decoder of the link says to bytes that follow a proper hello.
    private func violation(after bytes: [UInt8]) -> ChannelViolation? {
        var decoder = link()
        do throws(ChannelViolation) {
            _ = try decoder.feed(MessagesTests.bytes(hello, sequence: 0))
            _ = try decoder.feed(bytes)
            try decoder.finish()
            return nil
        } catch {
            return error
        }
    }

    @Test("Frames come out whole however the bytes are cut", arguments: [1, 2, 11, 12, 13, 1000])
    func cuts(size: Int) throws {
        var stream = bytes(hello, sequence: 0)
        for sequence in 1...20 { stream += bytes(ping, sequence: UInt32(sequence)) }
        var decoder = link()
        var frames: [Frame] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            frames += try decoder.feed(Array(stream[start..<min(start + size, stream.count)]))
        }
        try decoder.finish()
        #expect(frames == [hello] + Array(repeating: ping, count: 20))
    }

    @Test(
        "Each rule is kept: unknown, elsewhere, backwards, early, twice, long, reserved, sequence")
    func rules() {
        #expect(violation(after: bytes(ping, sequence: 1)) == nil)
        #expect(
            violation(after: bytes(kind: 0x02FF, sequence: 1, body: [])) == .unknownKind(0x02FF))
        #expect(violation(after: bytes(kind: 0, sequence: 1, body: [])) == .unknownKind(0))
        #expect(
            violation(after: bytes(ConsoleRequest.status.frame, sequence: 1))
                == .wrongEdge(.consoleStatus, .link))
        #expect(
            violation(after: bytes(LinkReply.pong(nonce: 1).frame, sequence: 1))
                == .wrongDirection(.linkPong))
        #expect(violation(after: bytes(hello, sequence: 1)) == .repeated(.linkHello))
        #expect(
            violation(after: bytes(kind: 0x0203, length: 9, sequence: 1, body: []))
                == .tooLong(.linkPing, found: 9, allowed: 8))
        #expect(
            violation(after: bytes(kind: 0x0205, length: .init(UInt32.max), sequence: 1, body: []))
                == .tooLong(.linkRequest, found: .max, allowed: 16_777_232))
        #expect(
            violation(after: bytes(kind: 0x0203, reserved: 1, sequence: 1, body: []))
                == .reservedNotZero(1))
        #expect(
            violation(after: bytes(ping, sequence: 0)) == .wrongSequence(found: 0, expected: 1))
        #expect(
            violation(after: bytes(ping, sequence: 2)) == .wrongSequence(found: 2, expected: 1))
        #expect(violation(after: Array(bytes(ping, sequence: 1).dropLast())) == .truncated)
        #expect(violation(after: [0]) == .truncated)
    }

    @Test("Nothing may come before the first frame of a channel")
    func firstFrame() {
        var decoder = link()
        #expect(throws: ChannelViolation.outOfPhase(.linkPing, .opening)) {
            try decoder.feed(bytes(ping, sequence: 0))
        }
    }

    @Test("Nothing may follow the last frame of a channel")
    func lastFrame() throws {
        var decoder = FrameDecoder(edge: .control, sender: .asking)
        _ = try decoder.feed(bytes(Samples.orders[0].frame, sequence: 0))
        _ = try decoder.feed(bytes(ControlOrder.stop.frame, sequence: 1))
        #expect(throws: ChannelViolation.outOfPhase(.controlPing, .over)) {
            try decoder.feed(bytes(ControlOrder.ping(nonce: 1).frame, sequence: 2))
        }
        var again = FrameDecoder(edge: .control, sender: .asking)
        _ = try again.feed(bytes(Samples.orders[0].frame, sequence: 0))
        _ = try again.feed(bytes(ControlOrder.stop.frame, sequence: 1))
        #expect(throws: ChannelViolation.repeated(.controlStop)) {
            try again.feed(bytes(ControlOrder.stop.frame, sequence: 2))
        }
    }

    @Test("Every message is refused on every channel and direction but its own")
    func misplaced() {
        var refused = 0
        for (kind, frame) in Samples.frames {
            for edge in Edge.allCases {
                for side in [Side.asking, .answering]
                where edge != kind.edge || side != kind.row.sender {
                    var decoder = FrameDecoder(edge: edge, sender: side)
                    #expect(throws: ChannelViolation.self) {
                        try decoder.feed(bytes(frame, sequence: 0))
                    }
                    refused += 1
                }
            }
        }
        #expect(refused == 66 * 9)
    }

    @Test("Frames before a violation are delivered")
    func before() {
        var decoder = link()
        var frames: [Frame] = []
        let stream = bytes(hello, sequence: 0) + bytes(ping, sequence: 1) + bytes(ping, sequence: 1)
        #expect(throws: ChannelViolation.wrongSequence(found: 1, expected: 2)) {
            try stream.withUnsafeBytes { try decoder.feed($0, into: &frames) }
        }
        #expect(frames == [hello, ping])
    }

    @Test("Memory follows the bytes that came, not the length that was announced")
    func memory() throws {
        var decoder = link()
        _ = try decoder.feed(bytes(hello, sequence: 0))
        let body = [UInt8](repeating: 1, count: 1000)
        _ = try decoder.feed(bytes(kind: 0x0205, length: 16 << 20, sequence: 1, body: body))
        #expect(decoder.heldBytes >= 1000)
        #expect(decoder.heldBytes < 8192)
        let piece = [UInt8](repeating: 1, count: 65536)
        var frames: [Frame] = []
        var fed = body.count
        while fed < 16 << 20 {
            frames += try decoder.feed(Array(piece.prefix((16 << 20) - fed)))
            fed += min(piece.count, (16 << 20) - fed)
            #expect(decoder.heldBytes <= min(17 << 20, 5 * fed))
        }
        #expect(frames.count == 1)
        #expect(frames.first?.body.count == 16 << 20)
    }

    @Test("Random damage never traps: it gives frames of the set or a violation", arguments: 0..<8)
    func damage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var violations = 0
        for _ in 0..<2000 {
            var decoder = FrameDecoder(edge: .console, sender: .asking)
            var stream = bytes(ConsoleRequest.hello.frame, sequence: 0)
            for sequence in 1...4 {
                let sample = Samples.consoleRequests.randomElement(using: &random)
                guard let frame = sample?.frame else { continue }
                stream += bytes(frame, sequence: UInt32(sequence))
            }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = stream.indices.randomElement(using: &random) ?? 0
                stream[index] = UInt8.random(in: 0...255, using: &random)
            }
            do throws(ChannelViolation) {
                for frame in try decoder.feed(stream) { _ = try ConsoleRequest(frame) }
                try decoder.finish()
            } catch {
                violations += 1
            }
        }
        #expect(violations > 1000)
    }
}
