internal import CProbe

/// A process of Bulkhead, as the audit and the drill speak of it.
public enum ProbedProcess: UInt8, CaseIterable, Sendable {
    /// The signer's main process.
    case signer
    /// A worker of the signer.
    case worker
    /// The network process.
    case network
    /// The command that a person sits at.
    case console
}

/// What an attempt to break out goes for, by name, so that the same list serves every process.
public struct ProbeTargets: Hashable, Sendable {
    /// The device key's path outside.
    public var deviceKey: String
    /// The directory of vaults.
    public var vaultDirectory: String
    /// The socket that only people may use.
    public var signerSocket: String
    /// A file outside of every private root that anybody may read.
    public var outsideFile: String
    /// The process on the other side of the wall; its number as the kernel counts outside.
    public var otherProcess: Int32

    /// Names all targets.
    public init(
        deviceKey: String, vaultDirectory: String, signerSocket: String,
        outsideFile: String = "/etc/passwd", otherProcess: Int32
    ) {
        self.deviceKey = deviceKey
        self.vaultDirectory = vaultDirectory
        self.signerSocket = signerSocket
        self.outsideFile = outsideFile
        self.otherProcess = otherProcess
    }
}

/// One row of the audit: something that must not be possible, tried for real.
public enum ProbeKind: UInt8, CaseIterable, Sendable {
    case openDeviceKey = 1
    case openVaultDirectory
    case openOutside
    case connectSignerSocket
    case attach
    case signal
    case readMemory
    case openMemory
    case stealDescriptor
    case execute
    case fork
    case socketFamilies
    case listen
    case loadBPF
    case ioUring
    case userfaultfd
    case keyctl
    case performanceEvents
    case namespace
    case mount
    case becomeRoot
    case executableMemory
    case openByHandle
    case terminalInput
    case otherABI

    /// What is tried, in a few words for a table.
    public var title: String {
        switch self {
        case .openDeviceKey: "open the device key"
        case .openVaultDirectory: "open the vault directory"
        case .openOutside: "open a file outside"
        case .connectSignerSocket: "connect to signer.sock"
        case .attach: "attach to the other process"
        case .signal: "signal the other process"
        case .readMemory: "read the other's memory"
        case .openMemory: "open the other's /proc/PID/mem"
        case .stealDescriptor: "copy the other's descriptors"
        case .execute: "run a shell"
        case .fork: "start another process"
        case .socketFamilies: "make a socket of any family"
        case .listen: "listen on a port"
        case .loadBPF: "load a BPF program"
        case .ioUring: "use io_uring"
        case .userfaultfd: "use userfaultfd"
        case .keyctl: "use the kernel's keyrings"
        case .performanceEvents: "watch performance events"
        case .namespace: "make a user namespace"
        case .mount: "mount a file system"
        case .becomeRoot: "become root"
        case .executableMemory: "map executable memory"
        case .openByHandle: "open a file by inode number"
        case .terminalInput: "type into the terminal"
        case .otherABI: "call through the 32-bit entry"
        }
    }

    /// Whether the attempt must fail in `process`. What is left out, the process needs: the signer
    /// forks workers and has its own keys, the network makes sockets, the console sits at
    /// `signer.sock` and on the terminal.
    public func mustFail(in process: ProbedProcess) -> Bool {
        switch (self, process) {
        case (.openDeviceKey, .signer), (.openVaultDirectory, .signer): false
        case (.fork, .signer), (.fork, .network), (.fork, .console): false
        case (.socketFamilies, .network): false
        case (.otherABI, _): Architecture.native == .x86_64
        default: true
        }
    }

    /// The single attempts that the row is made of.
    func requests(_ targets: ProbeTargets) -> [ProbeRequest] {
        switch self {
        case .openDeviceKey: [.init(PROBE_OPEN_FILE, path: targets.deviceKey)]
        case .openVaultDirectory: [.init(PROBE_OPEN_DIRECTORY, path: targets.vaultDirectory)]
        case .openOutside: [.init(PROBE_OPEN_FILE, path: targets.outsideFile)]
        case .connectSignerSocket: [.init(PROBE_CONNECT_UNIX, path: targets.signerSocket)]
        case .attach: [.init(PROBE_ATTACH, targets.otherProcess)]
        case .signal: [.init(PROBE_SIGNAL, targets.otherProcess)]
        case .readMemory: [.init(PROBE_READ_MEMORY, targets.otherProcess)]
        case .openMemory: [.init(PROBE_OPEN_MEMORY, targets.otherProcess)]
        case .stealDescriptor: [.init(PROBE_STEAL_DESCRIPTOR, targets.otherProcess)]
        case .execute: [.init(PROBE_EXECUTE, path: "/bin/sh")]
        case .fork: [.init(PROBE_FORK)]
        case .socketFamilies:
            (0..<ProbeRequest.addressFamilies).map { .init(PROBE_SOCKET, $0) }
        case .listen: [.init(PROBE_LISTEN)]
        case .loadBPF: [.init(PROBE_BPF)]
        case .ioUring: [.init(PROBE_IO_URING)]
        case .userfaultfd: [.init(PROBE_USERFAULTFD)]
        case .keyctl: [.init(PROBE_KEYCTL)]
        case .performanceEvents: [.init(PROBE_PERFORMANCE_EVENTS)]
        case .namespace: [.init(PROBE_NAMESPACE)]
        case .mount: [.init(PROBE_MOUNT)]
        case .becomeRoot: [.init(PROBE_BECOME_ROOT)]
        case .executableMemory: [.init(PROBE_EXECUTABLE_MEMORY)]
        case .openByHandle: [.init(PROBE_OPEN_BY_HANDLE)]
        case .terminalInput: [.init(PROBE_TERMINAL_INPUT)]
        case .otherABI: [.init(PROBE_OTHER_ABI)]
        }
    }
}
