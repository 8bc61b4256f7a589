/// The seccomp policies that are part of this program; their text lies beside this file.
///
/// They are compiled in rather than installed, so there is no file to tamper with.
public enum PolicyName: String, CaseIterable, Sendable {
    /// What every process needs. Never loaded alone.
    case common
    /// What a process asks the kernel about itself for the audit. Never loaded alone.
    case selfReport = "self-report"
    /// The signer's main process, and its probe child: forking and waiting are the signer's work.
    case signer
    /// A worker of the signer, for one operation.
    case signerWorker = "signer-worker"
    /// The network process.
    case network
    /// The network process's probe child.
    case networkProbe = "network-probe"
    /// The command at the console.
    case console
    /// The console's probe child.
    case consoleProbe = "console-probe"

    /// Whether it is only a part of others.
    public var isPart: Bool { self == .common || self == .selfReport }

    /// The policy as it was written, UTF-8.
    public var text: [UInt8] {
        switch self {
        case .common: PackageResources.common_policy
        case .selfReport: PackageResources.self_report_policy
        case .signer: PackageResources.signer_policy
        case .signerWorker: PackageResources.signer_worker_policy
        case .network: PackageResources.network_policy
        case .networkProbe: PackageResources.network_probe_policy
        case .console: PackageResources.console_policy
        case .consoleProbe: PackageResources.console_probe_policy
        }
    }
}
