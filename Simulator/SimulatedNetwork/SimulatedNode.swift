public import Bitcoin
import Chain
import Hashing
public import PeerMessages
import Wire

/// A node of the simulated network: the chain that it follows, and how it treats whoever asks.
public struct SimulatedNode: Sendable {
    /// What a node lies about, and how.
    public enum Lie: Hashable, Sendable {
        /// Its filters leave out every script at some heights, and its filter headers agree.
        case omittedFilters
        /// Its filters have one script and leave out all others, and its filter headers agree.
        case partialFilters(keeping: Script)
        /// Its filters have all that a block pays and something else than it spends, which no block
        /// shows, and its filter headers agree.
        case otherSpends
        /// Its filters have something wrong at their end, and its filter headers are the true ones.
        case tamperedFilters
        /// Its checkpoints are others than its filter headers.
        case contradictoryCheckpoints
        /// It names one checkpoint too few.
        case shortCheckpoints
        /// It names one hash too few.
        case shortHashes
        /// Filters that are none, with filter headers that agree.
        case malformedFilters
        /// Blocks with an altered transaction.
        case alteredBlocks
        /// Blocks whose list of transactions repeats its end.
        case repeatedTransactions
        /// Blocks without witnesses, or with one too many.
        case alteredWitnesses
        /// Headers that have not the target they should have.
        case wrongTargets
    }

    /// How a node behaves.
    public struct Manner: Sendable {
        /// Until its answer starts.
        public var latency = Duration.milliseconds(20)
        /// Between two messages of an answer.
        public var pace = Duration.microseconds(100)
        /// Kinds of questions that it leaves without an answer.
        public var ignored: Set<PeerMessageKind> = []
        /// Says that it has not the blocks it is asked for.
        public var lacksBlocks = false
        /// Sends some filters of an answer only.
        public var dropsEvery: Int?
        /// Takes transactions, and says nothing of them to anybody.
        public var swallowsTransactions = false
        /// Announces all transactions that it has, whoever gave them to it.
        public var announcesAgain = false
        /// Names transactions by their wtxid.
        public var usesWtxid = false
        /// What it lies about.
        public var lie: Lie?
        /// The heights at which it lies.
        public var lieHeights: Set<Int> = []
        /// Announces blocks by hash instead of by header.
        public var announcesByHash = false
        /// The height that it claims, if it is not its own.
        public var claims: Int?
        /// Whether it can be dialled.
        public var isReachable = true
        /// What it offers.
        public var services: PeerServices = [.network, .witness, .compactFilters]

        /// An honest and quick node.
        public init() {}
    }

    /// Its chain, from the genesis block to its tip.
    public private(set) var path: [BlockHash]
    /// How it behaves.
    public var manner: Manner
    /// Transactions that it has and that no block of its chain has.
    public private(set) var mempool: [Txid: Transaction] = [:]
    /// What it had that a block took.
    private var mined: Set<Txid> = []
    /// Questions at which a node hangs up, which nobody should ask.
    public private(set) var rudeQuestions: [String] = []

    private var heights: [BlockHash: Int]
    /// Its filter headers, where they are not the true ones.
    private var lying: [FilterHeader]?

    /// A node.
    public init(_ path: [BlockHash], _ manner: Manner = Manner()) {
        self.path = path
        self.manner = manner
        heights = [:]
        for (height, hash) in path.enumerated() { heights[hash] = height }
    }

    /// The height of its tip.
    public var height: Int { path.count - 1 }

    /// Follows another chain. Says what it announces: what is new to it.
    public mutating func follow(_ path: [BlockHash], _ tree: BlockTree) -> PeerMessage? {
        let fork = zip(self.path, path).prefix { $0 == $1 }.count
        let new = path.suffix(from: min(fork, path.count))
        // What blocks had that are gone waits for others.
        for hash in self.path.suffix(from: fork) {
            for transaction in tree[hash]?.block.transactions ?? []
            where mined.contains(transaction.txid) {
                mempool[transaction.txid] = transaction
            }
        }
        self.path = path
        heights = [:]
        for (height, hash) in path.enumerated() { heights[hash] = height }
        lying = nil
        for hash in new {
            for transaction in tree[hash]?.block.transactions ?? [] {
                if mempool.removeValue(forKey: transaction.txid) != nil {
                    mined.insert(transaction.txid)
                }
            }
        }
        guard let tip = new.last else { return nil }
        if manner.announcesByHash || new.count > 8 {
            return .inv([InventoryItem(.block, tip.bytes)])
        }
        return .headers(new.compactMap { tree[$0]?.block.header })
    }

