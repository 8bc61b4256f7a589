public import Wire

/// Base 58 with the first four bytes of a double SHA-256 behind the payload: old addresses, private
/// keys and extended keys.
public enum Base58Check {
    /// Why a text is not base58check.
    public enum Failure: Error, Hashable, Sendable {
        /// Not base 58 at all.
        case notBase58(Base58.Failure)
        /// Fewer than the four bytes of the checksum.
        case tooShort(found: Int)
        /// The checksum is that of another payload: a typing error.
        case wrongChecksum
    }

    /// The longest payload.
    public static let maximumPayload = Base58.maximumByteCount - 4

    /// The text of `payload`.
    ///
    /// - Precondition: at most `maximumPayload` bytes.
    public static func encode(_ payload: [UInt8]) -> String {
        let digest = SHA256.doubleHash(payload)
        return Base58.encode(payload + digest.withUnsafeBytes { Array($0[..<4]) })
    }

    /// The payload of `text`, once its checksum holds.
    public static func decode(_ text: some StringProtocol) throws(Failure) -> [UInt8] {
        var bytes: [UInt8]
        do throws(Base58.Failure) {
            bytes = try Base58.decode(text)
        } catch {
            throw .notBase58(error)
        }
        guard bytes.count >= 4 else { throw .tooShort(found: bytes.count) }
        let checksum = Array(bytes.suffix(4))
        bytes.removeLast(4)
        guard SHA256.doubleHash(bytes).withUnsafeBytes({ $0[..<4].elementsEqual(checksum) }) else {
            throw .wrongChecksum
        }
        return bytes
    }
}

extension Base58Check.Failure: CustomStringConvertible {
    /// One sentence: what is wrong.
    public var description: String {
        switch self {
        case .notBase58(let failure): failure.description
        case .tooShort(let found): "\(found) bytes, too short to hold a checksum of 4"
        case .wrongChecksum: "the checksum does not match: a character is wrong or missing"
        }
    }
}
