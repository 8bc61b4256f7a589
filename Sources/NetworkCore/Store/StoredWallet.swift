public import Descriptors
public import Watch

/// A wallet by its number in the store.
public struct WalletID: Hashable, Sendable, Comparable {
    /// Counted from 1.
    public let number: UInt32
    /// A wallet by its number.
    public init(_ number: UInt32) { self.number = number }

    /// Orders by age.
    public static func < (left: WalletID, right: WalletID) -> Bool { left.number < right.number }
}

/// From when on a wallet may have been paid.
public enum WalletBirthday: Hashable, Sendable {
    /// Nobody knows.
    case unknown
    /// From the block at this height on.
    case height(Int)
    /// From this time on, in seconds since 1970.
    case time(UInt64)
}

/// How far a wallet is searched for.
///
/// For the indices below `covered` every block from `start` to `scanned` was searched. Scripts of
/// higher indices came to be watched while blocks were searched, because addresses near the end were
/// in use; what lies below is searched for them by a second pass, `pass`.
public struct ScanProgress: Hashable, Sendable {
    /// The lowest height that is searched.
    public var start: Int
    /// The highest height up to which everything was searched; `start` - 1 if nothing was.
    public var scanned: Int
    /// For each branch, in the order of `WatchedWallet.branches`, how many indices from 0.
    public var covered: [UInt32]
    /// The second pass, if one is under way.
    public var pass: Pass?

    /// A search of the blocks up to `end` for scripts that came to be watched above.
    public struct Pass: Hashable, Sendable {
        /// The next height to search.
        public var next: Int
        /// The last: `scanned`, also where that grows meanwhile, because a block that comes may spend
        /// what is still to be found below.
        public var end: Int
        /// What `covered` is when it is done.
        public var counts: [UInt32]

        /// A pass by its parts.
        public init(next: Int, end: Int, counts: [UInt32]) {
            self.next = next
            self.end = end
            self.counts = counts
        }
    }

    /// Nothing is searched below a height, and nothing was yet from there on.
    public init(start: Int, covered: [UInt32]) {
        self.start = start
        scanned = start - 1
        self.covered = covered
    }

    /// Progress by its parts, as it comes back from a store.
    public init(start: Int, scanned: Int, covered: [UInt32], pass: Pass?) {
        self.start = start
        self.scanned = scanned
        self.covered = covered
        self.pass = pass
    }

    /// What was said of blocks above a height does not count any more. Twice is as once.
    public mutating func rewind(to height: Int) {
        start = min(start, height + 1)
        scanned = min(scanned, height)
        guard var open = pass else { return }
        open.end = min(open.end, height)
        pass = open
        if open.next > open.end { finishPass() }
    }

    /// The second pass is done.
    mutating func finishPass() {
        guard let done = pass else { return }
        covered = done.counts
        pass = nil
    }
}

/// A wallet as the store has it.
public struct StoredWallet: Hashable, Sendable {
    /// Its number.
    public let id: WalletID
    /// The name that a person gave it.
    public var name: String
    /// What it watches; no private keys.
    public let descriptors: [Descriptor]
    /// How many unused addresses behind the last used one may have been given out.
    public let gapLimit: UInt32
    /// From when on it may have been paid.
    public let birthday: WalletBirthday
    /// How far it is searched for; nil while the height of its birthday is not known.
    public var progress: ScanProgress?
    /// The highest index that was given out, by the branch's place in `WatchedWallet.branches`.
    public var issued: [Int: UInt32]
    /// Its confirmed transactions, in the order of the chain.
    public var transactions: [WatchedTransaction]

    /// A wallet by its parts.
    public init(
        id: WalletID, name: String, descriptors: [Descriptor], gapLimit: UInt32 = 20,
        birthday: WalletBirthday, progress: ScanProgress? = nil, issued: [Int: UInt32] = [:],
        transactions: [WatchedTransaction] = []
    ) {
        self.id = id
        self.name = name
        self.descriptors = descriptors
        self.gapLimit = gapLimit
        self.birthday = birthday
        self.progress = progress
        self.issued = issued
        self.transactions = transactions
    }
}
