public import PeerMessages

/// Fetches a signed list of peers from its publisher, about once a day; a failure is tried again after a
/// minute, doubling to an hour. Who serves it is not believed: the list is checked by its signature.
public struct PeerListFetch: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Look a name up, which ends in `resolved` or is given up.
        case ask(ResolveID, name: String, by: ResolveMethod)
        /// Fetch the file, which ends in `fetched` or is given up.
        case fetch(ListFetchID, url: String, ListRoute)
        /// There is no list for now, because of this.
        case failed(String)
    }

    /// How long an attempt may take, its look-ups included.
    public static let timeout = Duration.seconds(120)
    /// How long a transfer may take: a little less, so that it says itself what was wrong.
    public static let transferTimeout = Duration.seconds(60)
    /// How long a list is good for until it is fetched anew, at the least; up to a third more by chance, so that
    /// nobody knows an instance by its hour.
    public static let interval = Duration.seconds(20 * 3600)
    private static let mostHosts = 8
    /// Far from the numbers of questions for seeds.
    private static let firstID: UInt64 = 1 << 48

    /// Where it lies.
    public let source: HTTPSLocation
    private var lastID = PeerListFetch.firstID
    private var question: ResolveID?
    private var method = ResolveMethod.https
    private var transfer: ListFetchID?
    private var deadline: Duration?
    private var next: Duration?
    private var failures = 0
    /// Whether an attempt has ended since the start, well or not.
    public private(set) var hasEnded = false

    /// Nothing is fetched before `start`.
    public init(_ source: HTTPSLocation) { self.source = source }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? { deadline ?? next }

    /// Whether an attempt is under way.
    public var isRunning: Bool { deadline != nil }

    /// Begins.
    ///
    /// - Parameter isFresh: whether a list of today is kept, so that the next one is not due yet.
    public mutating func start(
        isFresh: Bool, policy: RoutingPolicy, random: UInt64, at now: Duration
    ) -> [Action] {
        guard !isFresh else {
            settle(random: random, at: now)
            return []
        }
        return begin(policy, at: now)
    }

    private mutating func begin(_ policy: RoutingPolicy, at now: Duration) -> [Action] {
        next = nil
        guard let way = source.way(policy) else {
            return fail(
                "\(source.name) is on no network that is used (peer-networks): over I2P alone a list "
                    + "comes from a name that ends in .b32.i2p, without Tor from none that ends in .onion",
                at: now)
        }
        deadline = now + PeerListFetch.timeout
        switch way {
        case .lookUp: return ask(.https)
        case .address(let host): return fetch(.direct([host]))
        case .gateway(let overlay): return fetch(.gateway(overlay))
        }
    }

    private mutating func ask(_ method: ResolveMethod) -> [Action] {
        lastID += 1
        let id = ResolveID(lastID)
        question = id
        self.method = method
        return [.ask(id, name: source.name, by: method)]
    }

    private mutating func fetch(_ route: ListRoute) -> [Action] {
        lastID += 1
        let id = ListFetchID(lastID)
        transfer = id
        return [.fetch(id, url: source.url, route)]
    }

    /// A resolver answered; an answer to another question is none.
    public mutating func resolved(
        _ hosts: [PeerHost], to id: ResolveID, at now: Duration
    ) -> [Action] {
        guard question == id else { return [] }
        question = nil
        let usable = hosts.filter { $0.way == .clearnet }.prefix(PeerListFetch.mostHosts)
        if !usable.isEmpty { return fetch(.direct(Array(usable))) }
        return method == .https
            ? ask(.system) : fail("\(source.name) could not be looked up", at: now)
    }

    /// Whether a transfer that has ended is the one that is under way.
    func awaits(_ id: ListFetchID) -> Bool { transfer == id }

    /// A list came, and it was taken.
    public mutating func succeeded(random: UInt64, at now: Duration) {
        failures = 0
        settle(random: random, at: now)
    }

    private mutating func settle(random: UInt64, at now: Duration) {
        (question, transfer, deadline) = (nil, nil, nil)
        hasEnded = true
        let third = UInt64(PeerListFetch.interval.components.seconds / 3)
        next = now + PeerListFetch.interval + .seconds(Int64(random % third))
    }

    /// No list came, or one that is refused.
    public mutating func fail(_ reason: String, at now: Duration) -> [Action] {
        (question, transfer, deadline) = (nil, nil, nil)
        hasEnded = true
        failures += 1
        next = now + BackOff.seeds.delay(afterFailures: failures)
        return [.failed(reason)]
    }

    /// Time has passed.
    public mutating func time(policy: RoutingPolicy, at now: Duration) -> [Action] {
        if let deadline {
            return deadline <= now
                ? fail("\(source.name) gave no list within two minutes", at: now) : []
        }
        guard let next, next <= now else { return [] }
        return begin(policy, at: now)
    }
}

extension HTTPSLocation {
    /// How the server is reached; nil where none of the networks that are used leads there.
    ///
    /// Tor leads to every server, and where it is used nothing else is: who asks for a list is not to be
    /// known by an address that peers do not see. The choice depends on settings alone.
    func way(_ policy: RoutingPolicy) -> Way? {
        let network = host?.way ?? .clearnet
        if network == .i2p || network == .cjdns {
            guard policy.networks.contains(network) else { return nil }
            return network == .i2p ? .gateway(.i2p) : host.map { .address($0) }
        }
        if policy.networks.contains(.tor) { return .gateway(.tor) }
        guard policy.networks.contains(.clearnet), network == .clearnet else { return nil }
        return host.map { .address($0) } ?? .lookUp
    }

    enum Way: Hashable {
        case lookUp
        case address(PeerHost)
        case gateway(DialRoute.Overlay)
    }
}

/// A transfer of a list, numbered by the light client.
public struct ListFetchID: Hashable, Sendable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// A transfer by its number.
    public init(_ number: UInt64) { self.number = number }
}

/// The way to a publisher's server.
public enum ListRoute: Hashable, Sendable {
    /// From this machine, to one of these addresses.
    case direct([PeerHost])
    /// Through a gateway, which is told the name.
    case gateway(DialRoute.Overlay)
}

/// Why a list was not fetched, as a sentence for a person.
public struct ListFetchFailure: Error, Hashable, Sendable {
    /// What happened.
    public let sentence: String
    /// A failure by its sentence.
    public init(_ sentence: String) { self.sentence = sentence }
}
