public import Wire

/// What a person asks of the light client in the network process. Wallets are named by name or
/// number; an empty name stands for all of them, or for the only one.
public enum ChainRequest: Hashable, Sendable {
    /// How far it is.
    case progress
    /// Its peers.
    case peers
    /// Dial a peer before all others: address, and port if it is not the usual one.
    case addPeer(String)
    /// Forget a peer.
    case removePeer(String)
    /// Forget the peers that nobody added by hand, and all bans.
    case forgetPeers
    /// The watched wallets.
    case wallets
    /// Watch the wallet of a pairing file.
    ///
    /// - Parameters:
    ///   - name: empty for the name in the file.
    ///   - birthday: seconds since 1970; nil for what the file says.
    case watch(name: String, file: [UInt8], birthday: UInt64?)
    /// Watch a wallet no more.
    case unwatch(String)
    /// Give out an address that was never given out.
    case newAddress(String)
    /// What wallets have.
    case balance(String)
    /// The history from a line on, the oldest line being 0.
    case history(String, from: UInt32)
    /// What is known of one transaction, by its id in the order of the wire.
    case transaction(Bytes32)
    /// The coins that are not spent, from one on, the oldest being 0.
    case coins(String, from: UInt32)
    /// Labels behind one in their order; both texts are empty at the beginning.
    case labels(afterType: String, ref: String)
    /// Put labels, lines of BIP329, in place of those of the same things: all that come in this
    /// connection up to the last ones, or none.
    ///
    /// - Parameters:
    ///   - firstLine: the number that the first of these lines has where they come from, counted
    ///     from 1.
    ///   - isLast: whether no more lines follow.
    case putLabels([UInt8], firstLine: UInt32, isLast: Bool)
    /// Search the blocks from a height on again.
    case rescan(String, from: UInt32)
    /// Send a signed transaction.
    case broadcast([UInt8])
    /// The transactions that are sent.
    case broadcasts
    /// Announce a transaction no more, by its id in the order of the wire.
    case withdrawBroadcast(Bytes32)

    /// What a request counts beside the frame that it is, in frames.
    public var weight: Int {
        switch self {
        case .watch(_, let bytes, _), .broadcast(let bytes): bytes.count >> 12
        // Whoever puts many waits for them besides.
        case .putLabels(let bytes, _, _): bytes.count >> 14
        case .history, .coins, .transaction, .labels, .balance, .wallets, .peers, .broadcasts: 10
        default: 1
        }
    }

    /// Bytes of the longest: a transaction that fills a block.
    static let limit = 4_000_000 + 16
    /// Bytes of a pairing file.
    public static let fileLimit = 1 << 20
    /// Bytes of labels in one message.
    public static let labelLimit = 256 << 10
    static let nameLimit = 256
    static let referenceLimit = 4096

    private var number: UInt8 {
        switch self {
        case .progress: 1
        case .peers: 2
        case .addPeer: 3
        case .removePeer: 4
        case .forgetPeers: 5
        case .wallets: 6
        case .watch: 7
        case .unwatch: 8
        case .newAddress: 9
        case .balance: 10
        case .history: 11
        case .transaction: 12
        case .coins: 13
        case .labels: 14
        case .putLabels: 15
        case .rescan: 16
        case .broadcast: 17
        case .broadcasts: 18
        case .withdrawBroadcast: 19
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(number)
        switch self {
        case .progress, .peers, .forgetPeers, .wallets, .broadcasts: break
        case .addPeer(let text), .removePeer(let text), .unwatch(let text), .newAddress(let text),
            .balance(let text):
            writer.write(text, limit: ChainRequest.nameLimit)
        case .watch(let name, let file, let birthday):
            writer.write(name, limit: ChainRequest.nameLimit)
            writer.write(birthday)
            writer.write(file)
        case .history(let name, let from), .coins(let name, let from), .rescan(let name, let from):
            writer.write(name, limit: ChainRequest.nameLimit)
            writer.write(from)
        case .transaction(let txid), .withdrawBroadcast(let txid): writer.write(txid)
        case .labels(let type, let ref):
            writer.write(type, limit: ChainRequest.nameLimit)
            writer.write(ref, limit: ChainRequest.referenceLimit)
        case .putLabels(let bytes, let firstLine, let isLast):
            writer.write(firstLine)
            writer.write(isLast)
            writer.write(bytes)
        case .broadcast(let bytes): writer.write(bytes)
        }
    }

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .progress
        case 2: self = .peers
        case 3: self = .addPeer(try reader.readName())
        case 4: self = .removePeer(try reader.readName())
        case 5: self = .forgetPeers
        case 6: self = .wallets
        case 7:
            let name = try reader.readName()
            let birthday = try reader.readOptional()
            self = .watch(
                name: name, file: try reader.readRest(limit: ChainRequest.fileLimit),
                birthday: birthday)
        case 8: self = .unwatch(try reader.readName())
        case 9: self = .newAddress(try reader.readName())
        case 10: self = .balance(try reader.readName())
        case 11: self = .history(try reader.readName(), from: try reader.readUInt32())
        case 12: self = .transaction(try reader.readBytes32())
        case 13: self = .coins(try reader.readName(), from: try reader.readUInt32())
        case 14:
            self = .labels(
                afterType: try reader.readName(),
                ref: try reader.readText(limit: ChainRequest.referenceLimit))
        case 15:
            let firstLine = try reader.readUInt32()
            let isLast = try reader.readFlag()
            self = .putLabels(
                try reader.readRest(limit: ChainRequest.labelLimit), firstLine: firstLine,
                isLast: isLast)
        case 16: self = .rescan(try reader.readName(), from: try reader.readUInt32())
        case 17: self = .broadcast(reader.readRest())
        case 18: self = .broadcasts
        case 19: self = .withdrawBroadcast(try reader.readBytes32())
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }
}

extension Reader {
    fileprivate mutating func readName() throws(WireError) -> String {
        try readText(limit: ChainRequest.nameLimit)
    }

    fileprivate mutating func readRest(limit: Int) throws(WireError) -> [UInt8] {
        guard remaining <= limit else {
            throw .tooLarge(position: position, found: UInt64(remaining), allowed: limit)
        }
        return readRest()
    }

    /// Reads a flag and, if it is set, a number.
    mutating func readOptional() throws(WireError) -> UInt64? {
        try readFlag() ? try readUInt64() : nil
    }
}

extension Writer {
    /// Appends a flag and, if there is one, the number.
    mutating func write(_ number: UInt64?) {
        write(number != nil)
        if let number { write(number) }
    }
}
