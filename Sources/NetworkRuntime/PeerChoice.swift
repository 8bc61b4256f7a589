import Bitcoin
import Chain
import Configuration
import NetworkCore
import PeerMessages
import Wire

/// What a person's settings say of peers and of what is kept, read.
struct PeerChoice {
    let policy: RoutingPolicy
    let peers: [PeerEndpoint]
    let publishers: Set<Bytes32>
    /// Where a signed list is fetched.
    let list: HTTPSLocation?
    /// Names of seeds; nil for those of the network.
    let seeds: [String]?
    let limits: LightClient.Limits

    init(_ settings: PeerSettings, _ parameters: ChainParameters) throws(OutsideError) {
        policy = try RoutingPolicy(settings)
        var peers: [PeerEndpoint] = []
        for text in settings.peers {
            do throws(PeerEndpointError) {
                peers.append(try PeerEndpoint(text, defaultPort: parameters.defaultPort))
            } catch {
                throw .peer(text, error)
            }
        }
        self.peers = peers
        var publishers: Set<Bytes32> = []
        for text in settings.publishers {
            guard let bytes = try? Hex.decode(text), let key = Bytes32(bytes) else {
                throw .publisher(text)
            }
            publishers.insert(key)
        }
        self.publishers = publishers
        list = try settings.listURL.map { text throws(OutsideError) in
            guard let location = HTTPSLocation(text) else { throw .list(text) }
            return location
        }
        seeds = settings.seeds.isEmpty ? nil : settings.seeds
        var limits = LightClient.Limits()
        limits.pool.seats = settings.seats
        limits.sync.keptFilterBytes = settings.filterStorage << 20
        self.limits = limits
    }
}

extension ChainParameters {
    /// The chain of an instance: its network, and for a signet of one's own the script that signs its
    /// blocks.
    init(_ network: Network, _ settings: PeerSettings) throws(OutsideError) {
        guard let text = settings.signetChallenge else {
            self.init(network)
            return
        }
        guard network == .signet else { throw .challengeOfNoSignet }
        guard let bytes = try? Hex.decode(text), !bytes.isEmpty else { throw .challenge(text) }
        self.init(signetChallenge: Script(bytes))
    }
}

/// What is wrong with the settings of peers.
enum OutsideError: Error {
    case gateway(String, PeerEndpointError)
    case name(String)
    case routing(RoutingError)
    case peer(String, PeerEndpointError)
    case publisher(String)
    case list(String)
    case challenge(String)
    case challengeOfNoSignet
}

extension OutsideError: CustomStringConvertible {
    var description: String {
        switch self {
        case .gateway(let setting, let error): "\(setting): \(error)"
        case .name(let found): "peer-networks: there is no network called \(found)"
        case .routing(let error): "peer-networks: \(error)"
        case .peer(let text, let error): "peers: \(text): \(error)"
        case .publisher(let text): "list-publishers: \(text) is no key of 64 hexadecimal digits"
        case .list(let text):
            "peer-list: \(text) is no https URL of a list, which has a name with a dot and a port from 1 on"
        case .challenge(let text): "signet-challenge: \(text) is no script in hexadecimal digits"
        case .challengeOfNoSignet: "signet-challenge goes with network = signet alone"
        }
    }
}

extension RoutingPolicy {
    /// The policy that a person's settings make.
    init(_ settings: PeerSettings) throws(OutsideError) {
        let tor = try RoutingPolicy.gateway("tor-gateway", settings.torGateway)
        let i2p = try RoutingPolicy.gateway("i2p-gateway", settings.i2pGateway)
        let mode = try RoutingPolicy.mode(settings.networks)
        do throws(RoutingError) {
            try self.init(mode: mode, tor: tor, i2p: i2p)
        } catch {
            throw .routing(error)
        }
    }

    private static func mode(_ text: String) throws(OutsideError) -> Mode {
        switch text {
        case PeerSettings.automatic: return .automatic
        case PeerSettings.direct: return .direct
        default: break
        }
        var networks: Set<PeerNetwork> = []
        for name in text.split(separator: ",") {
            guard let network = PeerNetwork.allCases.first(where: { "\($0)" == name }) else {
                throw .name(String(name))
            }
            networks.insert(network)
        }
        return .manual(networks)
    }

    private static func gateway(
        _ setting: String, _ text: String?
    ) throws(OutsideError) -> Gateway? {
        guard let text else { return nil }
        do throws(PeerEndpointError) {
            guard let gateway = Gateway(try PeerEndpoint(text, defaultPort: 9050)) else {
                throw .host(text)
            }
            return gateway
        } catch {
            throw .gateway(setting, error)
        }
    }
}
