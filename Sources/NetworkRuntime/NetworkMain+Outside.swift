import Chain
import ChildRuntime
import Configuration
import LinuxIO
import Messages
import NetworkCore
import NetworkTransport
import PeerMessages

/// The ways out of this process, made before it is confined: what libraries open, they open here.
extension NetworkMain {
    static func makeParameters(_ arguments: ChildArguments, _ chain: ChainName) -> ChainParameters {
        do throws(OutsideError) {
            return try ChainParameters(chain.network, arguments.peers)
        } catch {
            ChildProcess.end(name, .usage, "\(error)")
        }
    }

    static func makeParts(
        _ arguments: ChildArguments, _ parameters: ChainParameters
    ) -> ClientLoop.Parts {
        let choice: PeerChoice
        do throws(OutsideError) {
            choice = try PeerChoice(arguments.peers, parameters)
        } catch {
            ChildProcess.end(name, .usage, "\(error)")
        }
        let policy = choice.policy
        let connections = PeerConnections(messageStart: parameters.messageStart)
        connections.gateways = [.tor: policy.tor, .i2p: policy.i2p].compactMapValues { gateway in
            gateway.flatMap { IPEndpoint($0.endpoint.host, port: $0.endpoint.port) }
        }
        let transfers = makeTransfers(arguments)
        return ClientLoop.Parts(
            connections: connections, system: SystemResolver(), transfers: transfers,
            https: transfers.flatMap { HTTPSResolver(server: arguments.peers.dohServer, $0) },
            choice: choice, peerList: readPeerList(arguments))
    }

    private static func makeTransfers(_ arguments: ChildArguments) -> HTTPSTransfers? {
        guard arguments.hasCertificates,
            let file = FileDescriptor(inherited: ChildProcess.Descriptor.certificates)
        else { return nil }
        // By offset, for every process that the keeper starts has the same open file.
        let bytes = try? Kernel.read(file.number, at: 0, count: PeerSettings.largestCertificates)
        guard let bytes, !bytes.isEmpty else { return nil }
        return HTTPSTransfers(certificates: bytes)
    }

    /// The list that a person's settings name, one byte more than any list has if it is longer.
    private static func readPeerList(_ arguments: ChildArguments) -> [UInt8]? {
        guard arguments.hasPeerList,
            let file = FileDescriptor(inherited: ChildProcess.Descriptor.peerList)
        else { return nil }
        return (try? Kernel.read(file.number, at: 0, count: SignedPeerList.longest + 1)) ?? []
    }
}
