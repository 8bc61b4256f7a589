import PeerMessages
import ScriptedPeer
import Wire

@testable import PeerEncryption

/// The other end of an encrypted connection, step by step, so that it can go wrong at each.
struct Responder {
    /// What it does otherwise than an honest one.
    struct Conduct: Sendable {
        var garbage: [UInt8] = []
        /// Packets that are to be ignored, before the one that ends the exchange.
        var decoys: [[UInt8]] = []
        /// Changes the bytes from the terminator on that end the exchange.
        var change: @Sendable (inout [UInt8]) -> Void = { _ in }
        var messageStart = Lines.messageStart
    }

    let socket: Int32
    private(set) var packets: EncryptedPackets
    private let terminator: [UInt8]

    /// Answers the other end's key with all that ends the exchange; nil if that hangs up.
    init?(_ socket: Int32, _ conduct: Conduct = Conduct()) throws {
        var random = SystemRandomNumberGenerator()
        let bytes = { (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) } }
        guard let theirs = Stream.readAll(socket, EphemeralKey.encodedSize),
            let key = EphemeralKey(secret: bytes(), randomness: bytes()),
            let secret = key.sharedSecret(with: theirs, role: .responder)
        else { return nil }
        let keys = SessionKeys(sharedSecret: secret, messageStart: conduct.messageStart)
        self.socket = socket
        terminator = keys.initiatorTerminator
        packets = EncryptedPackets(keys, role: .responder, limit: 1 << 22)

        // The first packet authenticates the garbage, be it a decoy.
        var end = keys.responderTerminator
        var aad = conduct.garbage
        for decoy in conduct.decoys {
            end += packets.encode(decoy, aad: aad, isIgnored: true)
            aad = []
        }
        end += packets.encode([], aad: aad)
        conduct.change(&end)
        guard Stream.write(socket, key.encoded + conduct.garbage + end) else { return nil }
    }

    /// Reads how the other end ends the exchange; false if it hangs up before.
    mutating func finish() throws -> Bool {
        var garbage: [UInt8] = []
        while !garbage.suffix(16).elementsEqual(terminator) {
            guard let byte = Stream.readAll(socket, 1) else { return false }
            garbage += byte
        }
        return try next(aad: garbage.dropLast(16)) == []
    }

    /// The contents of the next packet; nil at the end.
    mutating func next(aad: [UInt8] = []) throws -> [UInt8]? {
        while let byte = Stream.readAll(socket, 1) {
            var rest = byte[...]
            if case .contents(let contents)? = try packets.next(from: &rest, aad: aad) {
                return contents
            }
        }
        return nil
    }

    /// Sends a message, or bytes that are to be ignored.
    @discardableResult
    mutating func say(_ message: PeerMessage) -> Bool {
        Stream.write(socket, packets.encode(PeerFrame(message).contents))
    }

    @discardableResult
    mutating func say(decoy: [UInt8]) -> Bool {
        Stream.write(socket, packets.encode(decoy, isIgnored: true))
    }

    /// A message's packet, to be changed on the way.
    mutating func packet(_ message: PeerMessage) -> [UInt8] {
        packets.encode(PeerFrame(message).contents)
    }
}
