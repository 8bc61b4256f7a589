import Bitcoin
import TestSupport
import Testing
import Wire

@testable import PeerMessages

@Suite("Framing of messages between peers")
struct PeerFrameDecoderTests {
    private let start = Network.mainnet.messageStart

    private func decoder(_ wanted: Set<PeerMessageKind> = Set(PeerMessageKind.allCases))
        -> PeerFrameDecoder
    {
        PeerFrameDecoder(messageStart: start, wanted: wanted)
    }

    /// What comes of bytes fed in runs of `size`.
    private func feed(
        _ decoder: inout PeerFrameDecoder, _ bytes: [UInt8], by size: Int = .max
    ) -> (frames: [PeerFrame], violation: PeerViolation?) {
        var frames: [PeerFrame] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + min(size, bytes.count))
            let violation = bytes[place..<end].withUnsafeBytes { part -> PeerViolation? in
                do throws(PeerViolation) {
                    try decoder.feed(part, into: &frames)
                    return nil
                } catch {
                    return error
                }
            }
            if let violation { return (frames, violation) }
            place = end
        }
        return (frames, nil)
    }

    private func frame(_ command: String, _ payload: [UInt8], length: UInt32? = nil) -> [UInt8] {
        var writer = Writer()
        writer.write(start)
        writer.write(Array(command.utf8) + [UInt8](repeating: 0, count: 12 - command.utf8.count))
        writer.write(length ?? UInt32(payload.count))
        writer.write(PeerFrame.checksum(payload))
        writer.write(payload)
        return writer.bytes
    }

    @Test("The same frames come out however the bytes are cut", arguments: [1, 7, 24, 25, 1_000])
    func cuts(size: Int) throws {
        let messages = try Samples.all()
        let bytes = messages.flatMap { PeerFrame($0).serialized(messageStart: start) }
        var decoder = decoder()
        let result = feed(&decoder, bytes, by: size)
        #expect(result.violation == nil)
        #expect(try result.frames.map { try $0.message() } == messages)
        #expect(decoder.heldBytes == 0 && decoder.skippedMessages == 0)
    }

    @Test("6 envelopes that others wrote are read, and those of known kinds written the same")
    func vectors() throws {
        let rows = try Fixture.json("peers/messages.json")["v1"].array
        #expect(rows.count == 6)
        for row in rows {
            let bytes = try row["bytes"].hex
            let trailing = try row["trailing_bytes"].int
            var decoder = decoder()
            let result = feed(&decoder, bytes)
            #expect(result.violation == nil)
            let command = try row["command"].string
            guard PeerMessageKind(rawValue: command) != nil else {
                #expect(result.frames.isEmpty && decoder.skippedMessages == 1)
                continue
            }
            let frame = try #require(result.frames.first)
            #expect(frame.kind.command == command)
            #expect(
                try PeerFrame(frame.message()).serialized(messageStart: start)
                    == Array(bytes.dropLast(trailing)))
            #expect(decoder.heldBytes == trailing)
        }
    }

    @Test("4 contents of the second transport are read, and those of known kinds written the same")
    func secondTransport() throws {
        let rows = try Fixture.json("peers/messages.json")["v2"].array
        #expect(rows.count == 4)
        for row in rows {
            let bytes = try row["bytes"].hex
            let frame = try PeerFrame(contents: bytes)
            let kind = PeerMessageKind(rawValue: try row["name"].string)
            #expect(frame?.kind == kind)
            if let frame { #expect(frame.contents == bytes) }
        }
        for message in try Samples.all() {
            let frame = PeerFrame(message)
            #expect(try PeerFrame(contents: frame.contents) == frame)
            #expect((frame.contents[0] == 0) == (message.kind.shortID == nil))
        }
        #expect(throws: PeerViolation.malformedCommand) { try PeerFrame(contents: []) }
        #expect(throws: PeerViolation.malformedCommand) { try PeerFrame(contents: [0, 0x41]) }
        #expect(throws: PeerViolation.self) {
            try PeerFrame(contents: [18] + [UInt8](repeating: 0, count: 9))
        }
    }

    @Test("Each rule is kept: network, command, length, checksum")
    func rules() throws {
        func violation(_ bytes: [UInt8]) -> PeerViolation? {
            var decoder = decoder()
            return feed(&decoder, bytes).violation
        }
        let ping = frame("ping", [UInt8](repeating: 0, count: 8))
        #expect(violation(ping) == nil)
        var other = ping
        other[0] = 0x0B
        #expect(violation(other) == .wrongNetwork(found: [0x0B] + start[1...]))
        var command = ping
        command[12] = 0x41
        #expect(violation(command) == .malformedCommand)
        command = ping
        command[5] = 0x07
        #expect(violation(command) == .malformedCommand)
        var checksum = ping
        checksum[31] = 1
        #expect(violation(checksum) == .wrongChecksum(.ping))
        #expect(
            violation(frame("ping", [], length: 9))
                == .tooLong(command: "ping", found: 9, allowed: 8))
        #expect(
            violation(frame("verack", [], length: 1))
                == .tooLong(command: "verack", found: 1, allowed: 0))
        #expect(
            violation(frame("future", [], length: 4_000_001))
                == .tooLong(command: "future", found: 4_000_001, allowed: 4_000_000))
        #expect(
            violation(frame("block", [], length: .max))
                == .tooLong(command: "block", found: .max, allowed: 4_000_000))
    }

    @Test("What is not wanted or not known is skipped without being held")
    func skipping() throws {
        let junk = [UInt8](repeating: 7, count: 300_000)
        var decoder = decoder([.ping])
        let pong = PeerFrame(.pong(nonce: 1)).serialized(messageStart: start)
        let ping = PeerFrame(.ping(nonce: 2)).serialized(messageStart: start)
        let bytes = frame("block", junk) + frame("cmpctblock", junk) + frame("mempool", []) + pong
        var held = 0
        var frames: [PeerFrame] = []
        for part in (bytes + ping).chunks(of: 1_000) {
            let result = feed(&decoder, part)
            #expect(result.violation == nil)
            frames += result.frames
            held = max(held, decoder.heldBytes)
        }
        #expect(frames == [PeerFrame(.ping(nonce: 2))])
        #expect(held <= 24)
        #expect(decoder.skippedMessages == 4)
        #expect(decoder.skippedBytes == 600_008)
        // A block is read once it was asked for.
        decoder.wanted.insert(.pong)
        #expect(feed(&decoder, pong).frames == [PeerFrame(.pong(nonce: 1))])
    }

    @Test("A payload is held only as its bytes come")
    func growth() {
        var decoder = decoder()
        let header = Array(frame("block", [], length: 4_000_000)[..<24])
        _ = feed(&decoder, header)
        #expect(decoder.heldBytes == 0)
        _ = feed(&decoder, [UInt8](repeating: 0, count: 5_000))
        #expect(decoder.heldBytes == 5_000)
    }

    @Test("Changed streams never trap, and end the same however they are cut")
    func mutations() throws {
        var generator = SeededGenerator(seed: 24)
        let messages = try Samples.all().filter { $0.kind != .block }
        let stream = messages.flatMap { PeerFrame($0).serialized(messageStart: start) }
        for _ in 0..<300 {
            let bytes = generator.mutated(stream)
            var first = decoder()
            var second = decoder()
            let whole = feed(&first, bytes)
            let cut = feed(&second, bytes, by: Int.random(in: 1...300, using: &generator))
            #expect(whole.frames == cut.frames && whole.violation == cut.violation)
        }
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
