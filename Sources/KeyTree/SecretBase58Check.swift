import Hashing
import SecretMemory
import Wire

/// `Base58Check` for what must not lie anywhere but in secret memory.
enum SecretBase58Check {
    /// The ASCII text of a payload that `fill` writes.
    static func encode(
        count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) -> SecretBytes {
        let payload = SecretBytes(count: count + 4) { bytes in
            let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
            fill(payload)
            checksum(of: UnsafeRawBufferPointer(payload)).withUnsafeBytes { checksum in
                for index in 0..<4 { bytes[count + index] = checksum[index] }
            }
        }
        return SecretBytes(capacity: Base58.maximumTextLength) { text in
            payload.withUnsafeBytes { Base58.encode($0, into: text) }
        }
    }

    /// The payload of an ASCII text.
    static func decode(
        _ text: borrowing SecretBytes
    ) throws(Base58Check.Failure) -> SecretBytes {
        let bytes = try text.withUnsafeBytes { text throws(Base58Check.Failure) in
            try SecretBytes(capacity: Base58.maximumByteCount) { out throws(Base58Check.Failure) in
                do throws(Base58.Failure) {
                    return try Base58.decode(text, into: out)
                } catch {
                    throw .notBase58(error)
                }
            }
        }
        guard bytes.count >= 4 else { throw .tooShort(found: bytes.count) }
        let count = bytes.count - 4
        let isRight = bytes.withUnsafeBytes { bytes in
            checksum(of: UnsafeRawBufferPointer(rebasing: bytes[..<count])).withUnsafeBytes {
                $0[..<4].elementsEqual(bytes[count...])
            }
        }
        guard isRight else { throw .wrongChecksum }
        return bytes.slice(0..<count)
    }

    private static func checksum(of payload: UnsafeRawBufferPointer) -> SecretBytes {
        SecretBytes.sha256(payload).withUnsafeBytes { SecretBytes.sha256($0) }
    }
}
