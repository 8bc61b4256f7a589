import TestSupport
import Testing
import Wire

@testable import PeerEncryption

/// A line of BIP324's `packet_encoding_test_vectors.csv`.
struct PacketVector: Sendable {
    private let fields: [String: String]

    static let mainnet: [UInt8] = [0xF9, 0xBE, 0xB4, 0xD9]

    static func all() throws -> [PacketVector] {
        let bytes = try Fixture.bytes("bip324/packet_encoding_test_vectors.csv")
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let names = lines[0].split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        return lines.dropFirst().map { line in
            let values = line.split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
            return PacketVector(fields: Dictionary(uniqueKeysWithValues: zip(names, values)))
        }
    }

    func bytes(_ name: String) throws -> [UInt8] {
        let text = try #require(fields[name])
        return try Hex.decode(text)
    }

    func number(_ name: String) throws -> Int {
        let text = try #require(fields[name])
        return try #require(Int(text))
    }

    func key(_ name: String) throws -> Bytes32 {
        let bytes = try bytes(name)
        return try #require(Bytes32(bytes))
    }

    var role: EncryptionRole { fields["in_initiating"] == "1" ? .initiator : .responder }

    var isIgnored: Bool { fields["in_ignore"] == "1" }

    var contents: [UInt8] {
        get throws {
            let part = try bytes("in_contents")
            var all: [UInt8] = []
            for _ in 0..<(try number("in_multiply")) { all += part }
            return all
        }
    }

    var keys: SessionKeys {
        get throws {
            SessionKeys(
                sharedSecret: try key("mid_shared_secret"), messageStart: PacketVector.mainnet)
        }
    }
}

@Suite("Packets of the encrypted transport")
struct PacketVectorTests {
    private let vectors: [PacketVector]

    init() throws {
        vectors = try PacketVector.all()
        #expect(vectors.count == 7)
    }

    @Test("Keys of a connection are those of BIP324's seven vectors")
    func keys() throws {
        for vector in vectors {
            let keys = try vector.keys
            #expect(try keys.initiatorLength == vector.key("mid_initiator_l"))
            #expect(try keys.initiatorPacket == vector.key("mid_initiator_p"))
            #expect(try keys.responderLength == vector.key("mid_responder_l"))
            #expect(try keys.responderPacket == vector.key("mid_responder_p"))
            #expect(try keys.sessionID == vector.key("out_session_id"))
            let isInitiator = vector.role == .initiator
            let sent = isInitiator ? keys.initiatorTerminator : keys.responderTerminator
            let received = isInitiator ? keys.responderTerminator : keys.initiatorTerminator
            #expect(try sent == vector.bytes("mid_send_garbage_terminator"))
            #expect(try received == vector.bytes("mid_recv_garbage_terminator"))
        }
    }

    @Test("Packets are those of BIP324's seven vectors, and the other end reads them")
    func packets() throws {
        for vector in vectors {
            let limit = 1 << 24
            var sender = EncryptedPackets(try vector.keys, role: vector.role, limit: limit)
            let other: EncryptionRole = vector.role == .initiator ? .responder : .initiator
            var receiver = EncryptedPackets(try vector.keys, role: other, limit: limit)
            for _ in 0..<(try vector.number("in_idx")) {
                var bytes = sender.encode([])[...]
                #expect(try receiver.next(from: &bytes) == .contents([]))
            }
            let aad = try vector.bytes("in_aad")
            let contents = try vector.contents
            let packet = sender.encode(contents, aad: aad, isIgnored: vector.isIgnored)
            let whole = try vector.bytes("out_ciphertext")
            if !whole.isEmpty { #expect(packet == whole) }
            let end = try vector.bytes("out_ciphertext_endswith")
            #expect(packet.suffix(end.count).elementsEqual(end))
            var rest = packet[...]
            let received = try receiver.next(from: &rest, aad: aad)
            #expect(
                received
                    == (vector.isIgnored ? .ignored(size: packet.count) : .contents(contents)))
            #expect(rest.isEmpty)
        }
    }

    @Test(
        "The shared secret is that of BIP324's seven vectors",
        .enabled(if: EphemeralKey.isAvailable, "libsecp256k1 here has no ellswift module"))
    func secrets() throws {
        for vector in vectors {
            let key = EphemeralKey(
                secret: try vector.bytes("in_priv_ours"),
                encoded: try vector.bytes("in_ellswift_ours"))
            let secret = try key.sharedSecret(
                with: vector.bytes("in_ellswift_theirs"), role: vector.role)
            #expect(try secret == vector.key("mid_shared_secret"))
        }
    }

    @Test("A packet that announces more than the limit, or was changed, ends the connection")
    func refusals() throws {
        let keys = try vectors[0].keys
        var sender = EncryptedPackets(keys, role: .initiator, limit: 1000)
        var receiver = EncryptedPackets(keys, role: .responder, limit: 10)
        var bytes = sender.encode([UInt8](repeating: 7, count: 11))[...]
        #expect(
            thrown(EncryptionError.self) { try receiver.next(from: &bytes) }
                == .tooLong(found: 11, allowed: 10))
        sender = EncryptedPackets(keys, role: .initiator, limit: 1000)
        receiver = EncryptedPackets(keys, role: .responder, limit: 10)
        var changed = sender.encode([1, 2, 3])
        changed[5] ^= 1
        var rest = changed[...]
        #expect(
            thrown(EncryptionError.self) { try receiver.next(from: &rest) }
                == .notAuthentic)
    }
}
