public import SecretMemory

/// Seals content of any length, piece by piece, in the memory of one chunk.
///
/// The caller writes the header's bytes; what follows them goes to `sink`. Without `finish` the
/// stream has no last chunk, and no reader accepts it.
public struct SealedStreamWriter: ~Copyable {
    private var chunk: StreamChunk
    /// Bytes of content so far.
    public private(set) var count: UInt64 = 0

    /// A new stream under the key of its item or backup.
    public init(_ header: StreamHeader, key: borrowing SecretBytes) {
        chunk = StreamChunk(header, key: key)
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
            if chunk.filled == StreamChunk.capacity {
                try emit(content: StreamChunk.capacity, isLast: false, to: sink)
            }
            chunk.take(&rest, upTo: StreamChunk.capacity)
        }
    }

    /// Adds the padding and the last chunk.
    public mutating func finish<Failure>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var left = StreamPadding.padded(count) - (count - UInt64(chunk.filled))
        repeat {
            let content = Int(min(left, UInt64(StreamChunk.capacity)))
            left -= UInt64(content)
            try emit(content: content, isLast: left == 0, to: sink)
        } while left > 0
    }

    private mutating func emit<Failure>(
        content: Int, isLast: Bool, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let length = chunk.seal(content: content, isLast: isLast)
        try chunk.withBytes(length, sink)
    }
}
