import Bitcoin
import Chain
public import Descriptors
import StateFiles
public import Watch

/// The wallets, how far each is searched for, and what to search next.
public struct WalletBook: Sendable {
    /// A wallet and its progress.
    public struct Entry: Sendable {
        /// Its number.
        public let id: WalletID
        /// The name that a person gave it.
        public internal(set) var name: String
        /// What it watches.
        public let descriptors: [Descriptor]
        /// How many unused addresses behind the last used one may have been given out.
        public let gapLimit: UInt32
        /// From when on it may have been paid.
        public let birthday: WalletBirthday
        /// How far it is searched for; nil while the height of its birthday is not known.
        public internal(set) var progress: ScanProgress?
        /// Its coins and history.
        public internal(set) var wallet: WatchedWallet

        /// As many indices of each branch as are watched.
        var counts: [UInt32] { wallet.branches.map(\.watchedCount) }
    }

    /// Blocks that are searched for some scripts.
    struct Walk: Hashable {
        enum Kind: Hashable {
            /// For all scripts of these wallets.
            case first([WalletID])
            /// For scripts of one wallet that came to be watched later.
            case again(WalletID)
        }

        let kind: Kind
        let heights: ClosedRange<Int>
    }

    /// Wallets that can be watched.
    public static let limit = 256
    /// A wallet no further behind than this follows the tip, before others catch up.
    static let nearby = 100
    /// Clocks of miners are off by up to two hours; a birthday by time is taken to be a day earlier.
    static let birthdayMargin: UInt64 = 24 * 60 * 60

    private let step: UInt32
    /// The highest number that a wallet ever had: none is used again, so that it means one wallet for ever.
    private var lastNumber: UInt32
    private(set) var entries: [WalletID: Entry] = [:]
    /// The highest index that was ever given out, of wallets that are gone too, by the branch's
    /// `WatchedBranch.lastScript`.
    private var given: [Script: UInt32]
    /// Those whose progress has to be written.
    private(set) var unwritten: Set<WalletID> = []

    /// No wallets.
    ///
    /// - Parameters:
    ///   - step: see `WatchedWallet`.
    ///   - given: what was given out by wallets that are watched no more.
    ///   - lastNumber: the highest number that a wallet had.
    init(step: UInt32, given: [Script: UInt32] = [:], lastNumber: UInt32 = 0) {
        self.step = max(1, step)
        self.given = given
        self.lastNumber = lastNumber
    }

    // MARK: What is there

    /// The wallets, the oldest first.
    public var all: [Entry] { entries.values.sorted { $0.id < $1.id } }

    /// A wallet by its number.
    public subscript(id: WalletID) -> Entry? { entries[id] }

    /// Takes a wallet from the store, as far as the chain has it. Gives back what has to be written
    /// where the store has more.
    mutating func load(
        _ stored: StoredWallet, _ chain: HeaderChain, filters: Int
    ) -> [StoreChange] {
        // A descriptor that cannot be derived was refused when the wallet was added.
        guard
            let wallet = try? WatchedWallet(
                stored.descriptors, gapLimit: max(1, stored.gapLimit), step: step,
                issued: stored.issued, transactions: stored.transactions)
        else { return [] }
        for (script, index) in wallet.given { note(index, of: script) }
        lastNumber = max(lastNumber, stored.id.number)
        var entry = Entry(
            id: stored.id, name: stored.name, descriptors: stored.descriptors,
            gapLimit: stored.gapLimit, birthday: stored.birthday, progress: stored.progress,
            wallet: wallet)
        let counts = entry.counts
        // What was watched because of blocks that are gone is watched anew when it is time.
        entry.progress?.covered = zip(counts, stored.progress?.covered ?? []).map { min($0, $1) }
        if let progress = entry.progress {
            let missing = counts.count - progress.covered.count
            entry.progress?.covered += [UInt32](repeating: 0, count: missing)
            if let pass = progress.pass, pass.counts.count == counts.count {
                entry.progress?.pass?.counts = zip(counts, pass.counts).map { min($0, $1) }
            } else {
                entry.progress?.pass = nil
            }
        }
        let stale = wallet.transactions.first {
            chain.hash(at: Int($0.height)) != $0.block
        }
        var height = min(chain.height, filters)
        if let stale {
            height = min(height, Int(stale.height) - 1)
            // No more than the store forgets: what is left is of the chain, searched for or not.
            entry.wallet.rollBack(above: UInt32(max(0, Int(stale.height) - 1)))
        }
        entry.progress?.rewind(to: height)
        entries[stored.id] = entry
        if entry.progress != stored.progress { unwritten.insert(stored.id) }
        guard let stale else { return [] }
        // Where the end of the chain was lost, the same goes for everything above it.
        guard Int(stale.height) <= chain.height else { return [.rollBack(above: chain.height)] }
        var mended = stored
        mended.progress = entry.progress
        mended.transactions = entry.wallet.transactions
        return [.removeWallet(stored.id), .putWallet(mended)]
    }

