public import Chain
public import PeerMessages

/// Asks the seeds of a network, once: over HTTPS for peers with the services that are needed, then
/// over HTTPS for any, then the resolver of this machine, each only if nothing came of what was asked
/// before. What a seed promises is checked when the peer introduces itself.
public struct SeedLookup: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Look a name up, which ends in `received` or is given up.
        case ask(ResolveID, name: String, by: ResolveMethod)
        /// Everything was asked: the hosts that may be dialled.
        case finished([PeerHost])
    }

    /// How long an answer may take.
    public static let answerTimeout = Duration.seconds(15)
    /// Hosts that are taken from the answers to one name.
    public static let mostHosts = 2 * DNSMessage.mostAddresses

    private enum Stage: Int {
        case httpsWithServices
        case https
        case systemWithServices
        case system

        var method: ResolveMethod {
            switch self {
            case .httpsWithServices, .https: .https
            case .systemWithServices, .system: .system
            }
        }

        var prefix: String {
            switch self {
            case .httpsWithServices, .systemWithServices: DNSSeeds.servicePrefix
            case .https, .system: ""
            }
        }

        var next: Stage? { Stage(rawValue: rawValue + 1) }
    }

    private let names: [String]
    private let dropsSpecial: Bool
    private var stage = Stage.httpsWithServices
    private var lastID: UInt64 = 0
    private var open: Set<ResolveID> = []
    private var deadline: Duration?
    private var hosts: [PeerHost] = []

    /// A look-up of the seeds of a network.
    ///
    /// - Parameter names: the seeds; those of the network unless a person has others.
    public init(_ chain: ChainParameters, names: [String]? = nil) {
        self.names = names ?? DNSSeeds.names(of: chain)
        dropsSpecial = AddressBook.isPublic(chain)
    }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? { deadline }

    /// Whether there is anybody to ask.
    public var hasSeeds: Bool { !names.isEmpty }

    /// Whether a resolver is being asked.
    public var isRunning: Bool { deadline != nil }

    /// Asks.
    public mutating func start(at now: Duration) -> [Action] {
        stage = .httpsWithServices
        hosts = []
        return ask(at: now)
    }

    private mutating func ask(at now: Duration) -> [Action] {
        guard hasSeeds else { return [.finished([])] }
        deadline = now + SeedLookup.answerTimeout
        return names.map { name in
            lastID += 1
            let id = ResolveID(lastID)
            open.insert(id)
            return .ask(id, name: stage.prefix + name, by: stage.method)
        }
    }

    /// A resolver answered, with nothing if it failed. An answer to a question that is not open is
    /// none; addresses that nobody else could reach are left out on networks that anybody is on.
    public mutating func received(
        _ answer: [PeerHost], to id: ResolveID, at now: Duration
    ) -> [Action] {
        guard open.remove(id) != nil else { return [] }
        hosts += answer.prefix(SeedLookup.mostHosts).filter {
            $0.way == .clearnet && (!dropsSpecial || $0.isPublic)
        }
        return open.isEmpty ? goOn(at: now) : []
    }

    /// Time has passed.
    public mutating func time(at now: Duration) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        open = []
        return goOn(at: now)
    }

    /// Asks nobody any more; answers that still come are to no question.
    public mutating func cancel() {
        open = []
        deadline = nil
    }

    private mutating func goOn(at now: Duration) -> [Action] {
        if hosts.isEmpty, let next = stage.next {
            stage = next
            return ask(at: now)
        }
        deadline = nil
        var seen: Set<PeerHost> = []
        return [.finished(hosts.filter { seen.insert($0).inserted })]
    }
}
