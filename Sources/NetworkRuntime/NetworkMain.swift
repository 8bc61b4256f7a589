import ChildRuntime
import Configuration
package import Confinement
import LinuxIO
import Messages
import NetworkCore

/// The program `bulkhead-network`.
public enum NetworkMain {
    private static let name = "bulkhead-network"

    /// Confines the process, serves until it has to end, and ends it.
    public static func run() -> Never {
        var process = ChildProcess(name: name, policy: .network, limits: limits, tcp: .connect)
        let probes = process.startProbes(.networkProbe)
        let chain = process.chain
        let witness = openWitness(process.arguments.stateDirectory)
        let (control, report) = process.confineAndReport()
        let loop: NetworkLoop
        do throws(Errno) {
            // One that cannot be read is as good as none, which the signer is told.
            let kept = (try? witness.read()) ?? nil
            loop = try NetworkLoop(
                control: control, link: FileDescriptor(owning: ChildProcess.Descriptor.link),
                listener: FileDescriptor(owning: ChildProcess.Descriptor.listener), probes: probes,
                witness: witness, report: report,
                process: NetworkProcess(
                    chain: chain, witness: kept, random: SystemRandomNumberGenerator(),
                    at: Kernel.timeSinceBoot()))
        } catch {
            ChildProcess.end(name, .keeperGone, "")
        }
        ChildProcess.end(name, loop.run().code, "")
    }

    /// The directory is opened by its path once; below it everything is reached by descriptor.
    private static func openWitness(_ directory: String) -> WitnessFile {
        do throws(Errno) {
            return WitnessFile(in: try Kernel.openDirectory(directory))
        } catch {
            ChildProcess.end(name, .state, "the network process's directory \(directory): \(error)")
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
