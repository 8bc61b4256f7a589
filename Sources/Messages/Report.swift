import Wire

/// What a process says of its own confinement, having asked the kernel.
public struct ProcessReport: Hashable, Sendable {
    /// Whether Landlock holds.
    public enum Landlock: UInt8, CaseIterable, Hashable, Sendable {
        /// This kernel was built without it.
        case notInKernel = 0
        /// This kernel has it and does not use it.
        case switchedOff = 1
        /// The process asked for nothing.
        case unused = 2
        /// It holds.
        case held = 3
    }

    /// The seccomp policy that was loaded, at most 64 bytes; empty without one.
    public var policy = ""
    /// Its pid in its own PID namespace.
    public var pid: UInt32 = 0
    /// Its effective user id.
    public var uid: UInt32 = 0
    /// 2 while a filter is in force.
    public var seccompMode: Int32 = 0
    /// Whether exec can no longer give privileges.
    public var hasNoNewPrivileges = false
    /// Whether others of its user may dump, trace and read it.
    public var isDumpable = false
    /// Whether the kernel refuses memory that is written and then executed; nil before Linux 6.3.
    public var deniesWriteExecute: Bool?
    /// What Landlock does.
    public var landlock = Landlock.notInKernel
    /// The version of Landlock that holds, else 0.
    public var landlockVersion: Int32 = 0
    /// Permitted capabilities, a bit each.
    public var permittedCapabilities: UInt64 = 0
    /// Open descriptors.
    public var descriptors: UInt32 = 0
    /// Hard limits in the order of the audit's table, at most 16; `UInt64.max` is none.
    public var limits: [UInt64] = []

    /// The report of a process that is not confined at all.
    public init() {}

    init(from reader: inout Reader) throws(WireError) {
        policy = try reader.readText(limit: Limit.policyName)
        pid = try reader.readUInt32()
        uid = try reader.readUInt32()
        seccompMode = try reader.readInt32()
        hasNoNewPrivileges = try reader.readFlag()
        isDumpable = try reader.readFlag()
        let knows = try reader.readFlag()
        let denies = try reader.readFlag()
        deniesWriteExecute = knows ? denies : nil
        landlock = try reader.readCase()
        landlockVersion = try reader.readInt32()
        permittedCapabilities = try reader.readUInt64()
        descriptors = try reader.readUInt32()
        limits = try reader.readList(limit: Limit.resources) { reader throws(WireError) in
            try reader.readUInt64()
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(policy, limit: Limit.policyName)
        writer.write(pid)
        writer.write(uid)
        writer.write(seccompMode)
        writer.write(hasNoNewPrivileges)
        writer.write(isDumpable)
        writer.write(deniesWriteExecute != nil)
        writer.write(deniesWriteExecute ?? false)
        writer.write(landlock)
        writer.write(landlockVersion)
        writer.write(permittedCapabilities)
        writer.write(descriptors)
        writer.write(limits, limit: Limit.resources) { writer, limit in writer.write(limit) }
    }
}

/// What became of one attempt at something forbidden.
public struct ProbeRow: Hashable, Sendable {
    /// From where it was tried.
    public enum Place: UInt8, CaseIterable, Hashable, Sendable {
        /// From inside the process that was asked.
        case process = 1
        /// From inside one of its workers.
        case worker = 2
    }

    /// How the attempt ended.
    public enum Outcome: UInt8, CaseIterable, Hashable, Sendable {
        /// The kernel refused; the number is the errno.
        case refused = 1
        /// There is no such thing inside the wall; the number is the errno.
        case absent = 2
        /// The process that tried died by the signal that the number is.
        case killed = 3
        /// It worked: the wall has a hole.
        case reached = 4
        /// Nothing can be said; the number is an errno or 0.
        case unclear = 5
    }

    /// From where it was tried.
    public var place: Place
    /// The number of what was tried, from the table of probes.
    public var probe: UInt8
    /// How it ended.
    public var outcome: Outcome
    /// The errno or the signal; 0 where there is none.
    public var number: Int32

