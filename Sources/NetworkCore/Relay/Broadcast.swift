public import Bitcoin
public import PeerMessages
import Wire

/// Gives our own transactions to the network and finds out whether it has them.
///
/// A transaction is announced to peers, never pushed; one peer is left out to listen, since only one
/// that did not get the transaction from us can show that it spread. It is announced again, ever more
/// seldom, until a block has it, and kept for a while longer in case the block is undone.
public struct Broadcast: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Send a message.
        case send(PeerID, PeerMessage)
        /// Keep this, before anything else of the list is done.
        case store(BroadcastChange)
        /// A peer that had not got it from us announced the transaction. Said once.
        case echoed(Txid, by: PeerID)
        /// Every peer wants a higher feerate, at least this one. Said once for each rate.
        case belowFloor(Txid, lowest: Int64)
        /// The peer took the transaction, and nobody has shown it since: another one may be better.
        case replace(PeerID)
    }

    /// A peer, as far as it matters here.
    struct Listener: Hashable, Sendable {
        let endpoint: PeerEndpoint
        let isManual: Bool
        let usesWtxid: Bool
        var feeFilter: Int64?
    }

    struct Entry: Sendable {
        var record: BroadcastRecord
        let txid: Txid
        let wtxid: Wtxid
        let parents: Set<Txid>
        var rounds = 0
        var nextRound: Duration
        /// To whom it was announced, and when; not those that answered or let it pass.
        var announced: [PeerID: Duration] = [:]
        /// Who knows of it from us.
        var told: Set<PeerID> = []
        /// Who took it.
        var served: Set<PeerID> = []
        /// How often a peer let an announcement pass.
        var ignored: [PeerEndpoint: Int] = [:]
        var floor: Int64?

        var isPending: Bool { record.confirmed == nil }
    }

    /// The most virtual bytes that nodes pass on.
    public static let largest = 100_000
    /// Transactions at a time.
    public static let most = 1000
    /// How long a peer may take to ask for what was announced.
    public static let answerTimeout = Duration.seconds(120)
    /// Announcements that a peer may let pass before it is spared.
    public static let mostIgnored = 3
    /// Blocks after which a transaction is not kept any more.
    public static let keptBlocks = 100
    /// Peers that a transaction is given to, so that none is taken for a witness later.
    static let mostTakers = 4096
    /// Rounds without an echo after which peers that took the transaction are replaced.
    static let patientRounds = 3

    var entries: [Txid: Entry] = [:]
    var txids: [Wtxid: Txid] = [:]
    var listeners: [PeerID: Listener] = [:]
    /// Why what was kept cannot be read, if so.
    public let damage: String?

    /// What was kept is announced again as soon as peers come.
    ///
    /// - Parameter damage: why what was kept cannot be read; then nothing is taken or announced.
    public init(_ kept: [BroadcastRecord] = [], damage: String? = nil, at now: Duration) {
        self.damage = damage
        guard damage == nil else { return }
        for record in kept.prefix(Broadcast.most) { insert(record, at: now) }
    }

    private mutating func insert(_ record: BroadcastRecord, at now: Duration) {
        let transaction = record.transaction
        let (txid, wtxid) = (transaction.txid, transaction.wtxid)
        entries[txid] = Entry(
            record: record, txid: txid, wtxid: wtxid,
            parents: Set(transaction.inputs.map(\.outpoint.txid)), nextRound: now)
        txids[wtxid] = txid
    }

    // MARK: What it looks like

    /// The transactions, the oldest first.
    public var records: [BroadcastRecord] {
        entries.values.sorted { ($0.record.since, $0.txid) < ($1.record.since, $1.txid) }
            .map(\.record)
    }

    /// The least feerate whose announcements must reach us so that an echo does; nil if none is
    /// awaited.
    public var listensAbove: Int64? {
        entries.values.filter { $0.isPending && $0.record.echoed == nil }
            // A little less, since nodes reckon the rate of the transaction themselves.
            .map { entry in entry.record.feeRate.map { max(0, $0 - $0 / 10) } ?? 0 }.min()
    }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        guard !listeners.isEmpty else { return nil }
        return entries.values.filter(\.isPending).flatMap { entry in
            entry.announced.values.map { $0 + Broadcast.answerTimeout } + [entry.nextRound]
        }.min()
    }

    // MARK: What a person asks for

    /// Takes a transaction. One that is known is announced anew.
    public mutating func add(
        _ transaction: Transaction, feeRate: Int64?, clock: Int64, at now: Duration
    ) throws(BroadcastRefusal) -> [Action] {
        if let damage { throw .stopped(damage) }
        guard !transaction.inputs.isEmpty, !transaction.outputs.isEmpty, !transaction.isCoinbase
        else { throw .notASend }
        guard transaction.vsize <= Broadcast.largest else {
            throw .tooLarge(vsize: transaction.vsize)
        }
        let txid = transaction.txid
        if entries[txid] != nil {
            entries[txid]?.rounds = 0
            entries[txid]?.nextRound = now
            return time(at: now)
        }
        guard entries.count < Broadcast.most else { throw .full(entries.count) }
        let record = BroadcastRecord(transaction, feeRate: feeRate, since: clock)
        insert(record, at: now)
        return [.store(.kept(record))] + time(at: now)
    }

    /// Announces a transaction no more. What peers have, they have.
    public mutating func cancel(_ txid: Txid) -> [Action] {
        guard let entry = entries.removeValue(forKey: txid) else { return [] }
        txids[entry.wtxid] = nil
        return [.store(.removed(txid))]
    }

    // MARK: The chain

    /// Blocks up to a height were searched; these of our transactions they have, by height.
    public mutating func confirmed(_ found: [Txid: Int], tip: Int) -> [Action] {
        var actions: [Action] = []
        for (txid, height) in found.sorted(by: { $0.key < $1.key }) {
            guard var entry = entries[txid], entry.record.confirmed != height else { continue }
            entry.record.confirmed = height
            entry.announced = [:]
            entries[txid] = entry
            actions.append(.store(.kept(entry.record)))
        }
        for (txid, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let height = entry.record.confirmed, tip - height >= Broadcast.keptBlocks else {
                continue
            }
            actions += cancel(txid)
        }
        return actions
    }

    /// Blocks above a height left the chain: what they had is announced again.
    public mutating func rolledBack(above height: Int, at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (txid, var entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let confirmed = entry.record.confirmed, confirmed > height else { continue }
            entry.record.confirmed = nil
            entry.rounds = 0
            entry.nextRound = now
            entry.told = []
            entry.served = []
            entries[txid] = entry
            actions.append(.store(.kept(entry.record)))
        }
        return actions + time(at: now)
    }
}
