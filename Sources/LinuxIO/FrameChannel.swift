public import Messages

/// Both directions of a channel over one socket, nonblocking.
public final class FrameChannel<Incoming: MessageSet, Outgoing: MessageSet> {
    /// What a channel puts up with.
    public struct Limits: Hashable, Sendable {
        /// How long a started frame may take, and how long the other end may not read.
        public var patience: Duration
        /// Bytes that may wait to be read by the other end.
        public var waitingBytes: Int

        /// Limits by their values.
        public init(patience: Duration = .seconds(5), waitingBytes: Int = 1 << 20) {
            self.patience = patience
            self.waitingBytes = waitingBytes
        }
    }

    private let socket: FileDescriptor
    private let limits: Limits
    private var input: FrameInput<Incoming>
    private var output: FrameOutput<Outgoing>
    private var stuckSince: Duration?

    /// Takes over a socket.
    ///
    /// - Parameter opened: When a stranger opened it; the first frame must then come within the
    ///   channel's patience.
    /// - Precondition: the two sets are the two directions of one edge.
    public init(
        _ socket: consuming FileDescriptor, limits: Limits = Limits(), opened: Duration? = nil
    ) throws(Errno) {
        precondition(
            Incoming.edge == Outgoing.edge && Incoming.sender == Outgoing.sender.other)
        try socket.setNonblocking()
        self.socket = socket
        self.limits = limits
        input = FrameInput(opened: opened)
        output = FrameOutput(limit: limits.waitingBytes)
    }

    /// The number to poll.
    public var number: Int32 { socket.number }

    /// Whether something waits for room to be written.
    public var wantsToWrite: Bool { output.waitingBytes > 0 }

    /// What to poll for; while it is paused nothing is read.
    public func interest(paused: Bool = false) -> PollSet.Interest {
        var interest: PollSet.Interest = paused ? [] : .reading
        if wantsToWrite { interest.insert(.writing) }
        return interest
    }

    /// Bytes of memory that the incoming frame takes.
    public var heldBytes: Int { input.heldBytes }

    /// When `overdue` has to be asked again.
    public var deadline: Duration? {
        switch (input.frameStarted, stuckSince) {
        case (let frame?, let stuck?): min(frame, stuck) + limits.patience
        case (let since?, nil), (nil, let since?): since + limits.patience
        case (nil, nil): nil
        }
    }

    /// The end of the channel, if the other end let a deadline pass.
    public func overdue(at now: Duration) -> ChannelEnd? {
        if let started = input.frameStarted, now - started >= limits.patience {
            return .violation(.tooSlow)
        }
        if let stuckSince, now - stuckSince >= limits.patience { return .violation(.notReading) }
        return nil
    }

    /// Reads once what is there.
    public func receive(at now: Duration, through buffer: inout ReadBuffer) -> Receipt<Incoming> {
        input.receive(from: socket.number, at: now, through: &buffer)
    }

    /// Sends a message, or keeps what does not fit for `flush`.
    ///
    /// - Precondition: the message may be sent now, and carries a descriptor exactly if its row says so.
    public func send(
        _ message: Outgoing, passing descriptor: consuming FileDescriptor? = nil, at now: Duration
    ) throws(ChannelEnd) {
        try output.enqueue(message, passing: descriptor)
        try flush(at: now)
    }

    /// Whether the message may be sent in the phase that the channel is in.
    public func allows(_ message: Outgoing) -> Bool { output.allows(message) }

    /// Writes what the kernel takes now.
    public func flush(at now: Duration) throws(ChannelEnd) {
        let before = output.waitingBytes
        try output.flush(to: socket.number)
        if output.waitingBytes == 0 {
            stuckSince = nil
        } else if stuckSince == nil || output.waitingBytes < before {
            stuckSince = now
        }
    }
}
