public import SecretMemory

/// Text that holds secrets, built piece by piece in locked memory.
///
/// - Precondition: what is appended fits into the capacity; the sizes of a kit are known beforehand.
public struct SecretText: ~Copyable {
    private var bytes: SecretBytes
    /// The bytes so far.
    public private(set) var count = 0

    /// An empty text with room for this many bytes.
    public init(capacity: Int) { bytes = SecretBytes(count: capacity) }

    /// Appends words that are no secret.
    public mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        bytes.withUnsafeMutableBytes { $0[count] = byte }
        count += 1
    }

    /// Appends bytes of a secret.
    public mutating func append(_ secret: UnsafeRawBufferPointer) {
        bytes.withUnsafeMutableBytes { buffer in
            UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + secret.count])
                .copyMemory(from: secret)
        }
        count += secret.count
    }

    /// The text as a secret of its own length.
    public consuming func finish() -> SecretBytes {
        let count = count
        return bytes.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0[..<count])) }
    }
}
