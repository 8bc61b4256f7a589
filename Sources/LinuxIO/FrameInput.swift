public import Messages

/// Why a channel is over.
public enum ChannelEnd: Error, Hashable, Sendable {
    /// The other end closed it between two frames.
    case closed
    /// The other end broke a rule.
    case violation(ChannelViolation)
    /// The kernel reported an error.
    case failed(Errno)
}

extension ChannelEnd: CustomStringConvertible {
    /// One sentence about the other end.
    public var description: String {
        switch self {
        case .closed: "it closed the channel"
        case .violation(let violation): "\(violation)"
        case .failed(let error): "the channel failed: \(error)"
        }
    }
}

extension ChannelEnd {
    /// How the keeper is told that it was a link's.
    public var loss: LinkLoss {
        switch self {
        case .closed: .closed
        case .violation: .violation
        case .failed: .failed
        }
    }
}

/// Where bytes lie between the kernel and the channels of one loop.
public struct ReadBuffer: ~Copyable {
    /// The most that one read takes.
    public static let size = 64 << 10
    /// The most that one read takes where small frames may follow: some hundreds of the smallest, so
    /// that a flood of them keeps the loop from its other channels for a moment only.
    public static let sizeBetweenFrames = 4 << 10
    var bytes = [UInt8](repeating: 0, count: size)

    /// A buffer for one loop.
    public init() {}
}

/// What one read brought.
public struct Receipt<Incoming: MessageSet>: ~Copyable {
    /// The messages that it completed, in order.
    public var messages: [Incoming] = []
    /// The descriptor of the one among them that carries one.
    public var descriptor: FileDescriptor?
    /// Set when nothing will follow; the messages before it count.
    public var end: ChannelEnd?
}

/// The reading direction of a channel.
///
/// Descriptors are received only if a message of the set carries one; otherwise the reading is a
/// plain `read`, and the kernel drops whatever was attached.
public struct FrameInput<Incoming: MessageSet>: ~Copyable {
    private var decoder = FrameDecoder(edge: Incoming.edge, sender: Incoming.sender)
    private var frames: [Frame] = []
    private var held: FileDescriptor?
    private var started: Duration?
    private let takesDescriptors = MessageKind.allCases.contains {
        $0.edge == Incoming.edge && $0.row.sender == Incoming.sender
            && $0.row.attachment != .nothing
    }

    private var hasSpoken: Bool

    /// Nothing read yet.
    ///
    /// - Parameter opened: When a stranger's channel was opened: its first frame counts as started
    ///   then, so that nobody holds a place by saying nothing. Nil for a channel of ours.
    public init(opened: Duration? = nil) {
        started = opened
        hasSpoken = opened == nil
    }

    /// When the frame that is under way was started.
    public var frameStarted: Duration? { started }

    /// Bytes of memory that the frame under way takes.
    public var heldBytes: Int { decoder.heldBytes }

    /// Reads once.
    public mutating func receive(
        from descriptor: Int32, at now: Duration, through buffer: inout ReadBuffer
    ) -> Receipt<Incoming> {
        var receipt = Receipt<Incoming>()
        do throws(ChannelEnd) {
            try read(descriptor, through: &buffer)
        } catch {
            receipt.end = error
        }
        do throws(ChannelViolation) {
            try decode(into: &receipt)
        } catch {
            receipt.end = .violation(error)
        }
        if !receipt.messages.isEmpty { hasSpoken = true }
        if !hasSpoken { return receipt }
        if !decoder.isMidFrame {
            started = nil
        } else if started == nil || !receipt.messages.isEmpty {
            started = now
        }
        return receipt
    }

    private mutating func read(
        _ descriptor: Int32, through buffer: inout ReadBuffer
    ) throws(ChannelEnd) {
        let size = min(
            ReadBuffer.size, max(ReadBuffer.sizeBetweenFrames, decoder.missingBytes))
        try buffer.bytes.withMutableBytes { all throws(ChannelEnd) in
            let bytes = UnsafeMutableRawBufferPointer(rebasing: all[..<size])
            switch try transfer(descriptor, into: bytes) {
            case .wouldBlock: return
            case .ended:
                throw decoder.isMidFrame ? .violation(.truncated) : .closed
            case .moved(let count):
                do throws(ChannelViolation) {
                    try decoder.feed(
                        UnsafeRawBufferPointer(rebasing: bytes[..<count]), into: &frames)
                } catch {
                    throw .violation(error)
                }
            }
        }
    }

    private mutating func transfer(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer
    ) throws(ChannelEnd) -> Kernel.Transfer {
        var arrival = Kernel.Arrival.nothing
        let moved: Kernel.Transfer
        do throws(Errno) {
            if takesDescriptors {
                (moved, arrival) = try Kernel.receive(descriptor, into: bytes)
            } else {
                moved = try Kernel.read(descriptor, into: bytes)
            }
        } catch {
            throw .failed(error)
        }
        switch arrival {
        case .nothing: break
        case .unwelcome: throw .violation(.uninvitedDescriptor)
        case .descriptor(let number):
            let arrived = FileDescriptor(owning: number)
            guard held == nil else { throw .violation(.uninvitedDescriptor) }
            held = consume arrived
        }
        return moved
    }

    private mutating func decode(into receipt: inout Receipt<Incoming>) throws(ChannelViolation) {
        let arrived = frames
        frames.removeAll(keepingCapacity: true)
        for frame in arrived {
            let message = try Incoming(frame)
            try takeDescriptor(of: frame.kind, into: &receipt)
            receipt.messages.append(message)
        }
        // The bytes of one read end with those a descriptor was attached to, so a descriptor that
        // is left over can only belong to the frame under way.
        guard held != nil else { return }
        guard decoder.isMidFrame else { throw .uninvitedDescriptor }
        if let kind = decoder.startedKind, kind.row.attachment == .nothing {
            throw .uninvitedDescriptor
        }
    }

    private mutating func takeDescriptor(
        of kind: MessageKind, into receipt: inout Receipt<Incoming>
    ) throws(ChannelViolation) {
        let attachment = kind.row.attachment
        guard attachment != .nothing else { return }
        guard let descriptor = held.take() else { throw .wrongDescriptor(kind) }
        guard (try? attachment.fits(descriptor.number)) == true else {
            throw .wrongDescriptor(kind)
        }
        receipt.descriptor = consume descriptor
    }
}

extension Row.Attachment {
    /// Whether a descriptor that came from outside is what it is taken for. Whoever gets it reads or
    /// writes it without asking again, so its direction counts as well.
    fileprivate func fits(_ number: Int32) throws -> Bool {
        switch self {
        case .nothing: false
        case .linkEnd: try Kernel.isSocket(number)
        case .secretPipe:
            try Kernel.isPipe(number) && Kernel.isReadable(number)
        case .output: try Kernel.isPipeOrFile(number) && Kernel.isWritable(number)
        case .input: try Kernel.isPipeOrFile(number) && Kernel.isReadable(number)
        }
    }
}
