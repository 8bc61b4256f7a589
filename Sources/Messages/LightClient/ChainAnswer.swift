import Wire

/// What the light client says to a person.
public enum ChainAnswer: Hashable, Sendable {
    /// It is done; sentences say what is worth saying.
    case done([String])
    /// It is not done.
    case refused(ChainRefusal, String)
    /// How far it is.
    case progress(ChainProgress)
    /// Its peers.
    case peers([PeerRow])
    /// Wallets.
    case wallets([WatchedWalletRow], tip: UInt32)
    /// Lines of the history; how many there are in all.
    case history([HistoryRow], total: UInt32, tip: UInt32)
    /// Coins; how many there are in all.
    case coins([CoinRow], total: UInt32, tip: UInt32)
    /// Lines of BIP329, none when there are no more.
    case labels([UInt8])
    /// How many labels are kept and how many lines are left out, and the first of these with why.
    case labelsPut(kept: UInt32, leftOut: UInt32, [String])
    /// An address that was not given out before, and its index.
    case address(String, index: UInt32)

    /// Transactions that are sent, the oldest first; how many there are in all.
    case broadcasts([BroadcastRow], total: UInt32)

    /// Rows of one answer; the next one has those that follow.
    public static let page = 200
    /// Peers of one answer, banned ones last.
    public static let peers = 500
    /// Bytes of a label.
    static let labelLimit = 1024
    static let limit = 512 << 10

    private var number: UInt8 {
        switch self {
        case .done: 1
        case .refused: 2
        case .progress: 3
        case .peers: 4
        case .wallets: 5
        case .history: 6
        case .coins: 7
        case .labels: 8
        case .address: 9
        case .labelsPut: 10
        case .broadcasts: 11
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(number)
        switch self {
        case .done(let remarks):
            writer.write(remarks, limit: Limit.remarks) {
                $0.write($1, limit: ChainProgress.noticeLimit)
            }
        case .refused(let refusal, let sentence):
            writer.write(refusal)
            writer.write(sentence, limit: ChainProgress.noticeLimit)
        case .progress(let progress): progress.encode(into: &writer)
        case .peers(let rows):
            writer.write(rows, limit: ChainAnswer.peers) { $1.encode(into: &$0) }
        case .wallets(let rows, let tip):
            writer.write(tip)
            writer.write(rows, limit: Limit.rows) { $1.encode(into: &$0) }
        case .history(let rows, let total, let tip):
            writer.write(total)
            writer.write(tip)
            writer.write(rows, limit: ChainAnswer.page) { $1.encode(into: &$0) }
        case .coins(let rows, let total, let tip):
            writer.write(total)
            writer.write(tip)
            writer.write(rows, limit: ChainAnswer.page) { $1.encode(into: &$0) }
        case .labels(let lines): writer.write(lines)
        case .address(let text, let index):
            writer.write(text, limit: Limit.address)
            writer.write(index)
        case .broadcasts(let rows, let total):
            writer.write(total)
            writer.write(rows, limit: ChainAnswer.page) { $1.encode(into: &$0) }
        case .labelsPut(let kept, let leftOut, let reasons):
            writer.write(kept)
            writer.write(leftOut)
            writer.write(reasons, limit: Limit.remarks) {
                $0.write($1, limit: ChainProgress.noticeLimit)
            }
        }
    }

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1:
            self = .done(
                try reader.readList(limit: Limit.remarks) { reader throws(WireError) in
                    try reader.readText(limit: ChainProgress.noticeLimit)
                })
        case 2:
            self = .refused(
                try reader.readCase(), try reader.readText(limit: ChainProgress.noticeLimit))
        case 3: self = .progress(try ChainProgress(from: &reader))
        case 4:
            self = .peers(
                try reader.readList(limit: ChainAnswer.peers) { reader throws(WireError) in
                    try PeerRow(from: &reader)
                })
        case 5:
            let tip = try reader.readUInt32()
            self = .wallets(
                try reader.readList(limit: Limit.rows) { reader throws(WireError) in
                    try WatchedWalletRow(from: &reader)
                }, tip: tip)
        case 6:
            let (total, tip) = (try reader.readUInt32(), try reader.readUInt32())
            self = .history(
                try reader.readList(limit: ChainAnswer.page) { reader throws(WireError) in
                    try HistoryRow(from: &reader)
                }, total: total, tip: tip)
        case 7:
            let (total, tip) = (try reader.readUInt32(), try reader.readUInt32())
            self = .coins(
                try reader.readList(limit: ChainAnswer.page) { reader throws(WireError) in
                    try CoinRow(from: &reader)
                }, total: total, tip: tip)
        case 8: self = .labels(reader.readRest())
        case 9:
            self = .address(
                try reader.readText(limit: Limit.address), index: try reader.readUInt32())
        case 10:
            let (kept, leftOut) = (try reader.readUInt32(), try reader.readUInt32())
            self = .labelsPut(
                kept: kept, leftOut: leftOut,
                try reader.readList(limit: Limit.remarks) { reader throws(WireError) in
                    try reader.readText(limit: ChainProgress.noticeLimit)
                })
        case 11:
            let total = try reader.readUInt32()
            self = .broadcasts(
                try reader.readList(limit: ChainAnswer.page) { reader throws(WireError) in
                    try BroadcastRow(from: &reader)
                }, total: total)
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }
}

/// Why the light client did not do what was asked.
public enum ChainRefusal: UInt8, CaseIterable, Hashable, Sendable {
    /// There is no such wallet, or several fit.
    case wallet = 1
    /// What was given is wrong.
    case input = 2
    /// No more is held.
    case full = 3
    /// It could not be written.
    case store = 4
    /// The light client does not run, or not yet.
    case notRunning = 5
    /// It may not be done.
    case notAllowed = 6

    /// The name in `--json`.
    public var name: String { "\(self)" }
}
