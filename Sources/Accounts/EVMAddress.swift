public import Curve
import Hashing
public import Wire

/// An account of Ethereum and the chains that run its virtual machine: the last 20 bytes of the
/// Keccak-256 of a public key.
public struct EVMAddress: Hashable, Sendable {
    /// The 20 bytes.
    public let bytes: Bytes20

    /// Takes the bytes.
    public init(bytes: Bytes20) { self.bytes = bytes }

    /// The account of a key.
    public init(_ publicKey: PublicKey) {
        // The first byte only says that both coordinates follow.
        let digest = Keccak256.hash(Array(publicKey.uncompressed.dropFirst()))
        bytes = Bytes20 { out in
            digest.withUnsafeBytes {
                out.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[12...]))
            }
        }
    }
}

extension EVMAddress: CustomStringConvertible {
    /// `0x` and 40 digits, whose letters are capital where the Keccak-256 of the digits says so
    /// (EIP-55).
    public var description: String {
        let digits = Array(Hex.encode(bytes.array).utf8)
        let digest = Keccak256.hash(digits).array
        let text = digits.enumerated().map { place, digit in
            let nibble = place.isMultiple(of: 2) ? digest[place / 2] >> 4 : digest[place / 2] & 15
            let isLetter = digit >= UInt8(ascii: "a")
            return isLetter && nibble >= 8 ? digit & ~0x20 : digit
        }
        return "0x" + String(decoding: text, as: UTF8.self)
    }
}
