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
        let (control, report) = process.confineAndReport()
        let loop: NetworkLoop
        do throws(Errno) {
            loop = try NetworkLoop(
                control: control, link: FileDescriptor(owning: ChildProcess.Descriptor.link),
                listener: FileDescriptor(owning: ChildProcess.Descriptor.listener), probes: probes,
                report: report,
                process: NetworkProcess(
                    chain: chain, random: SystemRandomNumberGenerator(), at: Kernel.timeSinceBoot())
            )
        } catch {
            ChildProcess.end(name, .keeperGone, "")
        }
        ChildProcess.end(name, loop.run().code, "")
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
