public import SecretMemory

/// Opens a sealed stream, piece by piece, in the memory of one chunk.
///
/// What it gives is authentic and in its place, but only `finish` says that nothing is missing
/// behind it: whoever cannot take back what was given away reads the stream twice.
public struct SealedStreamReader: ~Copyable {
    private var chunk: StreamChunk
    /// Bytes of content with padding so far.
    private var padded: UInt64 = 0
    private var isPadding = false
    /// Bytes of content so far.
    public private(set) var count: UInt64 = 0

    /// Reads what follows `header`.
    public init(_ header: StreamHeader, key: borrowing SecretBytes) {
        chunk = StreamChunk(header, key: key)
    }

    /// Takes bytes of the file and gives content to `sink`.
    ///
    /// - Throws: `StreamError`, and what `sink` throws.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            // A full chunk waits until it is known not to be the last.
            if chunk.filled == StreamChunk.length { try emit(isLast: false, to: sink) }
            chunk.take(&rest, upTo: StreamChunk.length)
        }
    }

    /// The file ended: gives the rest of the content if the stream is whole.
    ///
    /// - Throws: `StreamError`, and what `sink` throws.
    public mutating func finish(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        try emit(isLast: true, to: sink)
    }

    private mutating func emit(
        isLast: Bool, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let number = chunk.number
        let (content, used) = try chunk.open(isLast: isLast)
        guard !isPadding || used == 0 else { throw StreamError.malformed(chunk: number) }
        isPadding = isPadding || used < content
        padded += UInt64(content)
        count += UInt64(used)
        guard count <= StreamPadding.maximumContent, padded <= 2 * StreamPadding.maximumContent
        else { throw StreamError.tooLong }
        if isLast, padded != StreamPadding.padded(count) {
            throw StreamError.malformed(chunk: number)
        }
        guard used > 0 else { return }
        try chunk.withBytes(used, sink)
    }
}
