import Wire

/// How far the light client is, and what keeps it from being further.
public struct ChainProgress: Hashable, Sendable {
    /// What it does, or what hinders it.
    public enum Phase: UInt8, CaseIterable, Hashable, Sendable {
        case starting = 1
        case storeUnusable = 2
        case lookingForPeers = 3
        case noNetwork = 4
        case noPeerServesFilters = 5
        case peersRest = 6
        case clockIsBehind = 7
        case provingWork = 8
        case headers = 9
        case filterHeaders = 10
        case settling = 11
        case disputed = 12
        case invalidBlock = 13
        case scanning = 14
        case searchingAgain = 15
        case current = 16
    }

    /// What it does, or what hinders it.
    public var phase: Phase
    /// What there is to say besides, for a person; may be empty.
    public var remark = ""
    /// The height of the chain of headers.
    public var height: UInt32 = 0
    /// The time of its last header, in seconds since 1970.
    public var tipTime: UInt32 = 0
    /// Up to which height filter headers are known.
    public var filterHeight: UInt32 = 0
    /// Up to which height every wallet is searched for; 0 without wallets.
    public var scannedHeight: UInt32 = 0
    /// The height that the present phase is at.
    public var place: UInt32 = 0
    /// Blocks that are still to be searched.
    public var blocksLeft: UInt32 = 0
    /// Blocks in 1,000 seconds; nil if none are searched.
    public var rate: UInt64?
    /// Bytes of filters that still have to come; nil if nobody knows.
    public var bytesLeft: UInt64?
    /// Seconds that the rest takes at this rate; nil if nobody knows.
    public var secondsLeft: UInt64?
    /// Bytes of filters that came since the start.
    public var filterBytes: UInt64 = 0
    /// Bytes of filters on the disk.
    public var keptBytes: UInt64 = 0
    /// Peers that have a seat.
    public var peers: UInt32 = 0
    /// Seats for peers.
    public var seats: UInt32 = 0
    /// The watched wallets.
    public var wallets: UInt32 = 0
    /// What was found and mended, a sentence each.
    public var notices: [String] = []

    /// A light client that has just started.
    public init(_ phase: Phase) { self.phase = phase }

    static let noticeLimit = 1024
    static let notices = 16
    static let size =
        1 + Limit.text + noticeLimit + 6 * 4 + 3 * 9 + 2 * 8 + 3 * 4 + 2
        + notices * (Limit.text + noticeLimit)

    init(from reader: inout Reader) throws(WireError) {
        phase = try reader.readCase()
        remark = try reader.readText(limit: ChainProgress.noticeLimit)
        height = try reader.readUInt32()
        tipTime = try reader.readUInt32()
        filterHeight = try reader.readUInt32()
        scannedHeight = try reader.readUInt32()
        place = try reader.readUInt32()
        blocksLeft = try reader.readUInt32()
        rate = try reader.readOptional()
        bytesLeft = try reader.readOptional()
        secondsLeft = try reader.readOptional()
        filterBytes = try reader.readUInt64()
        keptBytes = try reader.readUInt64()
        peers = try reader.readUInt32()
        seats = try reader.readUInt32()
        wallets = try reader.readUInt32()
        notices = try reader.readList(limit: ChainProgress.notices) { reader throws(WireError) in
            try reader.readText(limit: ChainProgress.noticeLimit)
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(phase)
        writer.write(remark, limit: ChainProgress.noticeLimit)
        writer.write(height)
        writer.write(tipTime)
        writer.write(filterHeight)
        writer.write(scannedHeight)
        writer.write(place)
        writer.write(blocksLeft)
        writer.write(rate)
        writer.write(bytesLeft)
        writer.write(secondsLeft)
        writer.write(filterBytes)
        writer.write(keptBytes)
        writer.write(peers)
        writer.write(seats)
        writer.write(wallets)
        writer.write(notices, limit: ChainProgress.notices) {
            $0.write($1, limit: ChainProgress.noticeLimit)
        }
    }
}
