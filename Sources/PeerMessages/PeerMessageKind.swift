/// The messages between peers that a light client sends or reads. All others are skipped.
public enum PeerMessageKind: String, Hashable, Sendable, CaseIterable {
    /// Introduces a peer.
    case version
    /// Accepts the other's `version`.
    case verack
    /// Asks for transactions to be announced by wtxid (BIP339).
    case wtxidrelay
    /// Asks for addresses in the form of BIP155.
    case sendaddrv2
    /// Asks for new blocks to be announced by their headers (BIP130).
    case sendheaders
    /// Asks for a sign of life (BIP31).
    case ping
    /// Answers `ping`.
    case pong
    /// Says below which feerate transactions need not be announced (BIP133).
    case feefilter
    /// Asks for addresses of peers.
    case getaddr
    /// Addresses of peers.
    case addr
    /// Addresses of peers, of any network (BIP155).
    case addrv2
    /// Asks for headers.
    case getheaders
    /// Headers.
    case headers
    /// Announces transactions or blocks.
    case inv
    /// Asks for transactions or blocks.
    case getdata
    /// Says which of them are not there.
    case notfound
    /// A transaction.
    case tx
    /// A block.
    case block
    /// Asks for compact filters (BIP157).
    case getcfilters
    /// A compact filter.
    case cfilter
    /// Asks for hashes of filters.
    case getcfheaders
    /// Hashes of filters.
    case cfheaders
    /// Asks for every 1,000th filter header.
    case getcfcheckpt
    /// Every 1,000th filter header.
    case cfcheckpt

    /// The command of the first transport.
    public var command: String { rawValue }

    /// The most bytes that the payload may have.
    public var limit: Int {
        switch self {
        case .version: 1_024
        case .verack, .wtxidrelay, .sendaddrv2, .sendheaders, .getaddr: 0
        case .ping, .pong, .feefilter: 8
        case .addr: 3 + PeerLimits.addresses * 30
        case .addrv2: 3 + PeerLimits.addresses * (4 + 9 + 1 + 3 + PeerLimits.addressSize + 2)
        case .getheaders: 4 + 1 + PeerLimits.locator * 32 + 32
        case .headers: 3 + PeerLimits.headers * 81
        case .inv, .getdata, .notfound: 3 + PeerLimits.inventory * 36
        case .tx, .block: PeerLimits.payload
        case .getcfilters, .getcfheaders: 37
        case .cfilter: 1 + 32 + 5 + PeerLimits.filterSize
        case .cfheaders: 1 + 32 + 32 + 3 + PeerLimits.filterHashes * 32
        case .getcfcheckpt: 33
        case .cfcheckpt: 1 + 32 + 3 + PeerLimits.checkpoints * 32
        }
    }

    /// The number of the second transport (BIP324); nil where the command is written out.
    public var shortID: UInt8? {
        switch self {
        case .addr: 1
        case .block: 2
        case .feefilter: 5
        case .getdata: 11
        case .getheaders: 12
        case .headers: 13
        case .inv: 14
        case .notfound: 17
        case .ping: 18
        case .pong: 19
        case .tx: 21
        case .getcfilters: 22
        case .cfilter: 23
        case .getcfheaders: 24
        case .cfheaders: 25
        case .getcfcheckpt: 26
        case .cfcheckpt: 27
        case .addrv2: 28
        case .version, .verack, .wtxidrelay, .sendaddrv2, .sendheaders, .getaddr: nil
        }
    }
}

/// How many of something a message may have.
public enum PeerLimits {
    /// Bytes of any payload.
    public static let payload = 4_000_000
    /// Headers of a message.
    public static let headers = 2_000
    /// Hashes of a locator.
    public static let locator = 101
    /// Entries of `inv`, `getdata` and `notfound`.
    public static let inventory = 50_000
    /// Addresses of a message.
    public static let addresses = 1_000
    /// Bytes of an address (BIP155).
    public static let addressSize = 512
    /// Bytes of a user agent.
    public static let userAgent = 256
    /// Bytes of a compact filter.
    public static let filterSize = 256 << 10
    /// Hashes of a `cfheaders` (BIP157).
    public static let filterHashes = 2_000
    /// Filters that may be asked for at once (BIP157).
    public static let filters = 1_000
    /// Filter headers of a `cfcheckpt`: enough for ten million blocks.
    public static let checkpoints = 10_000
}
