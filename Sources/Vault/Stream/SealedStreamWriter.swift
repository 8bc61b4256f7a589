public import SecretMemory

/// Seals content of any length, piece by piece, in the memory of one chunk.
///
/// The caller writes the header's bytes; what follows them goes to `sink`. Without `finish` the
/// stream has no last chunk, and no reader accepts it.
public struct SealedStreamWriter: ~Copyable {
    private var cipher: ChunkCipher
    private var buffer = SecretBytes(count: ChunkCipher.length)
    /// Bytes of content in the buffer.
    private var filled = 0
    /// Bytes of content so far.
    public private(set) var count: UInt64 = 0

    /// A new stream under the key of its item or backup.
    public init(_ header: StreamHeader, key: borrowing SecretBytes) {
        cipher = ChunkCipher(header, key: key)
    }

    /// Adds content.
    ///
    /// - Precondition: no more than `StreamPadding.maximumContent` in all.
    public mutating func append<Failure>(
        _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = bytes[...]
        count += UInt64(bytes.count)
        precondition(count <= StreamPadding.maximumContent)
        while !rest.isEmpty {
            // A full chunk waits until it is known not to be the last.
            if filled == ChunkCipher.capacity {
                try emit(content: filled, isLast: false, to: sink)
            }
            let part = rest.prefix(ChunkCipher.capacity - filled)
            rest = rest.dropFirst(part.count)
            let start = filled
            buffer.withUnsafeMutableBytes { buffer in
                UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            }
            filled += part.count
        }
    }

    /// Adds the padding and the last chunk.
    public mutating func finish<Failure>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var left = StreamPadding.padded(count) - (count - UInt64(filled))
        repeat {
            let content = Int(min(left, UInt64(ChunkCipher.capacity)))
            left -= UInt64(content)
            let start = filled
            buffer.withUnsafeMutableBytes { buffer in
                _ = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<content])
                    .initializeMemory(as: UInt8.self, repeating: 0)
            }
            try emit(content: content, isLast: left == 0, to: sink)
        } while left > 0
    }

    private mutating func emit<Failure>(
        content: Int, isLast: Bool, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let used = filled
        filled = 0
        let length = buffer.withUnsafeMutableBytes { buffer in
            cipher.seal(buffer, content: content, used: used, isLast: isLast)
        }
        try buffer.withUnsafeBytes { buffer throws(Failure) in
            try sink(UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        }
    }
}
