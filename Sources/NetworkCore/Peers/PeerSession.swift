import Bitcoin
public import PeerMessages
import Wire

/// One connection to a peer, from its opening to its end: introduction, signs of life, which answers
/// belong to which questions, and how much may come.
public struct PeerSession: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Send a message.
        case send(PeerMessage)
        /// The peer has introduced itself and serves what is needed.
        case ready
        /// A message to act on; `asked` if it answers a question that was open.
        case deliver(PeerMessage, asked: Bool)
        /// Close the connection. Nothing comes after this.
        case end(PeerFault)
    }

    /// Times that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// How long the introduction may take.
        public var handshake = Duration.seconds(30)
        /// The same through a gateway.
        public var handshakeThroughGateway = Duration.seconds(60)
        /// How often a sign of life is asked for.
        public var pingInterval = Duration.seconds(60)
        /// How long nothing at all may come.
        public var idle = Duration.seconds(150)
        /// How long an open question may go without an answer or `progressBytes`.
        public var progress = Duration.seconds(120)
        /// Bytes that count as progress.
        public var progressBytes = 32 << 10

        /// The limits of the product.
        public init() {}
    }

    /// What this client says of itself. It is the same for everybody.
    public struct Introduction: Hashable, Sendable {
        /// A number by which a connection to itself is found, new for each connection.
        public let nonce: UInt64
        /// Numbers of the connections that are open.
        public let ownNonces: Set<UInt64>

        /// An introduction from its parts.
        public init(nonce: UInt64, ownNonces: Set<UInt64>) {
            self.nonce = nonce
            self.ownNonces = ownNonces.union([nonce])
        }
    }

    enum Phase: Hashable {
        case awaitingVersion
        case awaitingVerack
        case ready
        case ended
    }

    /// Services that a peer needs: all blocks, with witnesses, and their filters.
    public static let neededServices: PeerServices = [.network, .witness, .compactFilters]
    /// The oldest version of the protocol that is spoken with: the first with `feefilter` (BIP133).
    public static let oldestVersion: Int32 = 70_013
    /// The first version with `wtxidrelay` (BIP339).
    static let wtxidVersion: Int32 = 70_016
    /// The name that is told, the same for every release, so that it tells nothing more.
    static let userAgent = Array("/bulkhead:1/".utf8)

    let limits: Limits
    private let introduction: Introduction
    private let handshakeDeadline: Duration
    var phase = Phase.awaitingVersion
    /// The peer's introduction.
    public internal(set) var version: VersionMessage?
    /// Whether transactions are announced by wtxid in both directions.
    public internal(set) var usesWtxid = false
    /// Satoshis for 1,000 virtual bytes below which transactions need not be announced to it.
    public internal(set) var feeFilter: Int64?
    /// How long the last sign of life took.
    public internal(set) var roundTrip: Duration?

    var awaited = AwaitedReplies()
    var quotas = PeerQuotas()
    private var ping: (nonce: UInt64, at: Duration)?
    private var nextPing: Duration
    private var lastByte: Duration
    /// Since when an open question has had neither an answer nor enough bytes.
    private var progress: (since: Duration, bytes: Int)?

    /// A connection that was opened just now.
    public init(
        _ introduction: Introduction, throughGateway: Bool, limits: Limits = Limits(),
        at now: Duration
    ) {
        self.introduction = introduction
        self.limits = limits
        handshakeDeadline =
            now + (throughGateway ? limits.handshakeThroughGateway : limits.handshake)
        nextPing = now + limits.pingInterval
        lastByte = now
    }

    /// Whether the peer can be asked.
    public var isReady: Bool { phase == .ready }

    /// The first message.
    ///
    /// - Parameters:
    ///   - height: the height of our chain.
    ///   - clock: seconds since 1970.
    public func opening(height: Int, clock: Int64) -> [Action] {
        let version = VersionMessage(
            services: [], time: clock, nonce: introduction.nonce,
            userAgent: PeerSession.userAgent, startHeight: Int32(clamping: height), relay: true)
        return [.send(.version(version))]
    }

    // MARK: Events

    /// Bytes came, some of them of messages that were skipped unread.
    public mutating func received(
        bytes: Int, skipped: Int = 0, at now: Duration
    ) -> [Action] {
        guard bytes > 0 else { return [] }
        lastByte = now
        progress?.bytes += bytes
        guard quotas.takeUseless(skipped, at: now) else { return end(.misconduct(.uselessBytes)) }
        return []
    }

    /// Headers that came unasked led on: they do not count as a flood. A node that catches up announces
    /// every block, hundreds in a second where blocks are small.
    public mutating func headersLedOn() { quotas.forgive(.headers) }

    /// Sends a message and, if it is a question, waits for its answer.
    ///
    /// - Parameter replies: how many messages answer it: the number of filters of a `getcfilters`.
    public mutating func send(
        _ message: PeerMessage, replies: Int = 1, at now: Duration
    ) -> [Action] {
        guard isReady else { return [] }
        awaited.ask(message, replies: replies)
        if progress == nil, !awaited.isEmpty { progress = (now, 0) }
        return [.send(message)]
    }

    /// Time has passed.
    public mutating func time(random: UInt64, at now: Duration) -> [Action] {
        guard phase != .ended else { return [] }
        guard isReady else {
            return handshakeDeadline <= now ? end(.transport(.handshakeTimedOut)) : []
        }
        if lastByte + limits.idle <= now { return end(.transport(.idle)) }
        if let progress, progress.since + limits.progress <= now {
            guard progress.bytes >= limits.progressBytes else {
                return end(.transport(.stalled))
            }
            self.progress = (now, 0)
        }
        guard nextPing <= now else { return [] }
        nextPing = now + limits.pingInterval
        ping = (random, now)
        return [.send(.ping(nonce: random))]
    }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        switch phase {
        case .ended: nil
        case .awaitingVersion, .awaitingVerack: handshakeDeadline
        case .ready:
            [nextPing, lastByte + limits.idle, progress.map { $0.since + limits.progress }]
                .compactMap { $0 }.min()
        }
    }

    /// A message came.
    public mutating func received(_ message: PeerMessage, at now: Duration) -> [Action] {
        guard phase != .ended else { return [] }
        if isReady, let answer = awaited.answer(message) {
            progress = awaited.isEmpty ? nil : (now, 0)
            return [.deliver(answer, asked: true)]
        }
        guard quotas.take(message, at: now) else {
            return end(.misconduct(.flood(message.kind)))
        }
        return isReady ? receivedUnasked(message, at: now) : receivedInHandshake(message, at: now)
    }

    mutating func end(_ fault: PeerFault) -> [Action] {
        guard phase != .ended else { return [] }
        phase = .ended
        return [.end(fault)]
    }
}

