public import Bitcoin
public import PeerMessages
import Wire

/// Transactions that no block has yet, as long as a person looks at them.
///
/// While it is open, every transaction that peers announce is fetched once and shown to the wallets;
/// asking for only some would tell peers which are ours. While it is closed nothing is asked for.
public struct UnconfirmedView: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Send a question.
        case send(PeerID, PeerMessage)
        /// A transaction of ours was seen for the first time.
        case seen(Txid)
    }

    /// A transaction of ours that no block has yet.
    public struct Sighting: Hashable, Sendable {
        /// The transaction.
        public let transaction: Transaction
        /// When a peer sent it, in seconds since 1970.
        public let seen: Int64
    }

    /// How long it stays open unless a person wants it longer.
    public static let standardTime = Duration.seconds(20 * 60)
    /// Transactions that are asked for at a time.
    public static let mostInFlight = 512
    /// Transactions that are remembered, so that each is fetched once.
    public static let mostRemembered = 10_000
    /// Transactions of ours that are shown.
    public static let mostShown = 1000
    /// How long a peer may take to send what it announced.
    public static let answerTimeout = Duration.seconds(30)

    private struct Request: Sendable {
        let peer: PeerID
        let deadline: Duration
    }

    /// Until when it is open; nil while it is closed.
    public private(set) var deadline: Duration?
    /// What was seen, by txid. It stays when peers leave and when the view is closed.
    public private(set) var sightings: [Txid: Sighting] = [:]

    private var peers: [PeerID: Bool] = [:]
    private var inFlight: [Bytes32: Request] = [:]
    private var remembered: Set<Bytes32> = []
    private var order: [Bytes32] = []
    private var oldest = 0

    /// A closed view.
    public init() {}

    /// Whether a person looks.
    public var isOpen: Bool { deadline != nil }

    /// Requests under way.
    public var inFlightCount: Int { inFlight.count }

    /// Transactions remembered.
    public var rememberedCount: Int { remembered.count }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        ([deadline].compactMap { $0 } + inFlight.values.map(\.deadline)).min()
    }

    // MARK: What a person does

    /// Opens it, or keeps it open for longer.
    public mutating func open(for time: Duration = standardTime, at now: Duration) {
        deadline = max(deadline ?? now, now + time)
    }

    /// Closes it. What was seen stays.
    public mutating func close() {
        deadline = nil
        inFlight = [:]
        remembered = []
        order = []
        oldest = 0
    }

    // MARK: Peers

    /// A peer took a seat.
    public mutating func connected(_ peer: PeerInfo) { peers[peer.id] = peer.usesWtxid }

    /// A peer is gone. What it was asked for is fetched from the next that announces it.
    public mutating func disconnected(_ id: PeerID) {
        peers[id] = nil
        for (hash, request) in inFlight where request.peer == id { forget(hash) }
    }

    /// Time has passed.
    public mutating func time(at now: Duration) {
        if let deadline, deadline <= now { close() }
        for (hash, request) in inFlight where request.deadline <= now { forget(hash) }
    }

    private mutating func forget(_ hash: Bytes32) {
        inFlight[hash] = nil
        remembered.remove(hash)
    }

    /// A peer announced transactions.
    public mutating func announced(
        _ items: [InventoryItem], by id: PeerID, at now: Duration
    ) -> [Action] {
        guard let deadline, now < deadline, let usesWtxid = peers[id] else { return [] }
        var wanted: [InventoryItem] = []
        for item in items {
            guard inFlight.count < UnconfirmedView.mostInFlight else { break }
            let isTransaction =
                usesWtxid ? item.kind == .witnessTransactionID : item.kind == .transaction
            guard isTransaction, remember(item.hash) else { continue }
            inFlight[item.hash] = Request(peer: id, deadline: now + UnconfirmedView.answerTimeout)
            wanted.append(
                InventoryItem(usesWtxid ? .witnessTransactionID : .witnessTransaction, item.hash))
        }
        return wanted.isEmpty ? [] : [.send(id, .getdata(wanted))]
    }

    /// Whether it is new. The oldest leaves when there are too many.
    private mutating func remember(_ hash: Bytes32) -> Bool {
        guard remembered.insert(hash).inserted else { return false }
        if order.count < UnconfirmedView.mostRemembered {
            order.append(hash)
        } else {
            remembered.remove(order[oldest])
            order[oldest] = hash
            oldest = (oldest + 1) % order.count
        }
        return true
    }

    /// A peer has not what it announced.
    public mutating func notFound(_ items: [InventoryItem], by id: PeerID) {
        for item in items where inFlight[item.hash]?.peer == id { forget(item.hash) }
    }

    /// A peer sent a transaction. One that it was not asked for counts for nothing.
    ///
    /// - Parameter isOurs: whether a wallet has to do with it.
    public mutating func received(
        _ transaction: Transaction, from id: PeerID, clock: Int64,
        isOurs: (Transaction) -> Bool
    ) -> [Action] {
        let (txid, wtxid) = (transaction.txid, transaction.wtxid)
        let hash = inFlight[wtxid.bytes]?.peer == id ? wtxid.bytes : txid.bytes
        guard inFlight[hash]?.peer == id else { return [] }
        inFlight[hash] = nil
        guard isOpen, sightings[txid] == nil, sightings.count < UnconfirmedView.mostShown,
            isOurs(transaction)
        else { return [] }
        sightings[txid] = Sighting(transaction: transaction, seen: clock)
        return [.seen(txid)]
    }

    // MARK: The chain

    /// Blocks have these transactions: they, and whatever spends the same coins, are unconfirmed no
    /// more.
    public mutating func confirmed(_ transactions: [Transaction]) {
        guard !sightings.isEmpty else { return }
        let spent = Set(transactions.flatMap { $0.inputs.map(\.outpoint) })
        let found = Set(transactions.map(\.txid))
        sightings = sightings.filter { txid, sighting in
            !found.contains(txid)
                && !sighting.transaction.inputs.contains { spent.contains($0.outpoint) }
        }
    }
}
