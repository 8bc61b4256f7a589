public import Messages

/// The writing direction of a channel: frames that wait until the kernel takes them.
public struct FrameOutput<Outgoing: MessageSet>: ~Copyable {
    private var encoder = FrameEncoder(edge: Outgoing.edge, sender: Outgoing.sender)
    private var chunks: [Chunk] = []
    private var written = 0
    private let limit: Int

    /// Bytes that wait.
    public private(set) var waitingBytes = 0

    /// Bytes that are sent together, with the descriptor that goes with the first of them.
    private struct Chunk {
        var bytes: [UInt8]
        var attached: Attached?
    }

    private final class Attached {
        let descriptor: FileDescriptor

        init?(_ descriptor: consuming FileDescriptor?) {
            guard let descriptor = consume descriptor else { return nil }
            self.descriptor = descriptor
        }
    }

    /// Nothing waits. Beyond `limit` waiting bytes nothing more is taken.
    public init(limit: Int) { self.limit = limit }

    /// Whether the message may be sent in the phase that this direction is in.
    public func allows(_ message: Outgoing) -> Bool { encoder.allows(message.kind) }

    /// Puts a message behind the others.
    ///
    /// - Throws: `.violation(.notReading)` if too much waits already.
    /// - Precondition: the message may be sent now, and carries a descriptor exactly if its row says so.
    public mutating func enqueue(
        _ message: Outgoing, passing descriptor: consuming FileDescriptor? = nil
    ) throws(ChannelEnd) {
        let frame = message.frame
        let carries = frame.kind.row.attachment != .nothing
        let attached = Attached(descriptor)
        precondition(carries == (attached != nil))
        guard waitingBytes <= limit else { throw .violation(.notReading) }
        let header = encoder.header(for: frame)
        waitingBytes += header.count + frame.body.count
        // The other end tells by the order of the bytes whose descriptor came, so a frame with one
        // starts a chunk and nothing follows it in there.
        let joins = attached == nil && chunks.last.map { $0.attached == nil } == true
        if joins, frame.body.count < 4096, chunks[chunks.count - 1].bytes.count < 16384 {
            chunks[chunks.count - 1].bytes += header
            chunks[chunks.count - 1].bytes += frame.body
            return
        }
        if attached != nil || frame.body.count < 4096 {
            chunks.append(Chunk(bytes: header + frame.body, attached: attached))
        } else {
            chunks.append(Chunk(bytes: header))
            chunks.append(Chunk(bytes: frame.body))
        }
    }

    /// Writes what the kernel takes now. A blocking descriptor takes everything.
    public mutating func flush(to descriptor: Int32) throws(ChannelEnd) {
        while let chunk = chunks.first {
            switch try write(chunk, to: descriptor) {
            case .wouldBlock: return
            case .ended: throw .closed
            case .moved(let count):
                waitingBytes -= count
                written += count
                chunks[0].attached = nil
                guard written == chunk.bytes.count else { continue }
                written = 0
                chunks.removeFirst()
            }
        }
    }

    private func write(_ chunk: Chunk, to descriptor: Int32) throws(ChannelEnd) -> Kernel.Transfer {
        do throws(Errno) {
            return try chunk.bytes.withBytes { all throws(Errno) in
                let bytes = UnsafeRawBufferPointer(rebasing: all[written...])
                guard let attached = chunk.attached else {
                    return try Kernel.write(descriptor, bytes)
                }
                return try Kernel.send(descriptor, bytes, passing: attached.descriptor.number)
            }
        } catch {
            throw .failed(error)
        }
    }
}
