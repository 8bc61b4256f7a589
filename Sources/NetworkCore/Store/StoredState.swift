public import Bitcoin
public import Chain

/// Everything that a start loads.
///
/// A store reads headers one by one into `headers`, whose rules are checked again on the way
/// (`HeaderChain.append` with a clock of `.max`), and cuts off what does not follow: a chain that
/// ends lower is fetched anew. So it is with filter headers and kept filters, which never reach above
/// the headers, and with wallets, which `LightClient` rewinds to where headers and filter headers end.
public struct StoredState: Sendable {
    /// The headers from the genesis to the tip.
    public var headers: HeaderChain
    /// The filter headers from the genesis block's on; at most as many.
    public var filterHeaders: FilterHeaderChain
    /// Which filters are kept.
    public var keptFilters: KeptFilters
    /// The wallets, in any order.
    public var wallets: [StoredWallet]
    /// What wallets gave out that are watched no more, see `StoreChange.setGiven`.
    public var given: [Script: UInt32]
    /// The highest number that a wallet ever had; 0 where there was none.
    public var lastNumber: UInt32
    /// What is kept of peers.
    public var peers: KeptPeers
    /// The transactions that are sent, in any order.
    public var broadcasts: [BroadcastRecord]
    /// Why what was kept of them cannot be read, if so: then none is sent, and nothing of it is
    /// written over.
    public var broadcastDamage: String?

    /// What an empty store has.
    public init(_ parameters: ChainParameters) {
        headers = HeaderChain(parameters)
        filterHeaders = FilterHeaderChain()
        keptFilters = KeptFilters()
        wallets = []
        given = [:]
        lastNumber = 0
        peers = KeptPeers()
        broadcasts = []
    }
}