    /// Takes a new wallet.
    mutating func add(
        name: String, _ descriptors: [Descriptor], gapLimit: UInt32, birthday: WalletBirthday
    ) throws(ClientRefusal) -> StoredWallet {
        guard entries.count < WalletBook.limit, lastNumber < .max else {
            throw .tooMany(limit: WalletBook.limit)
        }
        if let other = all.first(where: { GivenName.areTwins($0.name, name) }) {
            throw .nameTaken(other.id)
        }
        let id = WalletID(lastNumber + 1)
        var wallet: WatchedWallet
        do throws(DerivationError) {
            wallet = try WatchedWallet(
                descriptors, gapLimit: max(1, gapLimit), step: step)
        } catch {
            throw .notDerivable(error)
        }
        let identity = wallet.identity
        if let other = all.first(where: { $0.wallet.identity == identity }) {
            throw .alreadyWatched(other.id, name: other.name)
        }
        var issued: [Int: UInt32] = [:]
        for (branch, row) in wallet.branches.enumerated() {
            guard let index = given[row.lastScript] else { continue }
            issued[branch] = index
            _ = wallet.noteIssued(index, of: branch)
        }
        lastNumber = id.number
        entries[id] = Entry(
            id: id, name: name, descriptors: descriptors, gapLimit: max(1, gapLimit),
            birthday: birthday, progress: nil, wallet: wallet)
        return StoredWallet(
            id: id, name: name, descriptors: descriptors, gapLimit: max(1, gapLimit),
            birthday: birthday, issued: issued)
    }

    /// Forgets a wallet, and gives back what it gave out.
    mutating func remove(_ id: WalletID) throws(ClientRefusal) -> [(Script, UInt32)] {
        guard let entry = entries.removeValue(forKey: id) else { throw .noSuchWallet }
        unwritten.remove(id)
        return entry.wallet.given
    }

    /// Gives wallets other names, all at once, so that two can change theirs. Twins of old that keep theirs
    /// are in nobody's way.
    mutating func rename(_ names: [WalletID: String]) throws(ClientRefusal) {
        guard names.keys.allSatisfy({ entries[$0] != nil }) else { throw .noSuchWallet }
        var owners: [String: WalletID] = [:]
        for entry in all where names[entry.id] == nil {
            owners[GivenName.looks(of: entry.name)] = entry.id
        }
        for (id, name) in names.sorted(by: { $0.key < $1.key }) {
            let looks = GivenName.looks(of: name)
            if let other = owners[looks] { throw .nameTaken(other) }
            owners[looks] = id
        }
        for (id, name) in names { entries[id]?.name = name }
    }

    private mutating func note(_ index: UInt32, of script: Script) {
        given[script] = max(given[script] ?? 0, index)
    }

