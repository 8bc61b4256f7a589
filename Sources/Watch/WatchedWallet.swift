public import Bitcoin
public import Descriptors

/// Where a script belongs in a wallet.
public struct WatchedPlace: Hashable, Sendable {
    /// The place of the branch in `WatchedWallet.branches`.
    public let branch: Int
    /// The index on it.
    public let index: UInt32
}

/// An output that pays the wallet.
public struct Coin: Hashable, Sendable {
    /// Which output it is.
    public let outpoint: OutPoint
    /// What it pays, and to which script.
    public let output: TransactionOutput
    /// The wallet's address.
    public let place: WatchedPlace
    /// The height of its block.
    public let height: UInt32
    /// Whether it was mined, and can be spent after 100 blocks only.
    public let isCoinbase: Bool
    /// The transaction that spends it, and the height of its block.
    public fileprivate(set) var spend: Spend?

    /// What spends a coin.
    public struct Spend: Hashable, Sendable {
        /// The transaction.
        public let txid: Txid
        /// The height of its block.
        public let height: UInt32
    }
}

/// A confirmed transaction that pays the wallet or spends from it.
public struct WatchedTransaction: Hashable, Sendable {
    /// The transaction.
    public let transaction: Transaction
    /// Its id.
    public let txid: Txid
    /// The height of its block.
    public let height: UInt32
    /// Its place in the block; the coinbase has 0.
    public let position: Int
    /// Its block.
    public let block: BlockHash
    /// The block's time, in seconds since 1970.
    public let time: UInt32

    /// A transaction by its parts, as it comes back from a store.
    public init(
        transaction: Transaction, txid: Txid, height: UInt32, position: Int, block: BlockHash,
        time: UInt32
    ) {
        self.transaction = transaction
        self.txid = txid
        self.height = height
        self.position = position
        self.block = block
        self.time = time
    }
}

/// The coins and the history of one wallet, from blocks that were handed over.
///
/// Blocks may come in any order and more than once: what is known afterwards is the same. Only
/// a spend of a coin that was not known when its block came is missed, so whoever scans hands
/// over blocks for newly watched scripts again, from the lowest height up.
public struct WatchedWallet: Sendable {
    /// Blocks that a mined coin has to wait, its own not counted (consensus).
    public static let coinbaseMaturity: UInt32 = 100

    /// The branches of all descriptors in order.
    public private(set) var branches: [WatchedBranch] = []
    /// Every script that is watched.
    public private(set) var places: [Script: WatchedPlace] = [:]
    /// The history, by height and place in the block.
    public private(set) var transactions: [WatchedTransaction] = []
    /// Spent ones too.
    public private(set) var coins: [OutPoint: Coin] = [:]

    /// What the transactions of the history spend, whether it is known as a coin or not.
    private var spends: [OutPoint: Coin.Spend] = [:]

    /// A wallet that has seen no block.
    ///
    /// - Parameters:
    ///   - gapLimit: how many unused addresses behind the last used one are watched at least.
    ///   - step: what the number of watched addresses is rounded up to a multiple of: blocks that
    ///     were searched have to be searched again for each address that comes to be watched, so that
    ///     they had better come many at a time.
    /// - Precondition: both above 0.
    public init(
        _ descriptors: [Descriptor], gapLimit: UInt32 = 20, step: UInt32 = 1
    ) throws(DerivationError) {
        precondition(gapLimit > 0 && step > 0)
        for descriptor in descriptors.flatMap(\.outputs) {
            for branch in 0..<descriptor.branchCount {
                branches.append(
                    try WatchedBranch(
                        descriptor, branch: branch, gapLimit: gapLimit, step: step))
            }
        }
        for branch in branches.indices { _ = extend(branch) }
    }

    /// A wallet as it comes back from a store.
    ///
    /// - Parameters:
    ///   - issued: the highest index that was given out, by the branch's place.
    ///   - transactions: the confirmed ones, in any order.
    public init(
        _ descriptors: [Descriptor], gapLimit: UInt32, step: UInt32, issued: [Int: UInt32],
        transactions: [WatchedTransaction]
    ) throws(DerivationError) {
        try self.init(descriptors, gapLimit: gapLimit, step: step)
        for (branch, index) in issued where branches.indices.contains(branch) {
            _ = noteIssued(index, of: branch)
        }
        // Each may bring scripts to be watched that others pay.
        var isComplete = false
        while !isComplete {
            isComplete = true
            for entry in transactions {
                record(entry)
                for output in entry.transaction.outputs {
                    guard let place = places[output.scriptPubKey] else { continue }
                    branches[place.branch].noteUse(of: place.index)
                    if !extend(place.branch).isEmpty { isComplete = false }
                }
            }
        }
    }

    private mutating func extend(_ branch: Int) -> [Script] {
        var added: [Script] = []
        for index in branches[branch].extend() {
            // Nil with a chance of 2^-127: the index has no key, and wallets leave it out (BIP32).
            guard let script = branches[branch].script(at: index), places[script] == nil else {
                continue
            }
            places[script] = WatchedPlace(branch: branch, index: index)
            added.append(script)
        }
        return added
    }

    /// By what its branches are known, whatever the spelling of its descriptors.
    public var identity: Set<Script> { Set(branches.map(\.lastScript)) }

    // MARK: Blocks

