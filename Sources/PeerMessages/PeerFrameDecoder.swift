import Wire

/// Cuts the bytes of the first transport into frames, however they arrive.
///
/// It holds at most one payload, of a kind that is wanted at the moment and within its limit, and
/// grows only as bytes come. Everything else is counted and skipped without being held: a message of
/// no use to this client, and one that nobody asked for.
public struct PeerFrameDecoder: Sendable {
    /// The kinds that are read; all others are skipped. Asked when a message starts.
    public var wanted: Set<PeerMessageKind>
    /// Bytes of messages that were skipped.
    public private(set) var skippedBytes = 0
    /// Messages that were skipped.
    public private(set) var skippedMessages = 0

    private let messageStart: [UInt8]
    private var state = State.header
    private var buffer: [UInt8] = []

    private enum State {
        case header
        case payload(PeerMessageKind, length: Int, checksum: UInt32)
        case skipping(Int)
    }

    /// Starts at the first byte of a connection.
    ///
    /// - Parameter messageStart: the four bytes of the network.
    public init(messageStart: [UInt8], wanted: Set<PeerMessageKind>) {
        self.messageStart = messageStart
        self.wanted = wanted
    }

    /// Bytes that are held until the rest of their message comes.
    public var heldBytes: Int { buffer.count }

    /// Takes bytes and appends the frames that they complete. After an error nothing more can be
    /// read; the frames before it stand.
    public mutating func feed(
        _ bytes: UnsafeRawBufferPointer, into frames: inout [PeerFrame]
    ) throws(PeerViolation) {
        var rest = bytes[...]
        // A payload of no bytes is complete before any comes.
        while !rest.isEmpty {
            switch state {
            case .header:
                take(PeerFrame.headerSize, of: &rest)
                if buffer.count == PeerFrame.headerSize { try readHeader() }
            case .payload(_, let length, _):
                take(length, of: &rest)
            case .skipping(let left):
                let count = min(left, rest.count)
                rest = rest.dropFirst(count)
                skippedBytes += count
                state = count == left ? .header : .skipping(left - count)
            }
            try completePayload(into: &frames)
        }
    }

    /// Moves bytes to the buffer until it holds `size`.
    private mutating func take(_ size: Int, of rest: inout Slice<UnsafeRawBufferPointer>) {
        let count = min(size - buffer.count, rest.count)
        buffer.append(contentsOf: rest.prefix(count))
        rest = rest.dropFirst(count)
    }

    private mutating func readHeader() throws(PeerViolation) {
        let header = buffer
        buffer.removeAll(keepingCapacity: true)
        guard header[..<4].elementsEqual(messageStart) else {
            throw .wrongNetwork(found: Array(header[..<4]))
        }
        let command = try PeerFrame.command(header[4..<16])
        func number(_ start: Int) -> UInt32 {
            header[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let length = number(16)
        let kind = PeerMessageKind(rawValue: command)
        let allowed = kind?.limit ?? PeerLimits.payload
        guard length <= UInt32(allowed) else {
            throw .tooLong(command: command, found: length, allowed: allowed)
        }
        if let kind, wanted.contains(kind) {
            state = .payload(kind, length: Int(length), checksum: number(20))
        } else {
            skippedMessages += 1
            state = length == 0 ? .header : .skipping(Int(length))
        }
    }

    private mutating func completePayload(into frames: inout [PeerFrame]) throws(PeerViolation) {
        guard case .payload(let kind, let length, let checksum) = state, buffer.count == length
        else { return }
        guard PeerFrame.checksum(buffer) == checksum else { throw .wrongChecksum(kind) }
        frames.append(PeerFrame(kind: kind, payload: buffer))
        // The frame owns the memory now; the next payload starts with none.
        buffer = []
        state = .header
    }
}
