import Hashing
import SecretMemory
import Wire

/// The chunk of a stream that is under way: bytes are put into its memory until it is sealed or opened
/// there, and then it is the next one.
///
/// A chunk is `content || used (4) || tag (16)`; all but the last have 64 KiB. `used` says how many
/// of the content's bytes are no padding. The key is the stream's own; the nonce is the chunk's
/// number; the hash of the header, the number and whether it is the last are authenticated.
struct StreamChunk: ~Copyable {
    /// Bytes of a whole chunk in the file.
    static let length = 1 << 16
    /// What a chunk holds beside content.
    static let overhead = 4 + XChaCha20Poly1305.tagCount
    /// Content of a whole chunk.
    static let capacity = length - overhead

    private let key: SecretBytes
    private let context: [UInt8]
    private var memory = SecretBytes(count: length)
    /// The number of this chunk.
    private(set) var number: UInt64 = 0
    /// Bytes that were put into it.
    private(set) var filled = 0

    /// The first chunk of a stream under the key of its item or backup.
    init(_ header: StreamHeader, key: borrowing SecretBytes) {
        let bytes = header.bytes
        self.key = key.key(for: DomainLabel("stream"), salt: header.salt.array)
        context = SHA256.hash(bytes).array
    }

    /// Takes from the front of `rest` what fits until `limit` bytes are filled.
    mutating func take(_ rest: inout Slice<UnsafeRawBufferPointer>, upTo limit: Int) {
        let part = rest.prefix(limit - filled)
        rest = rest.dropFirst(part.count)
        let start = filled
        memory.withUnsafeMutableBytes { memory in
            UnsafeMutableRawBufferPointer(rebasing: memory[start...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        }
        filled += part.count
    }

    /// Gives the first bytes that it holds; they must not leave `body`.
    borrowing func withBytes<Failure>(
        _ count: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try memory.withUnsafeBytes { memory throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }

    /// Seals what was put in, with zeros up to `content` bytes; how many bytes the sealed chunk has.
    ///
    /// - Precondition: no more is filled than `content`, which is at most `capacity`.
    mutating func seal(content: Int, isLast: Bool) -> Int {
        precondition(filled <= content && content <= Self.capacity)
        let (used, nonce) = (filled, nonce)
        let associatedData = associatedData(isLast: isLast)
        memory.withUnsafeMutableBytes { memory in
            _ = UnsafeMutableRawBufferPointer(rebasing: memory[used..<content])
                .initializeMemory(as: UInt8.self, repeating: 0)
            memory.storeBytes(of: UInt32(used).littleEndian, toByteOffset: content, as: UInt32.self)
            XChaCha20Poly1305.seal(
                UnsafeRawBufferPointer(rebasing: memory[..<(content + 4)]), key: key, nonce: nonce,
                associatedData: associatedData,
                into: UnsafeMutableRawBufferPointer(rebasing: memory[..<(content + Self.overhead)]))
        }
        turn()
        return content + Self.overhead
    }

    /// Opens what was put in; how many of its bytes are content, and how many of those are no padding.
    mutating func open(isLast: Bool) throws(StreamError) -> (content: Int, used: Int) {
        guard filled > Self.overhead else { throw .truncated(chunk: number) }
        let content = filled - Self.overhead
        let (length, nonce, number) = (filled, nonce, number)
        let associatedData = associatedData(isLast: isLast)
        let used = try memory.withUnsafeMutableBytes { memory throws(StreamError) in
            let isAuthentic = XChaCha20Poly1305.open(
                UnsafeRawBufferPointer(rebasing: memory[..<length]), key: key, nonce: nonce,
                associatedData: associatedData,
                into: UnsafeMutableRawBufferPointer(rebasing: memory[..<(content + 4)]))
            guard isAuthentic else { throw .damaged(chunk: number) }
            let used = Int(
                UInt32(
                    littleEndian: memory.loadUnaligned(fromByteOffset: content, as: UInt32.self)))
            guard used <= content, memory[used..<content].allSatisfy({ $0 == 0 }) else {
                throw .malformed(chunk: number)
            }
            return used
        }
        turn()
        return (content, used)
    }

    private mutating func turn() {
        number += 1
        filled = 0
    }

    private var nonce: [UInt8] {
        var writer = Writer(capacity: XChaCha20Poly1305.nonceCount)
        writer.write(number)
        writer.write([UInt8](repeating: 0, count: XChaCha20Poly1305.nonceCount - 8))
        return writer.bytes
    }

    private func associatedData(isLast: Bool) -> [UInt8] {
        var writer = Writer(capacity: 64)
        writer.write(context)
        writer.write(number)
        writer.write(UInt8(isLast ? 1 : 0))
        return DomainLabel("stream/chunk").associatedData(writer.bytes)
    }
}