    /// Takes what the block says about this wallet, all of it or, on an error, nothing.
    ///
    /// - Returns: the scripts that are watched from now on because addresses near the end of what
    ///   was watched are in use; the block was searched for them already.
    /// - Throws: `otherBranch` if another block of this height was taken and not rolled back.
    public mutating func apply(_ block: Block, at height: UInt32) throws(WatchError) -> [Script] {
        let hash = block.header.hash
        let place = firstPlace(height, 0)
        if place < transactions.count, transactions[place].height == height,
            transactions[place].block != hash
        {
            throw .otherBranch(height: height)
        }
        let txids = block.transactions.map(\.txid)
        var added: [Script] = []
        while true {
            let more = search(block, txids, height, hash)
            if more.isEmpty { return added }
            added += more
        }
    }

    private mutating func search(
        _ block: Block, _ txids: [Txid], _ height: UInt32, _ hash: BlockHash
    ) -> [Script] {
        var used: Set<Int> = []
        for (position, transaction) in block.transactions.enumerated() {
            let paid = transaction.outputs.compactMap { places[$0.scriptPubKey] }
            let isSpend = transaction.inputs.contains { coins[$0.outpoint] != nil }
            guard !paid.isEmpty || isSpend else { continue }
            record(
                WatchedTransaction(
                    transaction: transaction, txid: txids[position], height: height,
                    position: position, block: hash, time: block.header.time))
            for place in paid {
                branches[place.branch].noteUse(of: place.index)
                used.insert(place.branch)
            }
        }
        return used.sorted().flatMap { extend($0) }
    }

    private mutating func record(_ entry: WatchedTransaction) {
        let place = firstPlace(entry.height, entry.position)
        if place == transactions.count || transactions[place].txid != entry.txid {
            transactions.insert(entry, at: place)
        }
        let spend = Coin.Spend(txid: entry.txid, height: entry.height)
        for input in entry.transaction.inputs {
            spends[input.outpoint] = spend
            coins[input.outpoint]?.spend = spend
        }
        for (index, output) in entry.transaction.outputs.enumerated() {
            guard let owner = places[output.scriptPubKey] else { continue }
            let outpoint = OutPoint(txid: entry.txid, vout: UInt32(index))
            // Of two blocks with the same transaction the later one counts, as for consensus.
            if let known = coins[outpoint], known.height > entry.height { continue }
            coins[outpoint] = Coin(
                outpoint: outpoint, output: output, place: owner, height: entry.height,
                isCoinbase: entry.transaction.isCoinbase, spend: spends[outpoint])
        }
    }

    /// The first place in the history that is not before this one, by halving.
    private func firstPlace(_ height: UInt32, _ position: Int) -> Int {
        var places = 0..<transactions.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            let entry = transactions[middle]
            if (entry.height, entry.position) < (height, position) {
                places = middle + 1..<places.upperBound
            } else {
                places = places.lowerBound..<middle
            }
        }
        return places.lowerBound
    }

    /// The transactions of the history in the block of a height.
    public func transactions(at height: UInt32) -> ArraySlice<WatchedTransaction> {
        let start = firstPlace(height, 0)
        return transactions[start...].prefix { $0.height == height }
    }

    /// Forgets everything above a height, because those blocks are no longer in the best chain. The
    /// scripts that are watched stay watched.
    public mutating func rollBack(above height: UInt32) {
        var removed: Set<Txid> = []
        while let last = transactions.last, last.height > height {
            transactions.removeLast()
            removed.insert(last.txid)
            for input in last.transaction.inputs {
                spends[input.outpoint] = nil
                coins[input.outpoint]?.spend = nil
            }
            for index in last.transaction.outputs.indices {
                coins[OutPoint(txid: last.txid, vout: UInt32(index))] = nil
            }
        }
        guard !removed.isEmpty else { return }
        // A block below may have the same transaction (heights 91,722 and 91,812 of mainnet).
        for entry in transactions where removed.contains(entry.txid) { record(entry) }
        var lastUsed = [UInt32?](repeating: nil, count: branches.count)
        for coin in coins.values {
            let known = lastUsed[coin.place.branch] ?? 0
            lastUsed[coin.place.branch] = max(known, coin.place.index)
        }
        for (branch, index) in lastUsed.enumerated() { branches[branch].setLastUsed(index) }
    }

    // MARK: Addresses

    /// Gives out an address that was not given out before: its script and index, and the scripts that
    /// are watched from now on.
    ///
    /// - Throws: `changeBranch`, `gap`.
    /// - Precondition: there is that branch.
    public mutating func issueAddress(
        of branch: Int = 0
    ) throws(AddressIssueError) -> (script: Script, index: UInt32, added: [Script]) {
        guard !branches[branch].isChange else { throw .changeBranch }
        let (index, script) = try branches[branch].issue()
        return (script, index, extend(branch))
    }

    /// Restores that an address was given out before.
    ///
    /// - Returns: the scripts that are watched from now on.
    public mutating func noteIssued(_ index: UInt32, of branch: Int) -> [Script] {
        branches[branch].noteIssue(of: index)
        return extend(branch)
    }
}

/// Why a block is not taken.
public enum WatchError: Error, Hashable, Sendable {
    /// A block of another branch was taken at this height.
    case otherBranch(height: UInt32)
}

extension WatchError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .otherBranch(let height):
            "the wallet knows another block at height \(height), which is to be rolled back first"
        }
    }
}