    /// A row.
    public init(place: Place, probe: UInt8, outcome: Outcome, number: Int32) {
        self.place = place
        self.probe = probe
        self.outcome = outcome
        self.number = number
    }
}

/// Which processes an instance has.
public enum InstanceRole: UInt8, CaseIterable, Hashable, Sendable {
    /// Signer and network process.
    case home = 1
    /// The signer alone.
    case offline = 2
    /// The network process alone.
    case watch = 3

    /// Whether there is a signer.
    public var hasSigner: Bool { self != .watch }
    /// Whether there is a network process.
    public var hasNetwork: Bool { self != .offline }

    /// The name on command lines and in documents.
    public var name: String { "\(self)" }

    /// The role by its name.
    public init?(name: String) {
        guard let role = InstanceRole.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }
}

/// What only the keeper knows.
public struct KeeperFacts: Hashable, Sendable {
    /// The keeper's pid as the machine sees it.
    public var keeperPID: UInt32
    /// The signer's pid as the machine sees it; 0 without one.
    public var signerPID: UInt32
    /// The network process's pid as the machine sees it; 0 without one.
    public var networkPID: UInt32
    /// How often the signer was started again.
    public var signerRestarts: UInt32
    /// How often the network process was started again.
    public var networkRestarts: UInt32
    /// Which processes there should be.
    public var role: InstanceRole
    /// The state directory as the machine names it, at most 256 bytes.
    public var stateDirectory: String

    /// Facts by their numbers.
    public init(
        keeperPID: UInt32 = 0, signerPID: UInt32 = 0, networkPID: UInt32 = 0,
        signerRestarts: UInt32 = 0, networkRestarts: UInt32 = 0, role: InstanceRole = .home,
        stateDirectory: String = ""
    ) {
        self.keeperPID = keeperPID
        self.signerPID = signerPID
        self.networkPID = networkPID
        self.signerRestarts = signerRestarts
        self.networkRestarts = networkRestarts
        self.role = role
        self.stateDirectory = stateDirectory
    }

    init(from reader: inout Reader) throws(WireError) {
        keeperPID = try reader.readUInt32()
        signerPID = try reader.readUInt32()
        networkPID = try reader.readUInt32()
        signerRestarts = try reader.readUInt32()
        networkRestarts = try reader.readUInt32()
        role = try reader.readCase()
        stateDirectory = try reader.readText(limit: Limit.path)
    }

    func encode(into writer: inout Writer) {
        writer.write(keeperPID)
        writer.write(signerPID)
        writer.write(networkPID)
        writer.write(signerRestarts)
        writer.write(networkRestarts)
        writer.write(role)
        writer.write(stateDirectory, limit: Limit.path)
    }
}

/// The chain that an instance is for.
public enum ChainName: UInt8, CaseIterable, Hashable, Sendable {
    /// Where coins are worth something.
    case mainnet = 1
    /// The third test network.
    case testnet3 = 2
    /// The fourth test network (BIP94).
    case testnet4 = 3
    /// The test network with signed blocks (BIP325).
    case signet = 4
    /// A chain of one's own.
    case regtest = 5

    /// The name on command lines and in documents.
    public var name: String { "\(self)" }

    /// The chain by its name.
    public init?(name: String) {
        guard let chain = ChainName.allCases.first(where: { $0.name == name }) else { return nil }
        self = chain
    }
}

extension Reader {
    mutating func readProbes() throws(WireError) -> [ProbeRow] {
        try readList(limit: Limit.probes) { reader throws(WireError) in
            ProbeRow(
                place: try reader.readCase(), probe: try reader.readUInt8(),
                outcome: try reader.readCase(), number: try reader.readInt32())
        }
    }

    mutating func readWeaknesses() throws(WireError) -> [String] {
        try readList(limit: Limit.weaknesses) { reader throws(WireError) in
            try reader.readText(limit: Limit.weakness)
        }
    }
}

extension Writer {
    mutating func write(probes rows: [ProbeRow]) {
        write(rows, limit: Limit.probes) { writer, row in
            writer.write(row.place)
            writer.write(row.probe)
            writer.write(row.outcome)
            writer.write(row.number)
        }
    }

    mutating func write(weaknesses: [String]) {
        write(weaknesses, limit: Limit.weaknesses) { writer, text in
            writer.write(text, limit: Limit.weakness)
        }
    }
}