// MARK: - Messages

extension PeerSession {
    private mutating func receivedInHandshake(
        _ message: PeerMessage, at now: Duration
    ) -> [Action] {
        switch (phase, message) {
        case (.awaitingVersion, .version(let version)): return introduce(version)
        case (.awaitingVerack, .version): return end(.misconduct(.handshake))
        case (.awaitingVerack, .wtxidrelay):
            usesWtxid = version.map { $0.version >= PeerSession.wtxidVersion } ?? false
            return []
        case (.awaitingVerack, .verack):
            phase = .ready
            return [.send(.sendheaders), .ready]
        case (.awaitingVerack, .ping(let nonce)): return [.send(.pong(nonce: nonce))]
        default: return []
        }
    }

    private mutating func introduce(_ version: VersionMessage) -> [Action] {
        self.version = version
        guard !introduction.ownNonces.contains(version.nonce) else {
            return end(.unsuitable(.isSelf))
        }
        guard version.version >= PeerSession.oldestVersion else {
            return end(.unsuitable(.version(version.version)))
        }
        let missing = PeerSession.neededServices.subtracting(version.services)
        guard missing.isEmpty else { return end(.unsuitable(.services(missing: missing))) }
        phase = .awaitingVerack
        var messages: [PeerMessage] = [.sendaddrv2, .verack]
        if version.version >= PeerSession.wtxidVersion { messages.insert(.wtxidrelay, at: 0) }
        return messages.map { .send($0) }
    }

    private mutating func receivedUnasked(_ message: PeerMessage, at now: Duration) -> [Action] {
        switch message {
        case .ping(let nonce): return [.send(.pong(nonce: nonce))]
        case .pong(let nonce):
            if let ping, ping.nonce == nonce {
                roundTrip = now - ping.at
                self.ping = nil
            }
            return []
        case .feefilter(let rate):
            feeFilter = rate
            return [.deliver(message, asked: false)]
        case .headers, .inv: return [.deliver(message, asked: false)]
        case .getdata(let items):
            // Nobody needs more of us than the few transactions that we announced.
            var seen: Set<InventoryItem> = []
            var wanted: [InventoryItem] = []
            for item in items where wanted.count < AwaitedReplies.mostItems {
                if seen.insert(item).inserted { wanted.append(item) }
            }
            return [.deliver(.getdata(wanted), asked: false)]
        // Late answers, and what a client has no use for.
        case .version, .verack, .wtxidrelay, .sendaddrv2, .sendheaders, .getaddr, .addr, .addrv2,
            .getheaders, .notfound, .tx, .block, .getcfilters, .cfilter, .getcfheaders, .cfheaders,
            .getcfcheckpt, .cfcheckpt:
            return []
        }
    }
}