    /// Gives out an address.
    mutating func issue(
        _ id: WalletID, branch: Int
    ) throws(ClientRefusal) -> (script: Script, index: UInt32) {
        guard let entry = entries[id] else { throw .noSuchWallet }
        guard entry.wallet.branches.indices.contains(branch) else { throw .noSuchBranch }
        let script = entry.wallet.branches[branch].lastScript
        // Another wallet may have the same account among others.
        if let index = given[script] { _ = entries[id]?.wallet.noteIssued(index, of: branch) }
        do throws(AddressIssueError) {
            let issued = try entries[id]?.wallet.issueAddress(of: branch)
            guard let issued else { throw .changeBranch }
            note(issued.index, of: script)
            return (issued.script, issued.index)
        } catch {
            throw .address(error)
        }
    }

    /// Has the blocks from a height on searched again.
    mutating func rescan(_ id: WalletID?, from height: Int) throws(ClientRefusal) {
        if let id, entries[id] == nil { throw .noSuchWallet }
        for (key, entry) in entries where id == nil || id == key {
            guard var progress = entry.progress else { continue }
            let first = max(1, min(height, progress.scanned + 1))
            progress.start = min(progress.start, first)
            progress.rewind(to: first - 1)
            progress.pass = nil
            set(progress, of: key)
        }
    }

    // MARK: The chain

    /// Blocks above a height left the chain.
    mutating func rollBack(above height: Int) {
        for id in entries.keys {
            entries[id]?.wallet.rollBack(above: UInt32(clamping: height))
        }
        rewind(to: height)
    }

    /// What filters above a height said does not count.
    mutating func rewind(to height: Int) {
        for (id, entry) in entries {
            guard var progress = entry.progress else { continue }
            progress.rewind(to: height)
            set(progress, of: id)
        }
    }

    /// Finds the heights of birthdays, as far as the headers tell.
    ///
    /// - Parameter isCurrent: whether no more headers are known to anybody.
    mutating func resolveBirthdays(_ chain: HeaderChain, isCurrent: Bool) {
        for (id, entry) in entries where entry.progress == nil {
            let start: Int?
            switch entry.birthday {
            case .unknown: start = 1
            case .height(let height): start = height <= chain.height + 1 ? max(1, height) : nil
            case .time(let time):
                let earliest = time - min(time, WalletBook.birthdayMargin)
                guard isCurrent || UInt64(chain.tip.time) >= earliest else { continue }
                start = (1...max(1, chain.height)).first {
                    UInt64(chain.time(at: $0) ?? 0) >= earliest
                }
            }
            guard let first = start ?? (isCurrent ? chain.height + 1 : nil) else { continue }
            set(ScanProgress(start: first, covered: entry.counts), of: id)
        }
    }

    private mutating func set(_ progress: ScanProgress, of id: WalletID) {
        var progress = progress
        // Where nothing was searched, nothing was missed.
        if progress.scanned < progress.start, let entry = entries[id] {
            progress.covered = entry.counts
            progress.pass = nil
        }
        guard entries[id]?.progress != progress else { return }
        entries[id]?.progress = progress
        unwritten.insert(id)
    }

    /// What has to be written of progress; it is taken to be written then.
    mutating func takeUnwritten() -> [StoreChange] {
        defer { unwritten = [] }
        return unwritten.sorted().compactMap { id in
            entries[id]?.progress.map { .setProgress(id, $0) }
        }
    }
}

// MARK: - Searching

extension WalletBook {
    /// What to search next, when filter headers are known through a height: wallets that follow the
    /// tip, then those that catch up, the furthest behind first, until they meet; then second passes.
    func nextWalk(through target: Int) -> Walk? {
        let open = entries.values.filter { $0.progress.map { $0.scanned < target } ?? false }
        let levels = Set(open.compactMap { $0.progress?.scanned }).sorted()
        let near = levels.last { target - $0 <= WalletBook.nearby }
        if let level = near ?? levels.first {
            let ids = open.filter { $0.progress?.scanned == level }.map(\.id).sorted()
            let meeting = levels.first { $0 > level } ?? target
            return Walk(kind: .first(ids), heights: level + 1...meeting)
        }
        for entry in all {
            guard let progress = entry.progress else { continue }
            if let pass = progress.pass, pass.next <= pass.end {
                return Walk(kind: .again(entry.id), heights: pass.next...pass.end)
            }
            guard progress.pass == nil, progress.start <= progress.scanned,
                zip(entry.counts, progress.covered).contains(where: { $0 > $1 })
            else { continue }
            return Walk(kind: .again(entry.id), heights: progress.start...progress.scanned)
        }
        return nil
    }

