import Messages
import StateFiles

/// The PSBTs that wait, each the broker's own copy, which it never looks into.
///
/// What came over the link and what consoles submitted have room of their own. Nothing is taken out
/// while an approval of it is carried out, except with its console.
struct PendingQueue: Sendable {
    /// Whose it is.
    enum Origin: Hashable, Sendable {
        case link(RequestID)
        case console(ConsoleID, uid: UInt32)

        var isLink: Bool { if case .link = self { true } else { false } }
    }

    struct Entry: Sendable {
        let id: EntryID
        let origin: Origin
        let file: [UInt8]
        let since: Duration
        /// Nil until it was reviewed.
        var summary: ReviewSummary?
        /// How often the wallets had changed before the review that found it.
        var walletChanges: UInt64 = 0
        var isBeingSigned = false

        /// Whether a review of the same wallets found what is approved, and nothing that an approval does
        /// not cover.
        func agrees(with approval: PSBTApproval, at changes: UInt64) -> Bool {
            guard let summary, walletChanges == changes else { return false }
            return summary.file == approval.file && summary.report == approval.report
                && summary.verdict != .stopped
                && Set(summary.warnings).isSubset(of: approval.accepted)
                && summary.signers.contains(approval.wallet)
        }

        /// Whether a console may see it.
        func isVisible(to console: ConsoleID) -> Bool {
            switch origin {
            case .link: true
            case .console(let owner, _): owner == console
            }
        }
    }

    private let limits: SignerLimits
    /// How entries of the link ended, and when, which all consoles saw: the latest of them.
    private var decided: [EntryID: (end: DecidedEntry.End, at: Duration)] = [:]
    private(set) var entries: [EntryID: Entry] = [:]
    private var last: UInt32 = 0
    /// Wallets that were deleted since the start and did not come back: a review that began before may still
    /// name them.
    private var deleted: Set<VaultID> = []

    init(limits: SignerLimits) { self.limits = limits }

    /// Bytes of all files.
    var bytes: Int { entries.values.reduce(0) { $0 + $1.file.count } }

    /// Takes a file unless too many of its side wait, or too many bytes.
    mutating func take(_ file: [UInt8], from origin: Origin, at now: Duration) -> EntryID? {
        let side = entries.values.filter { $0.origin.isLink == origin.isLink }
        let held = side.reduce(0) { $0 + $1.file.count }
        let room = origin.isLink ? limits.linkEntries : limits.consoleEntries
        let byteRoom = origin.isLink ? limits.linkEntryBytes : limits.consoleEntryBytes
        guard side.count < room, file.count <= byteRoom - held, last < .max else { return nil }
        last += 1
        let id = EntryID(last)
        entries[id] = Entry(id: id, origin: origin, file: file, since: now)
        return id
    }

    /// What a console may see under this number.
    func entry(_ id: EntryID, for console: ConsoleID) -> Entry? {
        entries[id].flatMap { $0.isVisible(to: console) ? $0 : nil }
    }

    /// All that a console may see, the oldest first.
    func entries(for console: ConsoleID) -> [Entry] {
        entries.values.filter { $0.isVisible(to: console) }.sorted { $0.id < $1.id }
    }

    /// The entry of a request.
    func entry(of request: RequestID) -> Entry? {
        entries.values.first { $0.origin == .link(request) }
    }

    /// Another entry of the same side with the same file, the oldest of them.
    func twin(of id: EntryID, _ summary: ReviewSummary) -> EntryID? {
        guard let entry = entries[id] else { return nil }
        let twins = entries.values.filter { other in
            guard other.id != id, other.summary?.file == summary.file else { return false }
            switch entry.origin {
            case .link: return other.origin.isLink
            case .console(let console, _): return other.isVisible(to: console)
            }
        }
        return twins.map(\.id).min()
    }

    mutating func note(_ summary: ReviewSummary, for id: EntryID, at walletChanges: UInt64) {
        let summary = standing(summary)
        entries[id]?.summary = summary
        entries[id]?.walletChanges = walletChanges
    }

    /// What a review found, without the wallets that are gone by now.
    func standing(_ summary: ReviewSummary) -> ReviewSummary {
        var summary = summary
        summary.signers.removeAll { deleted.contains($0) }
        return summary
    }

    /// A wallet is gone. Gives back what came over the link and nobody can sign any more.
    mutating func note(deleted wallet: VaultID) -> [Entry] {
        deleted.insert(wallet)
        var unsignable: [Entry] = []
        for (id, entry) in entries {
            guard let summary = entry.summary, summary.signers.contains(wallet) else { continue }
            let left = standing(summary)
            entries[id]?.summary = left
            if entry.origin.isLink, left.signers.isEmpty { unsignable.append(entry) }
        }
        return unsignable.sorted { $0.id < $1.id }
    }

    /// A wallet came back from a backup.
    mutating func note(restored wallet: VaultID) { deleted.remove(wallet) }

    mutating func setBeingSigned(_ id: EntryID, _ isBeingSigned: Bool) {
        entries[id]?.isBeingSigned = isBeingSigned
    }

    @discardableResult
    mutating func remove(_ id: EntryID) -> Entry? { entries.removeValue(forKey: id) }

    /// What goes with a console.
    mutating func removeAll(of console: ConsoleID) {
        entries = entries.filter {
            if case .console(console, _) = $0.value.origin { false } else { true }
        }
    }

    /// Takes an entry out that was decided.
    mutating func remove(_ entry: Entry, as end: DecidedEntry.End, at now: Duration) {
        remove(entry.id)
        guard entry.origin.isLink else { return }
        decided[entry.id] = (end, now)
        if decided.count > limits.keptAnswers, let oldest = decided.keys.min() {
            decided[oldest] = nil
        }
    }

    /// How an entry was decided that waits no longer; nil where that is not known.
    func decision(on id: EntryID, at now: Duration) -> DecidedEntry? {
        decided[id].map { found in
            DecidedEntry(
                id, found.end, ago: UInt32(clamping: (now - found.at).components.seconds))
        }
    }

    // MARK: Time

    private func end(of entry: Entry) -> Duration? {
        entry.origin.isLink && !entry.isBeingSigned ? entry.since + limits.entryTime : nil
    }

    /// When the next one expires.
    var deadline: Duration? { entries.values.compactMap { end(of: $0) }.min() }

    /// Those whose time is over.
    func expired(at now: Duration) -> [Entry] {
        entries.values.filter { end(of: $0).map { now >= $0 } == true }.sorted { $0.id < $1.id }
    }

    /// An entry as a console lists it.
    func row(_ entry: Entry, at now: Duration) -> PendingEntry {
        let origin: PendingEntry.Origin
        switch entry.origin {
        case .link: origin = .link
        case .console(_, let uid): origin = .console(uid: uid)
        }
        let age = UInt32(clamping: (now - entry.since).components.seconds)
        let left =
            entry.origin.isLink
            ? UInt32(clamping: (entry.since + limits.entryTime - now).components.seconds) : nil
        return PendingEntry(
            id: entry.id, origin: origin, size: UInt32(clamping: entry.file.count), age: age,
            left: left, summary: entry.summary)
    }
}
