import Bitcoin
public import Chain
public import NetworkCore

/// A store in memory that keeps its word: a list of changes is taken whole or not at all.
public struct SimulatedStore: Sendable {
    private let parameters: ChainParameters
    private(set) var headers: [BlockHeader] = []
    private(set) var filterHeaders: [FilterHeader] = []
    private(set) var filters: [Int: [UInt8]] = [:]
    private(set) var wallets: [WalletID: StoredWallet] = [:]
    private var given: [Script: UInt32] = [:]
    private var lastNumber: UInt32 = 0
    /// Transactions that are sent.
    private(set) var broadcasts: [BroadcastRecord] = []
    /// What is kept of peers.
    public private(set) var peers = KeptPeers()
    /// Lists of changes that were taken.
    public private(set) var commits = 0
    /// What is wrong with what was to be written; nothing, for a light client that keeps the rules.
    public private(set) var violations: [String] = []

    /// A store of nothing.
    public init(_ parameters: ChainParameters) { self.parameters = parameters }

    /// Whether the next list may say that less is searched than before without saying why.
    public var mayRewind = false

    /// Takes a list of changes.
    public mutating func commit(_ changes: [StoreChange]) {
        commits += 1
        let before = wallets.mapValues(\.progress)
        for change in changes { apply(change) }
        check()
        let isRewind = changes.contains { change in
            switch change {
            case .rollBack, .rewindFilters: true
            default: false
            }
        }
        defer { mayRewind = false }
        guard !isRewind, !mayRewind else { return }
        for (id, wallet) in wallets {
            guard let old = before[id] ?? nil, let new = wallet.progress else { continue }
            if new.scanned < old.scanned {
                violations.append("wallet \(id.number) is searched less than before")
            }
        }
    }

    /// What a start loads.
    public var state: StoredState {
        var state = StoredState(parameters)
        for header in headers { try? state.headers.append(header, clock: .max) }
        for header in filterHeaders { state.filterHeaders.append(header) }
        for (height, filter) in filters.sorted(by: { $0.key < $1.key }) {
            state.keptFilters.insert(height, bytes: filter.count)
        }
        state.wallets = Array(wallets.values)
        state.given = given
        state.lastNumber = lastNumber
        state.peers = peers
        state.broadcasts = broadcasts
        return state
    }

    /// Kept filters; nil where one is missing.
    public func read(_ heights: ClosedRange<Int>) -> [[UInt8]?] { heights.map { filters[$0] } }

    /// Bytes of all kept filters.
    public var filterBytes: Int { filters.values.reduce(0) { $0 + $1.count } }

    /// Loses the end of what is stored, as a disk may.
    public mutating func truncate(headers height: Int, filterHeaders other: Int) {
        headers.removeLast(max(0, headers.count - height))
        let kept = min(other, headers.count)
        filterHeaders.removeLast(max(0, filterHeaders.count - kept - 1))
        filters = filters.filter { $0.key <= kept }
    }

    /// Changes a byte of kept filters.
    public mutating func damageFilters(_ isHit: (Int) -> Bool) {
        for (height, filter) in filters where isHit(height) && !filter.isEmpty {
            filters[height]?[filter.count - 1] ^= 1
        }
    }

    /// Replaces a filter header and all above, as if peers had lied before.
    public mutating func poison(filterHeader height: Int, with header: FilterHeader) {
        guard filterHeaders.indices.contains(height) else { return }
        filterHeaders[height] = header
        filterHeaders.removeLast(filterHeaders.count - height - 1)
    }

    private mutating func apply(_ change: StoreChange) {
        switch change {
        case .appendHeaders(let from, let list):
            guard from >= 1, from - 1 <= headers.count else {
                return violations.append("headers from \(from) leave a gap")
            }
            headers.removeLast(headers.count - (from - 1))
            headers += list
        case .rollBack(let height):
            headers.removeLast(max(0, headers.count - height))
            cutFilters(above: height)
            for id in wallets.keys {
                wallets[id]?.transactions.removeAll { Int($0.height) > height }
            }
        case .appendFilterHeaders(let from, let list):
            guard from >= 0, from <= filterHeaders.count else {
                return violations.append("filter headers from \(from) leave a gap")
            }
            filterHeaders.removeLast(filterHeaders.count - from)
            filterHeaders += list
        case .rewindFilters(let height): cutFilters(above: height)
        case .keepFilters(let from, let list):
            for (offset, filter) in list.enumerated() { filters[from + offset] = filter }
        case .dropFilters(let heights):
            filters = filters.filter { !heights.contains($0.key) }
        case .putWallet(let wallet):
            wallets[wallet.id] = wallet
            lastNumber = max(lastNumber, wallet.id.number)
        case .removeWallet(let id): wallets[id] = nil
        case .setProgress(let id, let progress): wallets[id]?.progress = progress
        case .setIssued(let id, let branch, let index): wallets[id]?.issued[branch] = index
        case .setGiven(let script, let index): given[script] = max(given[script] ?? 0, index)
        case .addTransaction(let id, let transaction):
            wallets[id]?.transactions.removeAll {
                $0.height == transaction.height && $0.position == transaction.position
            }
            wallets[id]?.transactions.append(transaction)
        case .peers(let change): apply(change)
        case .broadcast(.kept(let record)):
            broadcasts.removeAll { $0.transaction == record.transaction }
            broadcasts.append(record)
        case .broadcast(.taken(let txid, let endpoint)):
            for place in broadcasts.indices where broadcasts[place].transaction.txid == txid {
                broadcasts[place].takers.insert(endpoint)
            }
        case .broadcast(.removed(let txid)): broadcasts.removeAll { $0.transaction.txid == txid }
        default: break
        }
    }

    private mutating func apply(_ change: PeerChange) {
        switch change {
        case .kept(let record):
            peers.records.removeAll { $0.endpoint == record.endpoint }
            peers.records.append(record)
        case .removed(let endpoint): peers.records.removeAll { $0.endpoint == endpoint }
        case .banned(let ban):
            peers.bans.removeAll { $0.endpoint == ban.endpoint }
            peers.bans.append(ban)
        case .banEnded(let endpoint): peers.bans.removeAll { $0.endpoint == endpoint }
        case .forgotten:
            peers.records.removeAll { $0.source != .manual }
            peers.bans = []
        case .signedList(let bytes): peers.signedList = bytes
        }
    }

    private mutating func cutFilters(above height: Int) {
        filterHeaders.removeLast(max(0, filterHeaders.count - height - 1))
        filters = filters.filter { $0.key <= height }
    }

    /// The rules that hold after every list.
    private mutating func check() {
        if filterHeaders.count > headers.count + 1 {
            violations.append("there are more filter headers than headers")
        }
        for (id, wallet) in wallets {
            guard let progress = wallet.progress else { continue }
            if progress.scanned >= filterHeaders.count, progress.scanned >= progress.start {
                violations.append("wallet \(id.number) is searched above the filter headers")
            }
            if let last = wallet.transactions.map(\.height).max(), Int(last) > headers.count {
                violations.append("wallet \(id.number) has a transaction above the headers")
            }
        }
    }
}
