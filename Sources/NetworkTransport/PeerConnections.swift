public import LinuxIO
public import NetworkCore
import PeerEncryption
public import PeerMessages

/// The connections to peers of one process, all served by its one loop.
///
/// What a connection may hold is bounded: one message that was asked for, and what waits to be read
/// by the peer. Each ready connection gets one read in a turn of the loop, so that none starves another.
public final class PeerConnections {
    /// What is put up with.
    public struct Limits: Hashable, Sendable {
        /// Connections and attempts at once.
        public var connections = 64
        /// Bytes that may wait to be read by a peer before one more message.
        public var waitingBytes = 1 << 20
        /// How long a peer may send nothing at all.
        public var silence = Duration.seconds(150)
        /// How long a peer may read nothing although something waits.
        public var patience = Duration.seconds(60)

        /// The limits of the product.
        public init() {}
    }

    /// The gateways that there are, by what they lead to.
    public var gateways: [DialRoute.Overlay: IPEndpoint] = [:]

    private let messageStart: [UInt8]
    private let limits: Limits
    private var attempts: [DialID: PeerConnection] = [:]
    private var open: [PeerID: PeerConnection] = [:]
    private var lastPeer: UInt64 = 0
    private var places: [(Key, place: Int)] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 64 << 10, alignment: 16)

    private enum Key {
        case attempt(DialID)
        case open(PeerID)
    }

    /// No connections yet.
    ///
    /// - Parameter messageStart: the four bytes of the network.
    public init(messageStart: [UInt8], limits: Limits = Limits()) {
        self.messageStart = messageStart
        self.limits = limits
    }

    deinit { buffer.deallocate() }

    /// What the libraries below open once in a process; called before it is confined.
    public static func warmUp() { EncryptedConnection.warmUp() }

    /// Connections and attempts that there are.
    public var count: Int { attempts.count + open.count }

    /// Bytes that are held: of messages under way, and of what waits to be read by peers.
    public var heldBytes: Int {
        attempts.values.reduce(0) { $0 + $1.heldBytes }
            + open.values.reduce(0) { $0 + $1.heldBytes }
    }

    // MARK: Orders

    /// Begins to reach a peer at an address; `dialled` says later how it went.
    ///
    /// - Parameter isEncrypted: whether the encrypted transport (BIP324) is tried before the plain one.
    public func dial(
        _ id: DialID, _ host: PeerHost, port: UInt16, by route: DialRoute, isEncrypted: Bool = true,
        timeout: Duration, tell: (LightClientEvent) -> Void
    ) {
        begin(id, isEncrypted, timeout: timeout, tell) { () throws(DialFailure) in
            guard case .direct = route else {
                return try gatewayPlan(route, host: "\(host)", port: port)
            }
            guard let endpoint = IPEndpoint(host, port: port) else { throw .needsGateway }
            return .direct(endpoint)
        }
    }

    /// The same for a name, which is the gateway's to find.
    public func dial(
        _ id: DialID, name: String, port: UInt16, by route: DialRoute, isEncrypted: Bool = true,
        timeout: Duration, tell: (LightClientEvent) -> Void
    ) {
        begin(id, isEncrypted, timeout: timeout, tell) { () throws(DialFailure) in
            guard case .gateway = route else { throw .noAddress }
            return try gatewayPlan(route, host: name, port: port)
        }
    }

    private func gatewayPlan(
        _ route: DialRoute, host: String, port: UInt16
    ) throws(DialFailure) -> DialPlan {
        guard case .gateway(let overlay) = route else { throw .needsGateway }
        guard let gateway = gateways[overlay] else { throw .noGateway(overlay) }
        return .gateway(gateway, host: host, port: port, nil)
    }

    private func begin(
        _ id: DialID, _ isEncrypted: Bool, timeout: Duration,
        _ tell: (LightClientEvent) -> Void,
        _ plan: () throws(DialFailure) -> DialPlan
    ) {
        do throws(DialFailure) {
            guard count < limits.connections else { throw .full }
            let now = Kernel.timeSinceBoot()
            attempts[id] = try PeerConnection(
                plan(), messageStart: messageStart, isEncrypted: isEncrypted, limits: limits,
                deadline: now + timeout, at: now)
        } catch {
            tell(.dialled(id, .failure(error)))
        }
    }

    /// Gives up an attempt, of which nothing more is heard.
    public func cancel(_ id: DialID) { attempts[id] = nil }

    /// Sends a message; a connection that is gone takes none.
    public func send(_ message: PeerMessage, to id: PeerID, tell: (LightClientEvent) -> Void) {
        guard let connection = open[id] else { return }
        report(connection.send(message, at: Kernel.timeSinceBoot()), of: id, tell)
    }

    /// Ends a connection, of which nothing more is heard.
    public func close(_ id: PeerID) { open[id] = nil }

    /// Ends all connections and attempts, of which nothing more is heard.
    public func closeAll() {
        attempts = [:]
        open = [:]
    }

    // MARK: The loop

    /// Adds what is to be waited for; while it is paused, nothing.
    public func add(to set: inout PollSet, isPaused: Bool = false) {
        places = []
        guard !isPaused else { return }
        places = attempts.map { id, connection in
            (.attempt(id), set.add(connection.number, connection.interest))
        }
        places += open.map { id, connection in
            (.open(id), set.add(connection.number, connection.interest))
        }
    }

    /// When `passTime` has to come at the latest.
    public var deadline: Duration? {
        [attempts.values.map(\.deadline).min(), open.values.map(\.deadline).min()]
            .compactMap { $0 }.min()
    }

    /// Reads and writes what the kernel lets. Pass the set that `add` was given last.
    public func serve(_ set: PollSet, tell: (LightClientEvent) -> Void) {
        for (key, place) in places where set.isReady(at: place) {
            guard let connection = connection(key) else { continue }
            let readiness = PeerConnection.Readiness(
                canRead: set.canRead(at: place), canWrite: set.canWrite(at: place))
            let news = connection.serve(readiness, through: buffer, at: Kernel.timeSinceBoot())
            report(news, of: key, tell)
        }
    }

    /// Ends what let a deadline pass.
    public func passTime(tell: (LightClientEvent) -> Void) {
        let now = Kernel.timeSinceBoot()
        for (id, connection) in attempts where connection.deadline <= now {
            report(connection.passTime(now), of: .attempt(id), tell)
        }
        for (id, connection) in open where connection.deadline <= now {
            report(connection.passTime(now), of: id, tell)
        }
    }

    private func connection(_ key: Key) -> PeerConnection? {
        switch key {
        case .attempt(let id): attempts[id]
        case .open(let id): open[id]
        }
    }

    private func report(
        _ news: [PeerConnection.News], of key: Key, _ tell: (LightClientEvent) -> Void
    ) {
        guard case .attempt(let id) = key else {
            if case .open(let id) = key { report(news, of: id, tell) }
            return
        }
        guard let first = news.first else { return }
        // Told of one message, the client may have closed the connection: the rest is nobody's.
        let connection = attempts.removeValue(forKey: id)
        switch first {
        case .opened(let transport):
            lastPeer += 1
            let peer = PeerID(lastPeer)
            open[peer] = connection
            tell(.dialled(id, .success(.init(id: peer, transport: transport))))
            report(Array(news.dropFirst()), of: peer, tell)
        case .failed(let failure): tell(.dialled(id, .failure(failure)))
        case .traffic, .message, .closed:
            preconditionFailure("before it is open a connection says neither")
        }
    }

    private func report(
        _ news: [PeerConnection.News], of id: PeerID, _ tell: (LightClientEvent) -> Void
    ) {
        for item in news {
            guard open[id] != nil else { return }
            switch item {
            case .traffic(let bytes, let skipped):
                tell(.traffic(id, bytes: bytes, skipped: skipped))
            case .message(let message): tell(.message(id, message))
            case .closed(let reason):
                open[id] = nil
                tell(.closed(id, reason))
            case .opened, .failed: preconditionFailure("an open connection says neither")
            }
        }
    }
}
