import TestSupport
import Testing
import Wire

@testable import PeerEncryption

@Suite("An encrypted connection")
struct EncryptedConnectionTests {
    /// Both ends behind the exchange of keys, which needs the module, with what each then sends.
    private struct Ends {
        let initiator: EncryptedConnection
        let responder: EncryptedConnection
        var toResponder: [UInt8]
        var toInitiator: [UInt8]

        init(initiatorGarbage: [UInt8] = [], responderGarbage: [UInt8] = []) throws {
            let key = EphemeralKey(
                secret: [UInt8](repeating: 1, count: 32), encoded: [UInt8](repeating: 2, count: 64))
            let keys = SessionKeys(sharedSecret: .zero, messageStart: PacketVector.mainnet)
            initiator = EncryptedConnection(
                key, garbage: initiatorGarbage, role: .initiator,
                messageStart: PacketVector.mainnet, limit: 1000)
            responder = EncryptedConnection(
                key, garbage: responderGarbage, role: .responder,
                messageStart: PacketVector.mainnet, limit: 1000)
            #expect(initiator.opening == key.encoded + initiatorGarbage)
            toResponder = initiatorGarbage + initiator.begin(keys)
            toInitiator = responderGarbage + responder.begin(keys)
        }
    }

    @Test(
        "Garbage of any length is skipped, however the bytes arrive", arguments: [0, 1, 16, 4095])
    func garbage(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let garbage = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let ends = try Ends(initiatorGarbage: garbage, responderGarbage: garbage.reversed())
        var contents: [[UInt8]] = []
        for byte in ends.toResponder {
            #expect(try ends.responder.receive([byte], into: &contents) == [])
        }
        #expect(try ends.initiator.receive(ends.toInitiator, into: &contents) == [])
        #expect(ends.initiator.isOpen)
        #expect(ends.responder.isOpen)
        #expect(contents == [])

        let messages: [[UInt8]] = [[1], [], [UInt8](repeating: 9, count: 1000)]
        let bytes = messages.flatMap { ends.initiator.encode($0) }
        for start in stride(from: 0, to: bytes.count, by: 7) {
            let part = bytes[start..<min(start + 7, bytes.count)]
            #expect(try ends.responder.receive(part, into: &contents) == [])
        }
        #expect(contents == messages)
        #expect(ends.responder.heldBytes == 0)
    }

    @Test("Garbage of every length there may be is told from what follows it")
    func everyLength() throws {
        // No 16 bytes of it are the terminator; every one of its last bytes is among them.
        let garbage = (0..<4095).map { UInt8(truncatingIfNeeded: $0) }
        for count in 0...4095 {
            let ends = try Ends(initiatorGarbage: Array(garbage[..<count]))
            var contents: [[UInt8]] = []
            _ = try ends.responder.receive(ends.toResponder, into: &contents)
            #expect(ends.responder.isOpen)
        }
    }

    @Test("A thousand packets each way pass several changes of keys")
    func rekeying() throws {
        let ends = try Ends()
        var contents: [[UInt8]] = []
        _ = try ends.responder.receive(ends.toResponder, into: &contents)
        _ = try ends.initiator.receive(ends.toInitiator, into: &contents)
        for number in 0..<1000 {
            let message = [UInt8(truncatingIfNeeded: number)]
            _ = try ends.responder.receive(ends.initiator.encode(message), into: &contents)
            _ = try ends.initiator.receive(ends.responder.encode(message), into: &contents)
            #expect(contents == [message, message])
            contents = []
        }
    }

    @Test("Garbage that was changed on the way ends the connection")
    func changedGarbage() throws {
        let ends = try Ends(initiatorGarbage: [1, 2, 3])
        var bytes = ends.toResponder
        bytes[1] ^= 1
        var contents: [[UInt8]] = []
        #expect(
            thrown(EncryptionError.self) { try ends.responder.receive(bytes, into: &contents) }
                == .notAuthentic)
    }

    @Test("Garbage without an end is given up after as much as there may be")
    func endlessGarbage() throws {
        let ends = try Ends()
        var contents: [[UInt8]] = []
        let most = [UInt8](repeating: 0, count: 4095 + 15)
        #expect(try ends.responder.receive(most, into: &contents) == [])
        #expect(
            thrown(EncryptionError.self) { try ends.responder.receive([0], into: &contents) }
                == .noTerminator)
    }

    @Test("Of decoys nothing is left but their size")
    func decoys() throws {
        let ends = try Ends()
        var contents: [[UInt8]] = []
        _ = try ends.responder.receive(ends.toResponder, into: &contents)
        _ = try ends.initiator.receive(ends.toInitiator, into: &contents)
        let decoys = [[], [1, 2, 3], [UInt8](repeating: 0, count: 1000)] as [[UInt8]]
        let bytes = decoys.map { ends.initiator.encode($0, isDecoy: true) }
        for packet in bytes { _ = try ends.responder.receive(packet, into: &contents) }
        #expect(contents.isEmpty)
        #expect(ends.responder.decoyBytes == bytes.reduce(0) { $0 + $1.count })
        _ = try ends.responder.receive(ends.initiator.encode([9]), into: &contents)
        #expect(contents == [[9]])
    }

    @Test(
        "Two ends agree, from keys of their own",
        .enabled(if: EncryptedConnection.isAvailable, "libsecp256k1 here has no ellswift module"))
    func exchange() throws {
        var random = SeededGenerator(seed: 324)
        for _ in 0..<20 {
            let ends = try [EncryptionRole.initiator, .responder].map {
                try #require(
                    EncryptedConnection(
                        role: $0, messageStart: PacketVector.mainnet, limit: 1000, random: &random))
            }
            var contents: [[UInt8]] = []
            let answer = try ends[1].receive(ends[0].opening, into: &contents)
            let toInitiator = ends[1].opening + answer
            let last = try ends[0].receive(toInitiator, into: &contents)
            #expect(try ends[1].receive(last, into: &contents) == [])
            #expect(ends[0].isOpen)
            #expect(ends[1].isOpen)
            #expect(ends[0].sessionID == ends[1].sessionID)
            _ = try ends[1].receive(ends[0].encode([7]), into: &contents)
            #expect(contents == [[7]])
        }
    }
}
