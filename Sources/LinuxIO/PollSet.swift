import Glibc

/// The descriptors that a loop waits for, collected anew for each pass.
public struct PollSet {
    /// What is waited for.
    public struct Interest: OptionSet, Sendable {
        /// The bits of `poll`.
        public let rawValue: Int16
        /// Interest by the bits of `poll`.
        public init(rawValue: Int16) { self.rawValue = rawValue }
        /// Bytes, a connection or the end of the stream.
        public static let reading = Interest(rawValue: Int16(POLLIN))
        /// Room to write.
        public static let writing = Interest(rawValue: Int16(POLLOUT))
    }

    private var entries: [pollfd] = []

    /// Nothing to wait for yet.
    public init() {}

    /// Forgets everything and keeps the memory.
    public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor and returns the place at which to ask about it.
    ///
    /// With no interest it is still reported when the other end is gone.
    @discardableResult
    public mutating func add(_ descriptor: Int32, _ interest: Interest) -> Int {
        entries.append(pollfd(fd: descriptor, events: interest.rawValue, revents: 0))
        return entries.count - 1
    }

    /// Waits until something is ready or the deadline (time since boot) has come; nil waits for ever.
    ///
    /// A signal may end the wait early with nothing ready.
    public mutating func wait(until deadline: Duration?) throws(Errno) {
        guard let deadline else { return try Kernel.poll(&entries, timeoutNanoseconds: -1) }
        let left = deadline - Kernel.timeSinceBoot()
        try Kernel.poll(&entries, timeoutNanoseconds: max(0, left.wholeNanoseconds))
    }

    /// Whether a read would not block: bytes, the end of the stream, or an error to fetch.
    public func canRead(at place: Int) -> Bool {
        has(at: place, POLLIN | POLLHUP | POLLERR | POLLNVAL)
    }

    /// Whether anything at all is to be done there.
    public func isReady(at place: Int) -> Bool { entries[place].revents != 0 }

    /// Whether the other end is gone.
    public func isEnded(at place: Int) -> Bool { has(at: place, POLLHUP | POLLERR | POLLNVAL) }

    /// Whether a write would not block: room, or an error to fetch.
    public func canWrite(at place: Int) -> Bool {
        has(at: place, POLLOUT | POLLERR | POLLNVAL)
    }

    private func has(at place: Int, _ bits: Int32) -> Bool {
        Int32(entries[place].revents) & bits != 0
    }
}

extension Duration {
    /// Nanoseconds, limited to what fits (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < 9_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
