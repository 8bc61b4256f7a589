import ChildRuntime
import Configuration
package import Confinement
import Hashing
import LinuxIO
import Messages
import SecretMemory
import SignerCore
import StateFiles
import Vault

/// The program `bulkhead-signer`.
public enum SignerProcess {
    private static let name = "bulkhead-signer"

    /// Confines the process, serves until it has to end, and ends it.
    public static func run() -> Never {
        var process = ChildProcess(name: name, policy: .signer, limits: limits, tcp: .none)
        warmUp()
        let state = openState(process.arguments)
        let schedule: AttemptSchedule =
            switch process.arguments.attempts {
            case .standard: .standard
            case .strict: .strict
            }
        let sharesAccounts = process.arguments.watchAccounts == .all
        let memory =
            process.arguments.hasMemoryFigures
            ? MemoryFigures(descriptor: ChildProcess.Descriptor.memory) : nil
        let workerFilter = process.filter(.signerWorker)
        let probes = process.startProbes(.signer)
        let chain = process.chain
        let (control, report) = process.confineAndReport()
        let loop: SignerLoop
        do throws(Errno) {
            loop = try SignerLoop(
                control: control, link: FileDescriptor(owning: ChildProcess.Descriptor.link),
                listener: FileDescriptor(owning: ChildProcess.Descriptor.listener), probes: probes,
                workerFilter: workerFilter, state: state, memory: memory, report: report,
                signer: Signer(
                    chain: chain, schedule: schedule, sharesAccounts: sharesAccounts,
                    at: Kernel.timeSinceBoot()))
        } catch {
            ChildProcess.end(name, .keeperGone, "")
        }
        let ending = loop.run()
        ChildProcess.end(name, ending.code, "")
    }

    package static let limits = ResourceLimits([
        .openFiles: 256, .data: 512 << 20, .fileSize: 64 << 30,
    ])

    /// The directory is opened by its path once; below it everything is reached by descriptor.
    private static func openState(_ arguments: ChildArguments) -> SignerState {
        let path = arguments.stateDirectory
        do throws(Errno) {
            return SignerState(
                try Kernel.openDirectory(path),
                credential: arguments.hasCredential ? ChildProcess.Descriptor.credential : nil,
                uid: Kernel.identity().uid)
        } catch {
            ChildProcess.end(name, .state, "the signer's directory \(path): \(error)")
        }
    }

    /// Whatever opens files or asks the kernel for more than the wall allows does so now.
    private static func warmUp() {
        _ = SHA256.hash([])
        VaultPrimitives.prepare()
        do throws(SecretMemoryError) {
            try SecretMemory.prepare()
        } catch {
            ChildProcess.end(name, .system, "\(error)")
        }
    }
}

extension SignerEnding {
    /// The exit status.
    var code: ExitCode {
        switch self {
        case .stopped: .success
        case .keeperGone: .keeperGone
        case .wrongOrders: .usage
        }
    }
}
