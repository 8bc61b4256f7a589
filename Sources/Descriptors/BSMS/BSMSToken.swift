import Hashing
import Wire

/// The secret that the parties of a multi-signature setup share while it lasts (BIP129), and the
/// encryption under it.
public struct BSMSToken: Hashable, Sendable {
    /// How much it protects.
    public enum Mode: Hashable, Sendable {
        /// `00`: nothing is encrypted.
        case noEncryption
        /// 64 bits.
        case standard
        /// 128 bits.
        case extended
    }

    /// 1, 8 or 16 bytes.
    public let bytes: [UInt8]

    /// Nil unless it is one zero byte, 8 or 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes == [0] || bytes.count == 8 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// How much it protects.
    public var mode: Mode {
        switch bytes.count {
        case 8: .standard
        case 16: .extended
        default: .noEncryption
        }
    }

    /// The key for AES: PBKDF2-HMAC-SHA512 of a fixed password with the token as its salt.
    var encryptionKey: Bytes32 {
        Bytes32 { out in
            var mac = HMACSHA512()
            Array("No SPOF".utf8).withUnsafeBytes { mac.setKey($0) }
            bytes.withUnsafeBytes { mac.stretch(salt: $0, iterations: 2_048, into: out) }
        }
    }

    /// The code that a record is sent with, over the token in hexadecimal and the record.
    private func code(of record: [UInt8], _ encryptionKey: Bytes32) -> Bytes32 {
        var mac = HMACSHA256()
        SHA256.hash(encryptionKey).withUnsafeBytes { mac.setKey($0) }
        Array(Hex.encode(bytes).utf8).withUnsafeBytes { mac.update($0) }
        record.withUnsafeBytes { mac.update($0) }
        return Bytes32 { mac.finalize(into: $0) }
    }

    /// What is sent for a record: code and ciphertext in hexadecimal. Without encryption the record
    /// itself.
    public func seal(_ record: String) -> String {
        guard mode != .noEncryption else { return record }
        let key = encryptionKey
        let plain = Array(record.utf8)
        let code = code(of: plain, key)
        let cipher = AES256CTR.apply(plain, key: key, counter: Array(code.array.prefix(16)))
        return Hex.encode(code.array + cipher)
    }

    /// The record that was sent.
    ///
    /// - Throws: `notHexadecimal`, `tooLong`, `wrongCode` for another token or damage, `notText`.
    public func open(_ data: String) throws(BSMSError) -> String {
        guard data.utf8.count <= 2 * BSMSError.maximumLength else { throw .tooLong }
        guard mode != .noEncryption else { return data }
        guard let bytes = try? Hex.decode(data), let code = Bytes32(bytes.prefix(32)) else {
            throw .notHexadecimal
        }
        let key = encryptionKey
        let plain = AES256CTR.apply(
            Array(bytes.dropFirst(32)), key: key, counter: Array(bytes.prefix(16)))
        guard self.code(of: plain, key) == code else { throw .wrongCode }
        guard let text = String(validating: plain, as: UTF8.self) else { throw .notText }
        return text
    }
}

/// What is wrong with a record of BIP129.
public enum BSMSError: Error, Hashable, Sendable {
    /// Longer than any record.
    case tooLong
    /// Encrypted data is not hexadecimal or too short.
    case notHexadecimal
    /// The code does not match: another token, or damaged data.
    case wrongCode
    /// Decrypted bytes are no UTF-8.
    case notText
    /// Another number of lines than the record has.
    case lines(found: Int, needed: Int)
    /// Not `BSMS 1.0`.
    case version
    /// The token is not 1, 8 or 16 bytes in hexadecimal.
    case token
    /// The key is not `[fingerprint/path]KEY` with a public key or extended public key.
    case key(DescriptorError?)
    /// The description of a key is too long.
    case description(found: Int, allowed: Int)
    /// The signature is not one of the key over the record.
    case signature
    /// The descriptor cannot be read.
    case descriptor(DescriptorError)
    /// The path restrictions are not `No path restrictions` or a list such as `/0/*,/1/*`.
    case paths
    /// The template and its path restrictions do not go together.
    case template
    /// The first address is not the descriptor's.
    case firstAddress
    /// The descriptor has no first address.
    case derivation(DerivationError)

    /// Characters of the longest record.
    static let maximumLength = 1 << 18
}

extension BSMSError: CustomStringConvertible {
    /// One sentence: what, found, allowed.
    public var description: String {
        switch self {
        case .tooLong: "the data is too long for a BSMS record"
        case .notHexadecimal: "encrypted BSMS data is hexadecimal and has more than 64 digits"
        case .wrongCode: "the data does not belong to this token, or it is damaged"
        case .notText: "the decrypted record is no text"
        case .lines(let found, let needed):
            "the record has \(counted(found, "line")), \(needed) are needed"
        case .version: "the first line of a record must be BSMS 1.0"
        case .token: "the token must be 00, or 16 or 32 hexadecimal digits"
        case .key(let error?): "the key of the record: \(error)"
        case .key(nil):
            "the key of the record must be [fingerprint/path] and a key, nothing after it"
        case .description(let found, let allowed):
            "the description of the key has \(found) characters, at most \(allowed) are allowed"
        case .signature: "the signature in the record is not one of its key"
        case .descriptor(let error): "the descriptor of the record: \(error)"
        case .paths: "path restrictions are \"No path restrictions\" or a list such as /0/*,/1/*"
        case .template: "a template with /** needs path restrictions, and a descriptor has none"
        case .firstAddress: "the first address in the record is not the wallet's; do not use it"
        case .derivation(let error): "the first address cannot be derived: \(error)"
        }
    }
}
