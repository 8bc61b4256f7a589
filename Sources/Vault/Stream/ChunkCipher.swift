import Hashing
import SecretMemory
import Wire

/// Seals and opens the chunks of one stream, in place.
///
/// A chunk is `content || used (4) || tag (16)`; all but the last have 64 KiB. `used` says how many
/// of the content's bytes are no padding. The key is the stream's own; the nonce is the chunk's
/// number; the hash of the header, the number and whether it is the last are authenticated.
struct ChunkCipher: ~Copyable {
    /// Bytes of a whole chunk in the file.
    static let length = 1 << 16
    /// What a chunk holds beside content.
    static let overhead = 4 + XChaCha20Poly1305.tagCount
    /// Content of a whole chunk.
    static let capacity = length - overhead

    private let key: SecretBytes
    private let context: [UInt8]
    /// The number of the next chunk.
    private(set) var next: UInt64 = 0

    init(_ header: StreamHeader, key: borrowing SecretBytes) {
        let bytes = header.bytes
        self.key = key.key(for: DomainLabel("stream"), salt: header.salt.array)
        context = SHA256.hash(bytes).array
    }

    /// Seals the first `content` bytes of `buffer`, `used` of which are no padding; returns how
    /// many bytes of `buffer` are the chunk.
    mutating func seal(
        _ buffer: UnsafeMutableRawBufferPointer, content: Int, used: Int, isLast: Bool
    ) -> Int {
        precondition(used <= content && content <= Self.capacity)
        buffer.storeBytes(of: UInt32(used).littleEndian, toByteOffset: content, as: UInt32.self)
        XChaCha20Poly1305.seal(
            UnsafeRawBufferPointer(rebasing: buffer[..<(content + 4)]), key: key, nonce: nonce,
            associatedData: associatedData(isLast: isLast),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<(content + Self.overhead)]))
        next += 1
        return content + Self.overhead
    }

    /// Opens the chunk that fills `chunk`; returns how many of its bytes are content, and how many
    /// of those are no padding.
    mutating func open(
        _ chunk: UnsafeMutableRawBufferPointer, isLast: Bool
    ) throws(StreamError) -> (content: Int, used: Int) {
        guard chunk.count > Self.overhead else { throw .truncated(chunk: next) }
        let content = chunk.count - Self.overhead
        let isAuthentic = XChaCha20Poly1305.open(
            UnsafeRawBufferPointer(chunk), key: key, nonce: nonce,
            associatedData: associatedData(isLast: isLast),
            into: UnsafeMutableRawBufferPointer(rebasing: chunk[..<(content + 4)]))
        guard isAuthentic else { throw .damaged(chunk: next) }
        let used = Int(
            UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: content, as: UInt32.self)))
        guard used <= content, chunk[used..<content].allSatisfy({ $0 == 0 }) else {
            throw .malformed(chunk: next)
        }
        next += 1
        return (content, used)
    }

    private var nonce: [UInt8] {
        var writer = Writer(capacity: XChaCha20Poly1305.nonceCount)
        writer.write(next)
        writer.write([UInt8](repeating: 0, count: XChaCha20Poly1305.nonceCount - 8))
        return writer.bytes
    }

    private func associatedData(isLast: Bool) -> [UInt8] {
        var writer = Writer(capacity: 64)
        writer.write(context)
        writer.write(next)
        writer.write(UInt8(isLast ? 1 : 0))
        return DomainLabel("stream/chunk").associatedData(writer.bytes)
    }
}
