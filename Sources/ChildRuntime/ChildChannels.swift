public import LinuxIO
public import Messages

/// What a child hears on the two channels that the keeper started it with.
public enum ChildNews<Heard: MessageSet> {
    /// The keeper said something.
    case order(ControlOrder)
    /// The keeper is gone, or broke a rule.
    case keeperGone(String)
    /// The other child said something.
    case link(Heard)
    /// The link is gone.
    case linkEnded(LinkLoss, String)
}

/// The control channel and the link of a child. Both are served here; what comes of it is told, in its
/// order, to whoever calls.
public final class ChildChannels<Heard: MessageSet, Said: MessageSet> {
    /// The channel to the keeper.
    public typealias Control = FrameChannel<ControlOrder, ControlReport>
    /// The channel to the other child.
    public typealias Link = FrameChannel<Heard, Said>
    /// News of these channels.
    public typealias News = ChildNews<Heard>

    /// Where the channels are in a poll set.
    public struct Places {
        let control: Int
        let link: Int?
    }

    private let control: Control
    private var link: Link?
    /// The descriptor that came with the order to take a new link.
    private var nextLink: PassedDescriptor?
    private let linkLimits: Link.Limits
    private let greeting: Said?
    private var buffer = ReadBuffer()

    /// Takes over both channels; this value is the only owner of the link, or the other side would not
    /// see it close.
    ///
    /// - Parameter greeting: What shows a peer of another build that it is one; nil where it was said.
    public init(
        control: Control, link: consuming FileDescriptor, linkLimits: Link.Limits,
        greeting: Said? = nil
    ) throws(Errno) {
        self.control = control
        self.link = try Link(link, limits: linkLimits)
        self.linkLimits = linkLimits
        self.greeting = greeting
    }

    // MARK: Waiting

    /// Adds what is to be waited for; a link that is paused is not read.
    public func add(to set: inout PollSet, linkIsPaused: Bool = false) -> Places {
        Places(
            control: set.add(control.number, control.interest()),
            link: link.map { set.add($0.number, $0.interest(paused: linkIsPaused)) })
    }

    /// When `passTime` has to come at the latest.
    public var deadline: Duration? { [control.deadline, link?.deadline].compactMap { $0 }.min() }

    /// Ends what let a deadline pass.
    public func passTime(_ now: Duration, _ hear: (News) -> Void) {
        if let end = control.overdue(at: now) { hear(.keeperGone("\(end)")) }
        if let end = link?.overdue(at: now) { endLink(end, hear) }
    }

    // MARK: Keeper

    /// Writes and reads what the kernel lets.
    public func serveControl(_ set: PollSet, _ places: Places, _ hear: (News) -> Void) {
        let now = Kernel.timeSinceBoot()
        if set.canWrite(at: places.control) {
            tellKeeper(hear) { () throws(ChannelEnd) in try control.flush(at: now) }
        }
        guard set.canRead(at: places.control) else { return }
        var receipt = control.receive(at: now, through: &buffer)
        if let passed = PassedDescriptor(receipt.descriptor.take()) { nextLink = passed }
        for order in receipt.messages { hear(.order(order)) }
        if let end = receipt.end { hear(.keeperGone("\(end)")) }
    }

    /// Tells the keeper.
    public func report(_ report: ControlReport, _ hear: (News) -> Void) {
        tellKeeper(hear) { () throws(ChannelEnd) in
            try control.send(report, at: Kernel.timeSinceBoot())
        }
    }

    private func tellKeeper(_ hear: (News) -> Void, _ body: () throws(ChannelEnd) -> Void) {
        do throws(ChannelEnd) { try body() } catch { hear(.keeperGone("\(error)")) }
    }

    // MARK: The other child

    /// Writes and reads what the kernel lets.
    public func serveLink(_ set: PollSet, _ places: Places, _ hear: (News) -> Void) {
        // One that came since the wait is tried in vain, which does no harm.
        guard let place = places.link, let link else { return }
        let now = Kernel.timeSinceBoot()
        if set.canWrite(at: place) {
            do throws(ChannelEnd) { try link.flush(at: now) } catch { endLink(error, hear) }
        }
        guard self.link === link, set.canRead(at: place) else { return }
        let receipt = link.receive(at: now, through: &buffer)
        for message in receipt.messages { hear(.link(message)) }
        if let end = receipt.end { endLink(end, hear) }
    }

    /// Tells the other child, if there is a link.
    public func tell(_ message: Said, _ hear: (News) -> Void) {
        guard let link else { return }
        do throws(ChannelEnd) {
            try link.send(message, at: Kernel.timeSinceBoot())
        } catch {
            endLink(error, hear)
        }
    }

    /// Puts the descriptor that came with the order in place of the link.
    public func adoptLink(_ hear: (News) -> Void) {
        guard let socket = nextLink?.take() else { return }
        do throws(Errno) {
            link = try Link(socket, limits: linkLimits)
        } catch {
            hear(.linkEnded(.failed, "\(error)"))
        }
    }

    private func endLink(_ end: ChannelEnd, _ hear: (News) -> Void) {
        guard let ended = link else { return }
        if case .violation(.differentBuild) = end, let greeting, ended.allows(greeting) {
            try? ended.send(greeting, at: Kernel.timeSinceBoot())
        }
        link = nil
        hear(.linkEnded(end.loss, "\(end)"))
    }
}
