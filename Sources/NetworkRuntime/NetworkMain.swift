import Bitcoin
import Chain
import ChildRuntime
import Configuration
package import Confinement
import LinuxIO
import Messages
import NetworkCore
import NetworkStore
import NetworkTransport
import PeerMessages

/// The program `bulkhead-network`.
public enum NetworkMain {
    static let name = "bulkhead-network"

    /// Confines the process, serves until it has to end, and ends it.
    public static func run() -> Never {
        var process = ChildProcess(name: name, policy: .network, limits: limits, tcp: .connect)
        let probes = process.startProbes(.networkProbe)
        let chain = process.chain
        let witness = WitnessFile(in: openState(process.arguments.stateDirectory))
        let disk = openDisk(process.arguments.stateDirectory)
        NetworkStore.warmUp()
        PeerConnections.warmUp()
        let parameters = makeParameters(process.arguments, chain)
        let parts = makeParts(process.arguments, parameters)
        let (control, report) = process.confineAndReport()
        let client = startClient(disk, parameters, parts)
        let loop: NetworkLoop
        do throws(Errno) {
            // One that cannot be read is as good as none, which the signer is told.
            let kept = try? witness.read()
            loop = try NetworkLoop(
                control: control, link: FileDescriptor(owning: ChildProcess.Descriptor.link),
                listener: FileDescriptor(owning: ChildProcess.Descriptor.listener), probes: probes,
                witness: witness, parameters: parameters, client: client, report: report,
                process: NetworkProcess(
                    chain: chain, witness: kept, random: SystemRandomNumberGenerator(),
                    at: Kernel.timeSinceBoot()))
        } catch {
            ChildProcess.end(name, .keeperGone, "")
        }
        ChildProcess.end(name, loop.run().code, "")
    }

    /// The directory is opened by its path before confinement; below it everything is reached by
    /// descriptor.
    private static func openState(_ directory: String) -> FileDescriptor {
        do throws(Errno) {
            return try Kernel.openDirectory(directory)
        } catch {
            ChildProcess.end(name, .state, "the network process's directory \(directory): \(error)")
        }
    }

    /// The directory with the one lock on it.
    private static func openDisk(_ directory: String) -> DirectoryDisk {
        do throws(Errno) {
            return try DirectoryDisk(openState(directory))
        } catch .wouldBlock {
            ChildProcess.end(name, .state, "\(StoreRefusal.inUse)")
        } catch {
            ChildProcess.end(name, .state, "the network process's directory \(directory): \(error)")
        }
    }

    /// The light client with what is stored, read under confinement. Where its files are not used the
    /// process serves the signer all the same, and tells people why.
    private static func startClient(
        _ disk: DirectoryDisk, _ parameters: ChainParameters, _ parts: ClientLoop.Parts
    ) -> Result<ClientLoop, StoreRefusal> {
        Result { () throws(StoreRefusal) in
            try ClientLoop(NetworkStore(disk, parameters), parts)
        }
    }

    package static let limits = ResourceLimits([
        .openFiles: 1024, .data: 1 << 30, .fileSize: 64 << 30,
    ])
}

extension NetworkEnding {
    /// The exit status.
    var code: ExitCode {
        switch self {
        case .stopped: .success
        case .keeperGone: .keeperGone
        case .wrongOrders: .usage
        }
    }
}

extension ChainName {
    /// The network of this name.
    var network: Network {
        switch self {
        case .mainnet: .mainnet
        case .testnet3: .testnet3
        case .testnet4: .testnet4
        case .signet: .signet
        case .regtest: .regtest
        }
    }
}
