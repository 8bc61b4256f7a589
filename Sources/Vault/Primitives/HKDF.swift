import Hashing
import SecretMemory

extension SecretBytes {
    /// HKDF-SHA256 (RFC 5869) of these bytes as input keying material, in secret memory only.
    ///
    /// - Precondition: `count` is 1 to 8160, the most that HKDF-SHA256 gives.
    borrowing func hkdf(salt: [UInt8], info: [UInt8], count: Int = 32) -> SecretBytes {
        precondition(count > 0 && count <= 255 * 32)
        var mac = SecretValue(HMACSHA256())
        let key = SecretBytes(count: 32) { key in
            withUnsafeBytes { material in
                mac.withValue { mac in
                    salt.withUnsafeBytes { mac.setKey($0) }
                    mac.update(material)
                    mac.finalize(into: key)
                }
            }
        }
        let blockCount = (count + 31) / 32
        let blocks = SecretBytes(count: blockCount * 32) { blocks in
            key.withUnsafeBytes { key in
                mac.withValue { mac in
                    mac.setKey(key)
                    for number in 0..<blockCount {
                        let start = number * 32
                        if number > 0 {
                            mac.update(UnsafeRawBufferPointer(rebasing: blocks[start - 32..<start]))
                        }
                        info.withUnsafeBytes { mac.update($0) }
                        Swift.withUnsafeBytes(of: UInt8(number + 1)) { mac.update($0) }
                        mac.finalize(
                            into: UnsafeMutableRawBufferPointer(rebasing: blocks[start...]))
                    }
                }
            }
        }
        return blocks.prefix(count)
    }

    /// The key of 32 bytes for one purpose.
    borrowing func key(for label: DomainLabel, salt: [UInt8]) -> SecretBytes {
        hkdf(salt: salt, info: label.bytes)
    }

    /// HMAC-SHA256 of public bytes under these as the key.
    borrowing func hmacSHA256(_ message: [UInt8]) -> SecretBytes {
        var mac = SecretValue(HMACSHA256())
        return SecretBytes(count: 32) { out in
            withUnsafeBytes { key in
                mac.withValue { mac in
                    mac.setKey(key)
                    message.withUnsafeBytes { mac.update($0) }
                    mac.finalize(into: out)
                }
            }
        }
    }

    /// A copy of the first bytes.
    borrowing func prefix(_ count: Int) -> SecretBytes { slice(0..<count) }

    /// A copy of a part.
    borrowing func slice(_ range: Range<Int>) -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// These bytes and then others, as one secret.
    borrowing func joined(with other: borrowing SecretBytes) -> SecretBytes {
        let first = count
        return SecretBytes(count: count + other.count) { out in
            withUnsafeBytes { out.copyMemory(from: $0) }
            other.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: out[first...]).copyMemory(from: $0)
            }
        }
    }

    // DECLASSIFY: for bytes that another layer has sealed already, and for what is public anyway.
    /// A copy outside secret memory.
    borrowing func publicCopy() -> [UInt8] { withUnsafeBytes { Array($0) } }
}