    // MARK: Filters

    private func isLie(_ height: Int) -> Bool { manner.lieHeights.contains(height) }

    /// The filter that it shows.
    private func filter(_ height: Int, _ tree: BlockTree) -> [UInt8] {
        guard let entry = tree[path[height]] else { return [] }
        guard isLie(height) else { return entry.filter }
        switch manner.lie {
        case .omittedFilters: return CompactFilter(block: entry.emptied, spent: []).bytes
        case .partialFilters(let script):
            return CompactFilter(block: entry.emptied, spent: [script]).bytes
        case .otherSpends:
            let count = (try? CompactFilter(entry.filter))?.count ?? 0
            let other = max(0, count - Set(entry.block.filteredOutputs).count)
            return CompactFilter(
                block: entry.block,
                spent: (0..<other).map { Script([0x51, 0x76, UInt8(truncatingIfNeeded: $0)]) }
            ).bytes
        case .malformedFilters: return [0xFD, 0xFF]
        case .tamperedFilters:
            var bytes = entry.filter
            if !bytes.isEmpty { bytes[bytes.count - 1] ^= 1 }
            return bytes
        default: return entry.filter
        }
    }

    private mutating func filterHeader(_ height: Int, _ tree: BlockTree) -> FilterHeader {
        guard height >= 0 else { return .beforeGenesis }
        switch manner.lie {
        case .omittedFilters, .partialFilters, .otherSpends, .malformedFilters: break
        default: return tree[path[height]]?.filterHeader ?? .beforeGenesis
        }
        if let lying { return lying[height] }
        var last = FilterHeader.beforeGenesis
        let all = path.indices.map { place in
            let bytes = filter(place, tree)
            last = FilterHash(SHA256.doubleHash(bytes)).header(after: last)
            return last
        }
        lying = all
        return all[height]
    }

    // MARK: Questions

    /// Its answer to any message; nil if it hangs up.
    mutating func respond(
        to message: PeerMessage, _ tree: BlockTree, clock: Int64
    ) -> [PeerMessage]? {
        guard case .version = message else { return answer(message, tree) }
        guard !manner.ignored.contains(.version) else { return [] }
        let claim = Int32(clamping: manner.claims ?? height)
        let version = VersionMessage(
            services: manner.services, time: clock, nonce: UInt64(height) << 20 | 0xABCDE,
            userAgent: Array("/simulated/".utf8), startHeight: claim, relay: true)
        return [.version(version)] + (manner.usesWtxid ? [.wtxidrelay] : []) + [.verack]
    }

    /// Its answer; nil if it hangs up.
    public mutating func answer(_ question: PeerMessage, _ tree: BlockTree) -> [PeerMessage]? {
        guard !manner.ignored.contains(question.kind) else { return [] }
        switch question {
        case .ping(let nonce): return [.pong(nonce: nonce)]
        case .getheaders(let question): return [.headers(headers(question, tree))]
        case .getcfcheckpt(let question): return checkpoints(question, tree)
        case .getcfheaders(let range): return hashes(range, tree)
        case .getcfilters(let range): return filters(range, tree)
        case .getdata(let items): return items.flatMap { data($0, tree) }
        case .inv(let items):
            // By its txid a transaction is asked for with its witnesses.
            let unknown = items.filter { transaction($0) == nil }.map {
                $0.kind == .transaction ? InventoryItem(.witnessTransaction, $0.hash) : $0
            }
            return unknown.isEmpty ? [] : [.getdata(unknown)]
        case .feefilter(let rate):
            guard manner.announcesAgain, rate <= World.feeRate, !mempool.isEmpty else { return [] }
            return [.inv(mempool.values.map(name).sorted { $0.hash < $1.hash })]
        default: return []
        }
    }

    private func headers(_ question: GetHeaders, _ tree: BlockTree) -> [BlockHeader] {
        let start = question.locator.lazy.compactMap { heights[$0] }.first ?? 0
        var list = path[(start + 1)...].prefix(PeerLimits.headers).compactMap {
            tree[$0]?.block.header
        }
        if let stop = heights[question.stop], stop > start, stop - start < list.count {
            list.removeSubrange((stop - start)...)
        }
        if manner.lie == .wrongTargets, !list.isEmpty {
            list[list.count - 1].bits = CompactTarget(rawValue: 0x1D00_FFFF)
        }
        return list
    }

