import Chain
import ChildRuntime
import Configuration
import LinuxIO
import NetworkCore
import NetworkTransport
import PeerMessages

/// The ways out of this process, made before it is confined: what libraries open, they open here.
extension NetworkMain {
    static func makeParts(
        _ arguments: ChildArguments, _ parameters: ChainParameters
    ) -> ClientLoop.Parts {
        let policy: RoutingPolicy
        do throws(OutsideError) {
            policy = try RoutingPolicy(arguments.peers)
        } catch {
            ChildProcess.end(name, .usage, "\(error)")
        }
        let connections = PeerConnections(messageStart: parameters.messageStart)
        connections.gateways = [.tor: policy.tor, .i2p: policy.i2p].compactMapValues { gateway in
            gateway.flatMap { IPEndpoint($0.endpoint.host, port: $0.endpoint.port) }
        }
        return ClientLoop.Parts(
            connections: connections, system: SystemResolver(), https: makeHTTPS(arguments),
            policy: policy)
    }

    private static func makeHTTPS(_ arguments: ChildArguments) -> HTTPSResolver? {
        guard arguments.hasCertificates,
            let file = FileDescriptor(inherited: ChildProcess.Descriptor.certificates)
        else { return nil }
        // By offset, for every process that the keeper starts has the same open file.
        let bytes = try? Kernel.read(file.number, at: 0, count: mostCertificates)
        guard let bytes, !bytes.isEmpty else { return nil }
        return HTTPSResolver(server: arguments.peers.dohServer, certificates: bytes)
    }

    /// Twenty times what Debian's bundle has.
    private static let mostCertificates = 4 << 20
}

/// What is wrong with the settings of peers.
enum OutsideError: Error {
    case gateway(String, PeerEndpointError)
    case name(String)
    case routing(RoutingError)
}

extension OutsideError: CustomStringConvertible {
    var description: String {
        switch self {
        case .gateway(let setting, let error): "\(setting): \(error)"
        case .name(let found): "peer-networks: there is no network called \(found)"
        case .routing(let error): "peer-networks: \(error)"
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
