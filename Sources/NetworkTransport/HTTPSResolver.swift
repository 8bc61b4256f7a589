public import NetworkCore
public import PeerMessages

/// Looks up the addresses of names by DNS over HTTPS (RFC 8484).
public final class HTTPSResolver {
    /// The longest answer that is taken, as it arrives.
    public static let longestAnswer = 64 << 10
    private static let timeout = Duration.seconds(15)

    private let server: String
    private let endpoint: IPEndpoint
    private let transfers: HTTPSTransfers
    private var finished: [(ResolveID, [PeerHost])] = []
    private var told = ToldOnce()
    private var problems: [String] = []

    /// A resolver that asks this server.
    ///
    /// - Parameter server: an https URL whose host is an address, since nothing here looks it up.
    /// - Returns: nil if the URL is none of these.
    public init?(server: String, _ transfers: HTTPSTransfers) {
        guard let endpoint = HTTPSResolver.endpoint(of: server) else { return nil }
        self.server = server
        self.endpoint = endpoint
        self.transfers = transfers
    }

    /// Where a server is asked: nil unless its URL has https, and an address in place of a name.
    static func endpoint(of url: String) -> IPEndpoint? {
        guard let source = HTTPSLocation(url) else { return nil }
        return IPEndpoint(text: source.name, port: source.port)
    }

    /// Looks up the addresses of a name, of both kinds; `takeFinished` has them later.
    public func resolve(_ id: ResolveID, _ name: String) {
        let lookup = Lookup()
        for type in DNSMessage.RecordType.allCases {
            guard let bytes = try? DNSMessage.question(name, type) else { continue }
            let request = HTTPSTransfers.Request(
                server, .direct(endpoint), post: (bytes, "application/dns-message"),
                longest: Self.longestAnswer, timeout: Self.timeout)
            let isAsked = transfers.start(request) { [weak self] result in
                switch result {
                case .success(let answer):
                    switch PeerHost.all(in: answer, to: name, type) {
                    case .success(let hosts): lookup.hosts += hosts
                    case .failure(let error): self?.note("answered, and \(error)")
                    }
                case .failure(let failure): self?.note("\(failure)")
                }
                lookup.waiting -= 1
                if lookup.waiting == 0 { self?.finished.append((id, lookup.hosts)) }
            }
            if isAsked { lookup.waiting += 1 }
        }
        if lookup.waiting == 0 { finished.append((id, [])) }
    }

    /// The look-ups that are over, each once, with what was found.
    public func takeFinished() -> [(ResolveID, [PeerHost])] {
        defer { finished = [] }
        return finished
    }

    /// What went wrong with the server, each kind of it once.
    public func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    private func note(_ problem: String) {
        guard told.isNew(problem) else { return }
        problems.append("the server of names over HTTPS (doh-server, \(server)) \(problem)")
    }

    /// A name that is being looked up.
    private final class Lookup {
        var waiting = 0
        var hosts: [PeerHost] = []
    }
}