    private mutating func checkpoints(
        _ question: CheckpointRequest, _ tree: BlockTree
    ) -> [PeerMessage]? {
        guard let height = heights[question.stop] else { return hangUp("unknown stop") }
        var list: [FilterHeader] = []
        for place in stride(from: 1_000, through: height, by: 1_000) {
            list.append(filterHeader(place, tree))
        }
        if manner.lie == .shortCheckpoints, !list.isEmpty { list.removeLast() }
        if manner.lie == .contradictoryCheckpoints, !list.isEmpty {
            list[list.count - 1] = FilterHeader(Bytes32 { $0.storeBytes(of: 7, as: UInt64.self) })
        }
        return [.cfcheckpt(CheckpointAnswer(stop: question.stop, headers: list))]
    }

    private mutating func hangUp(_ why: String) -> [PeerMessage]? {
        rudeQuestions.append(why)
        return nil
    }

    private mutating func heights(_ range: FilterRange, most: Int) -> ClosedRange<Int>? {
        guard let stop = heights[range.stop], Int(range.start) <= stop,
            stop - Int(range.start) < most
        else {
            _ = hangUp("range from \(range.start)")
            return nil
        }
        return Int(range.start)...stop
    }

    private mutating func hashes(_ range: FilterRange, _ tree: BlockTree) -> [PeerMessage]? {
        guard let heights = heights(range, most: PeerLimits.filterHashes) else { return nil }
        var list = heights.map { FilterHash(SHA256.doubleHash(filter($0, tree))) }
        if manner.lie == .tamperedFilters {
            list = heights.map { BlockTree.hash(of: tree[path[$0]]?.filter ?? []) }
        }
        if manner.lie == .shortHashes { list.removeLast() }
        return [
            .cfheaders(
                FilterHashes(
                    stop: range.stop, previous: filterHeader(heights.lowerBound - 1, tree),
                    hashes: list))
        ]
    }

    private mutating func filters(_ range: FilterRange, _ tree: BlockTree) -> [PeerMessage]? {
        guard let heights = heights(range, most: PeerLimits.filters) else { return nil }
        return heights.compactMap { height in
            if let every = manner.dropsEvery, height % every == 0 { return nil }
            return .cfilter(FilterAnswer(block: path[height], filter: filter(height, tree)))
        }
    }

    // MARK: Transactions

    /// Takes a transaction. Whether it is new to it.
    mutating func take(_ transaction: Transaction) -> Bool {
        mempool.updateValue(transaction, forKey: transaction.txid) == nil
    }

    /// How it names a transaction to others.
    func name(of transaction: Transaction) -> InventoryItem {
        manner.usesWtxid
            ? InventoryItem(.witnessTransactionID, transaction.wtxid.bytes)
            : InventoryItem(.transaction, transaction.txid.bytes)
    }

    private func transaction(_ item: InventoryItem) -> Transaction? {
        item.kind == .witnessTransactionID
            ? mempool.values.first { $0.wtxid.bytes == item.hash } : mempool[Txid(item.hash)]
    }

    private func data(_ item: InventoryItem, _ tree: BlockTree) -> [PeerMessage] {
        guard item.kind == .witnessBlock, let entry = tree[BlockHash(item.hash)] else { return [] }
        if manner.lacksBlocks { return [.notfound([item])] }
        var block = entry.block
        switch manner.lie {
        case .alteredBlocks: block.transactions[0].lockTime = LockTime(rawValue: 77)
        case .repeatedTransactions: block.repeatEnd()
        case .alteredWitnesses:
            let isBare = block.transactions[0].inputs[0].witness.isEmpty
            block.transactions[0].inputs[0].witness = Witness(isBare ? [[1]] : [])
        default: break
        }
        return [.block(block)]
    }
}

extension BlockTree.Entry {
    /// The block without transactions, whose filter is empty.
    fileprivate var emptied: Block { Block(header: block.header, transactions: []) }
}

extension Block {
    /// Repeats the end of the list so that the merkle root stays (CVE-2012-2459), or alters it where
    /// no repetition leaves the root.
    fileprivate mutating func repeatEnd() {
        let count = transactions.count
        if count > 1, count % 2 == 1 {
            transactions.append(transactions[count - 1])
        } else if count > 2, count % 4 == 2 {
            transactions += transactions.suffix(2)
        } else {
            transactions += transactions
        }
    }
}
