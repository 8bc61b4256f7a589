import Hashing
import Wire

/// Which end of an encrypted connection one is.
public enum EncryptionRole: Hashable, Sendable {
    /// Opened the connection.
    case initiator
    /// Was connected to.
    case responder
}

/// The keys of one encrypted connection (BIP324), from the secret that both ends share.
struct SessionKeys {
    let initiatorLength: Bytes32
    let initiatorPacket: Bytes32
    let responderLength: Bytes32
    let responderPacket: Bytes32
    /// Ends the initiator's garbage; 16 bytes.
    let initiatorTerminator: [UInt8]
    /// Ends the responder's garbage; 16 bytes.
    let responderTerminator: [UInt8]
    /// The same on both sides, unless somebody sits between them.
    let sessionID: Bytes32

    init(sharedSecret: Bytes32, messageStart: [UInt8]) {
        let salt = Array("bitcoin_v2_shared_secret".utf8) + messageStart
        let hkdf = HKDF(salt: salt, input: sharedSecret.array)
        initiatorLength = hkdf.expand("initiator_L")
        initiatorPacket = hkdf.expand("initiator_P")
        responderLength = hkdf.expand("responder_L")
        responderPacket = hkdf.expand("responder_P")
        let terminators = hkdf.expand("garbage_terminators").array
        initiatorTerminator = Array(terminators[..<16])
        responderTerminator = Array(terminators[16...])
        sessionID = hkdf.expand("session_id")
    }
}

/// HKDF-SHA256 (RFC 5869) for outputs of one block.
struct HKDF {
    private var mac = HMACSHA256()

    init(salt: [UInt8], input: [UInt8]) {
        let pseudorandomKey = HKDF.code(of: input, key: salt)
        pseudorandomKey.withUnsafeBytes { mac.setKey($0) }
    }

    /// The first 32 bytes for this purpose.
    func expand(_ info: String) -> Bytes32 { expand(Array(info.utf8)) }

    func expand(_ info: [UInt8]) -> Bytes32 {
        var mac = mac
        (info + [1]).withUnsafeBytes { mac.update($0) }
        return Bytes32 { mac.finalize(into: $0) }
    }

    private static func code(of bytes: [UInt8], key: [UInt8]) -> Bytes32 {
        var mac = HMACSHA256()
        key.withUnsafeBytes { mac.setKey($0) }
        bytes.withUnsafeBytes { mac.update($0) }
        return Bytes32 { mac.finalize(into: $0) }
    }
}
