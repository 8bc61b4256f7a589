public import SecretMemory

/// A line while it is typed, in locked memory.
public struct SecretLine: ~Copyable {
    private var bytes: SecretBytes
    /// Bytes so far.
    public private(set) var count = 0

    /// An empty line of at most so many bytes.
    public init(limit: Int) { bytes = SecretBytes(count: limit) }

    /// Whether nothing is typed.
    public var isEmpty: Bool { count == 0 }

    /// Appends a byte; false when the line is full.
    @discardableResult
    public mutating func append(_ byte: UInt8) -> Bool {
        guard count < bytes.count else { return false }
        let place = count
        bytes.withUnsafeMutableBytes { $0[place] = byte }
        count += 1
        return true
    }

    /// Removes the last character, which may have up to four bytes of UTF-8.
    public mutating func removeLast() {
        var end = count
        bytes.withUnsafeMutableBytes { buffer in
            while end > 0 {
                end -= 1
                let isContinuation = buffer[end] & 0xC0 == 0x80
                buffer[end] = 0
                if !isContinuation { return }
            }
        }
        count = end
    }

    /// Forgets everything.
    public mutating func removeAll() {
        bytes.withUnsafeMutableBytes { SecretMemory.wipe($0) }
        count = 0
    }

    /// The line as a secret of its own length.
    public borrowing func copy() -> SecretBytes {
        let count = count
        return bytes.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0[..<count])) }
    }

    /// Gives the bytes in place. They must not leave `body`.
    public borrowing func withBytes<Result: ~Copyable>(
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let count = count
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
