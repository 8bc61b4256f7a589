public import Bitcoin
public import PeerMessages

/// A transaction of ours that the network shall have.
public struct BroadcastRecord: Hashable, Sendable {
    /// The transaction, signed.
    public let transaction: Transaction
    /// Satoshis for 1,000 virtual bytes, where it is known.
    public let feeRate: Int64?
    /// When it was handed in, in seconds since 1970.
    public let since: Int64
    /// When a peer that had not got it from us announced it, in seconds since 1970; nil before that.
    public var echoed: Int64?
    /// The height of the block that has it; nil while none has.
    public var confirmed: Int?
    /// Where the peers are that got it from us: none of them is a witness, in a later run either.
    public var takers: Set<PeerEndpoint>

    /// A record from its parts.
    public init(
        _ transaction: Transaction, feeRate: Int64?, since: Int64, echoed: Int64? = nil,
        confirmed: Int? = nil, takers: Set<PeerEndpoint> = []
    ) {
        self.transaction = transaction
        self.feeRate = feeRate
        self.since = since
        self.echoed = echoed
        self.confirmed = confirmed
        self.takers = takers
    }
}

/// A change of what is kept of broadcasts, for the store.
public enum BroadcastChange: Hashable, Sendable {
    /// A record is new or changed, but for its takers.
    case kept(BroadcastRecord)
    /// A peer gets a transaction from us.
    case taken(Txid, by: PeerEndpoint)
    /// A transaction is not announced any more.
    case removed(Txid)
}

/// Why a transaction is not taken.
public enum BroadcastRefusal: Error, Hashable, Sendable {
    /// What is kept of broadcasts is damaged: nothing is announced until a person has decided.
    case stopped(String)
    /// There are as many as are kept.
    case full(Int)
    /// No node would pass it on: it is too large.
    case tooLarge(vsize: Int)
    /// It has no inputs or outputs, or makes coins.
    case notASend
}

extension BroadcastRefusal: CustomStringConvertible {
    /// What is wrong and, where it helps, what to do.
    public var description: String {
        switch self {
        case .stopped(let reason):
            "transactions are not announced, because what was kept of them is damaged: \(reason)"
        case .full(let count):
            "\(count) transactions are being announced already: bulkhead broadcast withdraw "
                + "TXID ends one"
        case .tooLarge(let vsize):
            "the transaction has \(vsize) virtual bytes, nodes pass on at most "
                + "\(Broadcast.largest)"
        case .notASend: "the transaction spends nothing or pays nobody"
        }
    }
}