    /// Notes that a walk begins.
    mutating func begin(_ walk: Walk) {
        guard case .again(let id) = walk.kind, let entry = entries[id],
            var progress = entry.progress,
            progress.pass == nil
        else { return }
        progress.pass = ScanProgress.Pass(
            next: walk.heights.lowerBound, end: walk.heights.upperBound, counts: entry.counts)
        set(progress, of: id)
    }

    /// The scripts that a walk looks for.
    func scripts(of walk: Walk) -> Set<Script> {
        switch walk.kind {
        case .first(let ids):
            return Set(ids.flatMap { entries[$0]?.wallet.places.keys.map(\.self) ?? [] })
        case .again(let id):
            guard let entry = entries[id], let progress = entry.progress, let pass = progress.pass
            else { return [] }
            let wanted = entry.wallet.places.filter { _, place in
                (progress.covered[
                    place.branch]..<max(pass.counts[place.branch], progress.covered[place.branch]))
                    .contains(place.index)
            }
            return Set(wanted.keys)
        }
    }

    /// Takes a block of a walk; nil if its filter has nothing of what is looked for.
    ///
    /// - Returns: the scripts that came to be watched, and the wallets' transactions in the block.
    mutating func apply(
        _ block: Block?, at height: Int, of walk: Walk
    ) -> (added: [Script], found: [(WalletID, WatchedTransaction)]) {
        let ids: [WalletID] =
            switch walk.kind {
            case .first(let ids): ids
            case .again(let id): [id]
            }
        var added: [Script] = []
        var found: [(WalletID, WatchedTransaction)] = []
        for id in ids {
            if let block { added += apply(block, at: UInt32(clamping: height), to: id, &found) }
            guard var progress = entries[id]?.progress else { continue }
            switch walk.kind {
            case .first:
                // A step that does not follow the one before leaves the gap to the next walk.
                guard progress.scanned == height - 1 else { break }
                progress.scanned = height
                // This block may spend a coin that the second pass has still to find.
                progress.pass?.end = height
            case .again:
                guard progress.pass?.next == height else { continue }
                progress.pass?.next = height + 1
                if height + 1 > progress.pass?.end ?? height { progress.finishPass() }
            }
            entries[id]?.progress = progress
            unwritten.insert(id)
        }
        return (added, found)
    }

    private mutating func apply(
        _ block: Block, at height: UInt32, to id: WalletID,
        _ found: inout [(WalletID, WatchedTransaction)]
    ) -> [Script] {
        let before = entries[id]?.wallet.transactions(at: height).count ?? 0
        // A block of another branch was rolled back before this one came.
        let added = (try? entries[id]?.wallet.apply(block, at: height)) ?? []
        let transactions = entries[id]?.wallet.transactions(at: height) ?? []
        if transactions.count > before { found += transactions.map { (id, $0) } }
        return added
    }
}

extension WalletBook {
    /// Whether a wallet is paid by a transaction, or one of its coins is spent.
    func concerns(_ transaction: Bitcoin.Transaction) -> Bool {
        entries.values.contains { entry in
            transaction.outputs.contains { entry.wallet.places[$0.scriptPubKey] != nil }
                || transaction.inputs.contains { entry.wallet.coins[$0.outpoint] != nil }
        }
    }
}

extension WatchedWallet {
    /// The highest index that each branch gave out, by its `lastScript`.
    fileprivate var given: [(Script, UInt32)] {
        branches.compactMap { branch in branch.lastIssued.map { (branch.lastScript, $0) } }
    }
}
