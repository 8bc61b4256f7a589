import Wire

/// Cuts the bytes of one direction of a channel into frames and refuses whatever breaks a rule.
///
/// Every rule about a frame is checked when its header is complete, before its body arrives. Memory
/// grows with the bytes that came: four times as many at most, never beyond the announced length.
/// After a violation the decoder must not be used again.
public struct FrameDecoder: Sendable {
    private var direction: Direction
    private var header: [UInt8] = []
    private var current: MessageKind?
    private var body: [UInt8] = []
    private var missing = 0

    /// A decoder for what `sender` sends on `edge`.
    public init(edge: Edge, sender: Side) {
        direction = Direction(edge: edge, sender: sender)
        header.reserveCapacity(FrameHeader.length)
    }

    /// Whether a frame was started and is not complete.
    public var isMidFrame: Bool { !header.isEmpty }

    /// The kind of the frame that was started, once its header is complete.
    public var startedKind: MessageKind? { current }

    /// Bytes that the started frame still lacks; 0 until its header is complete.
    public var missingBytes: Int { missing }

    /// Bytes of memory that the started frame takes.
    public var heldBytes: Int { body.capacity }

    /// Takes bytes and appends the frames that they complete. Frames before a violation count.
    public mutating func feed(
        _ bytes: UnsafeRawBufferPointer, into frames: inout [Frame]
    ) throws(ChannelViolation) {
        var used = 0
        func next(_ count: Int) -> UnsafeRawBufferPointer {
            let end = min(used + count, bytes.count)
            defer { used = end }
            return UnsafeRawBufferPointer(rebasing: bytes[used..<end])
        }
        while used < bytes.count {
            if current == nil {
                header.append(contentsOf: next(FrameHeader.length - header.count))
                guard header.count == FrameHeader.length else { return }
                try begin()
            }
            let part = next(missing)
            grow(by: part.count)
            body.append(contentsOf: part)
            missing -= part.count
            if missing == 0 { complete(into: &frames) }
        }
    }

    /// The stream has ended, which is only right between frames.
    public func finish() throws(ChannelViolation) {
        if isMidFrame { throw .truncated }
    }

    private mutating func begin() throws(ChannelViolation) {
        // Twelve bytes always make a header.
        guard let parsed = try? FrameHeader(header) else { throw .truncated }
        current = try direction.admit(parsed)
        missing = Int(parsed.bodyLength)
    }

    private mutating func grow(by count: Int) {
        let needed = body.count + count
        guard needed > body.capacity else { return }
        body.reserveCapacity(min(body.count + missing, max(needed, 4 * body.count)))
    }

    private mutating func complete(into frames: inout [Frame]) {
        guard let kind = current else { return }
        frames.append(Frame(kind: kind, body: body))
        header.removeAll(keepingCapacity: true)
        current = nil
        body = []
    }
}

/// Turns messages of one direction of a channel into bytes.
public struct FrameEncoder: Sendable {
    private var direction: Direction

    /// An encoder for what `sender` sends on `edge`.
    public init(edge: Edge, sender: Side) {
        direction = Direction(edge: edge, sender: sender)
    }

    /// The header to send before the frame's body.
    ///
    /// - Precondition: the message may be sent now and is within its limit.
    public mutating func header(for frame: Frame) -> [UInt8] {
        let header = FrameHeader(
            bodyLength: UInt32(frame.body.count), kind: frame.kind.rawValue,
            sequence: direction.sequence)
        do throws(ChannelViolation) {
            _ = try direction.admit(header)
        } catch {
            preconditionFailure("a message of ours breaks the rules: \(error)")
        }
        return header.bytes
    }

    /// Whether the message may be sent now.
    public func allows(_ kind: MessageKind) -> Bool { direction.phase == kind.row.phase }
}
