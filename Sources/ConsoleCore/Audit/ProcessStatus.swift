/// What `/proc/PID/status` says that an audit needs (proc_pid_status(5)).
public struct ProcessStatus: Hashable, Sendable {
    /// Real, effective, saved and file-system user id.
    public let userIDs: [UInt32]
    /// Real, effective, saved and file-system group id.
    public let groupIDs: [UInt32]
    /// Supplementary groups.
    public let groups: [UInt32]
    /// Inheritable, permitted, effective, bounding and ambient capabilities, a bit each.
    public let capabilities: Capabilities
    /// Whether `no_new_privs` is set.
    public let noNewPrivileges: Bool
    /// 0 none, 1 strict, 2 filter.
    public let seccompMode: Int
    /// Filters loaded; nil where the kernel does not say (before Linux 5.9).
    public let seccompFilters: Int?
    /// Process ids of the same process in each PID namespace, outermost first.
    public let namespacePIDs: [Int32]
    /// Threads of the process.
    public let threads: Int
    /// Locked memory in KiB.
    public let lockedKiB: Int
    /// Resident memory in KiB.
    public let residentKiB: Int
    /// The process that traces this one, 0 if none.
    public let tracer: Int32

    /// The five capability sets as 64-bit masks.
    public struct Capabilities: Hashable, Sendable {
        /// Kept over exec.
        public let inheritable: UInt64
        /// May be made effective.
        public let permitted: UInt64
        /// In force.
        public let effective: UInt64
        /// Upper bound over exec.
        public let bounding: UInt64
        /// Kept over exec of an unprivileged program.
        public let ambient: UInt64

        /// Whether no capability is in force or could come back.
        public var areNone: Bool {
            inheritable | permitted | effective | bounding | ambient == 0
        }
    }

    /// Reads the text of `/proc/PID/status`; nil if a line that every kernel since 4.10 has is
    /// missing or malformed.
    public init?(_ text: String) {
        var fields: [Substring: [Substring]] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let words = line[line.index(after: colon)...].split { $0 == " " || $0 == "\t" }
            fields[line[..<colon]] = words
        }
        func numbers(_ name: Substring) -> [UInt32]? {
            guard let words = fields[name] else { return nil }
            let values = words.compactMap { UInt32($0) }
            return values.count == words.count ? values : nil
        }
        func number(_ name: Substring) -> Int? { fields[name]?.first.flatMap { Int($0) } }
        func mask(_ name: Substring) -> UInt64? {
            fields[name]?.first.flatMap { UInt64($0, radix: 16) }
        }
        guard let userIDs = numbers("Uid"), userIDs.count == 4,
            let groupIDs = numbers("Gid"), groupIDs.count == 4,
            let inheritable = mask("CapInh"), let permitted = mask("CapPrm"),
            let effective = mask("CapEff"), let bounding = mask("CapBnd"),
            let ambient = mask("CapAmb"), let noNewPrivileges = number("NoNewPrivs"),
            let seccompMode = number("Seccomp"), let threads = number("Threads"),
            let tracer = number("TracerPid")
        else { return nil }
        self.userIDs = userIDs
        self.groupIDs = groupIDs
        groups = numbers("Groups") ?? []
        capabilities = Capabilities(
            inheritable: inheritable, permitted: permitted, effective: effective,
            bounding: bounding, ambient: ambient)
        self.noNewPrivileges = noNewPrivileges == 1
        self.seccompMode = seccompMode
        seccompFilters = number("Seccomp_filters")
        namespacePIDs = (numbers("NSpid") ?? []).map { Int32(bitPattern: $0) }
        self.threads = threads
        lockedKiB = number("VmLck") ?? 0
        residentKiB = number("VmRSS") ?? 0
        self.tracer = Int32(clamping: tracer)
    }
}
