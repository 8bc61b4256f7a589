public import Chain
public import PeerMessages

/// The addresses of peers that are known: which may be dialled, in which order, and which rest.
///
/// Everything has a bound. What rests is forgotten with the process; records and bans are kept.
public struct AddressBook: Sendable {
    /// Numbers that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// Peers added by hand.
        public var manual = 64
        /// Peers that have served and are kept.
        public var saved = 100
        /// Addresses of each other source that were not tried yet.
        public var candidates = 1000
        /// Bans.
        public var bans = 1000
        /// How long a ban lasts: addresses change hands.
        public var banSeconds: Int64 = 90 * 24 * 3600
        /// Addresses that rest.
        public var rests = 4096

        /// The limits of the product.
        public init() {}
    }

    /// Why an address was not taken.
    public enum Refusal: Error, Hashable, Sendable {
        /// It cannot be dialled on any network.
        case unusable
        /// It is of a range that is not public, and came from others.
        case special
        /// It lied.
        case banned
        /// There are as many as are kept.
        case full
        /// The configuration file names it.
        case configured
    }

    /// A time in which an endpoint is not dialled.
    public struct Rest: Hashable, Sendable {
        /// So many failures in a row.
        let failures: Int
        /// When it ends.
        public let until: Duration
        /// The last failure.
        public let fault: PeerFault

        /// How many whole seconds are left.
        public func seconds(from now: Duration) -> Int64 {
            max(0, (until - now).components.seconds)
        }
    }

    private let limits: Limits
    /// Whether addresses of private and special ranges are dropped: on every network that is public.
    private let isPublicNetwork: Bool
    private var records: [PeerEndpoint: PeerRecord] = [:]
    /// The endpoints in the order in which they came, so that a seed repeats a run.
    private var order: [PeerEndpoint] = []
    private var bans: [PeerHost: [PeerBan]] = [:]
    private var banCount = 0
    private var rests: [PeerEndpoint: Rest] = [:]
    /// Those that the configuration file names: as if added by hand, for as long as it names them, so
    /// nothing of them is kept.
    private let configured: Set<PeerEndpoint>

    /// The book of a network, with what was kept of it.
    ///
    /// - Parameters:
    ///   - configured: peers that the configuration file names.
    ///   - clock: seconds since 1970.
    public init(
        _ chain: ChainParameters, _ kept: KeptPeers = KeptPeers(),
        configured: [PeerEndpoint] = [], limits: Limits = Limits(), clock: Int64
    ) {
        self.limits = limits
        let byHand = Set(kept.records.filter { $0.source == .manual }.map(\.endpoint))
        self.configured = Set(configured).subtracting(byHand)
        isPublicNetwork = AddressBook.isPublic(chain)
        for ban in kept.bans where clock - ban.since < limits.banSeconds { enter(ban) }
        for record in kept.records {
            // What was written by an older release, or changed on the disk, has to pass as well.
            guard (try? check(record.endpoint, record.source)) != nil else { continue }
            keep(record)
        }
        for endpoint in configured { _ = try? add(endpoint, .manual) }
    }

    /// Whether the configuration file names a peer that was not added by hand as well.
    public func isConfigured(_ endpoint: PeerEndpoint) -> Bool { configured.contains(endpoint) }

    /// The change that keeps a record; none for one that the configuration file names.
    private func kept(_ record: PeerRecord) -> [PeerChange] {
        isConfigured(record.endpoint) ? [] : [.kept(record)]
    }

    /// Whether anybody may be on a network. A signet of one's own and regtest are played on machines
    /// that have no public address.
    static func isPublic(_ chain: ChainParameters) -> Bool {
        chain == ChainParameters(chain.network) && chain.network != .regtest
    }

    // MARK: What is known

    /// The records.
    public var all: [PeerRecord] { order.compactMap { records[$0] } }

    /// Whether a person added any by hand.
    var hasManual: Bool { records.values.contains { $0.source == .manual } }

    /// The record of an endpoint.
    public func record(_ endpoint: PeerEndpoint) -> PeerRecord? { records[endpoint] }

    /// The bans.
    public var allBans: [PeerBan] { bans.values.flatMap { $0 } }

    /// Why an endpoint is banned; nil if it is not.
    public func ban(of endpoint: PeerEndpoint) -> PeerBan? {
        bans[endpoint.host]?.first { covers($0, endpoint) }
    }

    /// A host that others can reach too is one liar on all its ports; behind a private address there
    /// may be many machines.
    private func covers(_ ban: PeerBan, _ endpoint: PeerEndpoint) -> Bool {
        endpoint.host.isPublic || ban.endpoint.port == endpoint.port
    }

    /// How long an endpoint rests, and why; nil if it does not.
    public func rest(of endpoint: PeerEndpoint, at now: Duration) -> Rest? {
        rests[endpoint].flatMap { $0.until > now ? $0 : nil }
    }

    /// The failure after which nothing was served any more.
    func lastFault(of endpoint: PeerEndpoint) -> PeerFault? { rests[endpoint]?.fault }

    /// Records in the order in which they are dialled: by hand, saved, of a signed list, of seeds.
    /// Within each the order is random, so that nobody wins by being early or fast.
    public func candidates(
        using random: inout some RandomNumberGenerator
    ) -> [PeerRecord] {
        let ranked = all.map { (AddressBook.rank($0), $0) }
        return (0...3).flatMap { rank in
            ranked.filter { $0.0 == rank }.map(\.1).shuffled(using: &random)
        }
    }

    private static func rank(_ record: PeerRecord) -> Int {
        if record.source == .manual { return 0 }
        if record.served != nil { return 1 }
        return record.source == .signedList ? 2 : 3
    }

    private mutating func keep(_ record: PeerRecord) {
        if records.updateValue(record, forKey: record.endpoint) == nil {
            order.append(record.endpoint)
        }
    }

    private mutating func keepOnly(_ isKept: (PeerRecord) -> Bool) {
        records = records.filter { isKept($0.value) }
        order = order.filter { records[$0] != nil }
    }

    // MARK: What comes in

    private func check(_ endpoint: PeerEndpoint, _ source: PeerSource) throws(Refusal) {
        guard endpoint.isUsable, endpoint.host.way != nil else { throw .unusable }
        guard source == .manual || !isPublicNetwork || endpoint.host.isPublic else {
            throw .special
        }
        guard source == .manual || ban(of: endpoint) == nil else { throw .banned }
    }

    /// Takes an address. One that is known keeps its source, except that a person's word goes above
    /// every other.
    public mutating func add(
        _ endpoint: PeerEndpoint, _ source: PeerSource
    ) throws(Refusal) -> [PeerChange] {
        try check(endpoint, source)
        if var known = records[endpoint] {
            guard source == .manual else { return [] }
            let changes = endBans(of: endpoint)
            guard known.source != .manual else { return changes }
            try makeRoom(for: .manual)
            known.source = .manual
            keep(known)
            return changes + kept(known)
        }
        try makeRoom(for: source)
        let record = PeerRecord(endpoint, source: source)
        keep(record)
        guard source == .manual else { return [] }
        rests[endpoint] = nil
        return endBans(of: endpoint) + kept(record)
    }

    private func makeRoom(for source: PeerSource) throws(Refusal) {
        let isManual = source == .manual
        let limit = isManual ? limits.manual : limits.candidates
        let count = records.values.count {
            $0.source == source && (isManual || $0.served == nil)
        }
        guard count < limit else { throw .full }
    }

    /// A person removes a peer.
    public mutating func remove(_ endpoint: PeerEndpoint) throws(Refusal) -> [PeerChange] {
        guard !isConfigured(endpoint) else { throw .configured }
        guard records[endpoint] != nil else { return [] }
        keepOnly { $0.endpoint != endpoint }
        rests[endpoint] = nil
        return [.removed(endpoint)]
    }

    /// A new answer of a source stands in place of what it said before and was not tried.
    public mutating func dropUntried(_ source: PeerSource) {
        keepOnly { $0.source != source || $0.served != nil }
    }

    /// A person wants to begin anew: what was added by hand stays.
    public mutating func forget() -> [PeerChange] {
        keepOnly { $0.source == .manual }
        bans = [:]
        banCount = 0
        rests = [:]
        return [.forgotten]
    }

    // MARK: What peers do

    /// The peer answered a question: its failures are forgotten and it is saved.
    public mutating func served(
        _ endpoint: PeerEndpoint, _ source: PeerSource, services: PeerServices, clock: Int64
    ) -> [PeerChange] {
        rests[endpoint] = nil
        var record = records[endpoint] ?? PeerRecord(endpoint, source: source)
        record.services = services
        record.served = clock
        keep(record)
        return kept(record) + dropOldest()
    }

    /// The longest not seen leave when there are too many.
    private mutating func dropOldest() -> [PeerChange] {
        let saved = all.filter { $0.served != nil && $0.source != .manual }
        guard saved.count > limits.saved else { return [] }
        let oldest = saved.sorted { ($0.served ?? 0) < ($1.served ?? 0) }
            .prefix(saved.count - limits.saved).map(\.endpoint)
        keepOnly { !oldest.contains($0.endpoint) }
        return oldest.map { .removed($0) }
    }

    /// What follows from a fault: rest, loss of its place among the saved, or a ban.
    public mutating func failed(
        _ endpoint: PeerEndpoint, _ fault: PeerFault, at now: Duration, clock: Int64
    ) -> [PeerChange] {
        let failures = fault.keepsSaved ? (rests[endpoint]?.failures ?? 0) + 1 : 64
        let isManual = records[endpoint]?.source == .manual
        let rule = isManual && fault.keepsSaved ? BackOff.manualPeers : .peers
        rests[endpoint] = Rest(
            failures: failures, until: now + rule.delay(afterFailures: failures), fault: fault)
        boundRests(at: now)
        var changes: [PeerChange] = []
        if case .proven(let proof) = fault {
            changes += enter(PeerBan(endpoint, for: proof, since: clock))
        }
        // What a person wrote down is not for a peer's conduct to strike out.
        guard !fault.keepsSaved, let record = records[endpoint], record.source != .manual else {
            return changes
        }
        keepOnly { $0.endpoint != endpoint }
        return changes + (record.served == nil ? [] : [.removed(endpoint)])
    }

    private mutating func boundRests(at now: Duration) {
        guard rests.count > limits.rests else { return }
        rests = rests.filter { $0.value.until > now }
        guard rests.count > limits.rests,
            let first = rests.min(by: { $0.value.until < $1.value.until })
        else { return }
        rests[first.key] = nil
    }

    @discardableResult
    private mutating func enter(_ ban: PeerBan) -> [PeerChange] {
        guard bans[ban.endpoint.host]?.contains(where: { covers($0, ban.endpoint) }) != true else {
            return []
        }
        var changes: [PeerChange] = []
        if banCount >= limits.bans,
            let oldest = allBans.min(by: {
                ($0.since, "\($0.endpoint)") < ($1.since, "\($1.endpoint)")
            })
        {
            changes = lift(oldest)
        }
        bans[ban.endpoint.host, default: []].append(ban)
        banCount += 1
        return changes + [.banned(ban)]
    }

    private mutating func lift(_ ban: PeerBan) -> [PeerChange] {
        let host = ban.endpoint.host
        bans[host] = bans[host]?.filter { $0 != ban }
        if bans[host]?.isEmpty == true { bans[host] = nil }
        banCount -= 1
        return [.banEnded(ban.endpoint)]
    }

    /// A person who adds a peer by hand has decided.
    private mutating func endBans(of endpoint: PeerEndpoint) -> [PeerChange] {
        (bans[endpoint.host] ?? []).filter { covers($0, endpoint) }.flatMap { lift($0) }
    }
}

extension AddressBook.Refusal: CustomStringConvertible {
    /// Why, and what to do.
    public var description: String {
        switch self {
        case .unusable: "no peer can be dialled at this address"
        case .special: "addresses of this range are not public"
        case .banned: "this peer lied and is banned: adding it by hand ends that"
        case .configured: "the configuration file names this peer: take it out of peers there"
        case .full: "there are as many peers as are kept: remove one that is not needed"
        }
    }
}
