public import Bitcoin
public import Chain
public import Watch

/// One thing to write. Changes come in lists, and a list is written whole or not at all.
///
/// Each is idempotent: written twice, in the order in which they came, it leaves what it leaves
/// written once. Heights count from the genesis block, 0, which is never written.
public enum StoreChange: Hashable, Sendable {
    /// The headers from a height on, in place of what stood there.
    case appendHeaders(from: Int, [BlockHeader])
    /// Headers above a height left the chain: they go, and with them the filter headers, the kept
    /// filters and the wallets' transactions above it.
    case rollBack(above: Int)
    /// The filter headers from a height on, in place of what stood there.
    case appendFilterHeaders(from: Int, [FilterHeader])
    /// Filter headers above a height are not believed any more: they go, and with them the kept
    /// filters above it. Headers and transactions stay.
    case rewindFilters(above: Int)
    /// The filters of consecutive blocks from a height on, whose hashes were checked.
    case keepFilters(from: Int, [[UInt8]])
    /// Kept filters of these heights go, as far as there are any.
    case dropFilters(ClosedRange<Int>)
    /// A wallet, in place of one with the same id.
    case putWallet(StoredWallet)
    /// A wallet and everything about it goes.
    case removeWallet(WalletID)
    /// The name of a wallet.
    case setName(WalletID, String)
    /// How far a wallet is searched for.
    case setProgress(WalletID, ScanProgress)
    /// The highest index of a branch, by its place in `WatchedWallet.branches`, that was given out.
    case setIssued(WalletID, branch: Int, index: UInt32)
    /// The highest index that a branch of a wallet gave out that is watched no more, by its
    /// `WatchedBranch.lastScript`.
    case setGiven(Script, UInt32)
    /// A confirmed transaction of a wallet, known by its height and position.
    case addTransaction(WalletID, WatchedTransaction)
    /// What is kept of peers.
    case peers(PeerChange)
    /// What is kept of transactions that are sent.
    case broadcast(BroadcastChange)

    /// Whether kept filters go.
    public var dropsFilters: Bool {
        switch self {
        case .dropFilters, .rollBack, .rewindFilters: true
        default: false
        }
    }
}

/// Why a list of changes was not written. Nothing of it was.
public struct StoreFault: Error, Hashable, Sendable {
    /// What kind of fault it is.
    public enum Kind: Hashable, Sendable {
        /// No space is left, or no more is allowed.
        case noSpace
        /// The disk reports an error.
        case device
        /// What is on the disk is not what was written.
        case damaged
    }

    /// What kind of fault it is.
    public let kind: Kind
    /// What, where, why and what to do, for a person.
    public let sentence: String

    /// A fault by its parts.
    public init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}
