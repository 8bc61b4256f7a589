public import Messages

/// What can be known of one process, by who knows it.
public struct ProcessFacts: Hashable, Sendable {
    /// Which process.
    public let process: AuditedProcess
    /// Its id as this caller sees it; nil if there is no such process.
    public let pid: Int32?
    /// What the kernel shows to this caller.
    public let kernel: KernelFacts
    /// What the process says of itself; nil if it was not asked or did not answer.
    public let own: ProcessReport?

    /// The facts of one process.
    public init(_ process: AuditedProcess, pid: Int32?, kernel: KernelFacts, own: ProcessReport?) {
        self.process = process
        self.pid = pid
        self.kernel = kernel
        self.own = own
    }
}

/// What `/proc/PID` shows. A group member sees `status`, `limits` and the owner of the folder; only
/// root sees namespaces and descriptors, because the processes are not dumpable.
public struct KernelFacts: Hashable, Sendable {
    /// `/proc/PID/status`.
    public var status: ProcessStatus?
    /// Whether the folder belongs to the process's own user: it belongs to root (or to the
    /// namespace's root) when the process is not dumpable.
    public var isDumpable: Bool?
    /// Soft and hard core file limit in bytes; nil inside is no limit.
    public var coreLimit: CoreLimit?
    /// Inode of each namespace by name (`net`, `mnt`, `pid`, …).
    public var namespaces: [String: UInt64]?
    /// What each open descriptor points to, by number (`socket:[…]`, `pipe:[…]`, a path).
    public var descriptors: [Int: String]?

    /// Nothing seen yet.
    public init() {}

    /// Limit of a core file.
    public struct CoreLimit: Hashable, Sendable {
        /// The limit in force; nil is none.
        public let soft: UInt64?
        /// The highest that the process could set; nil is none.
        public let hard: UInt64?

        /// Finds the line in the text of `/proc/PID/limits`.
        public init?(limits text: String) {
            let name = "Max core file size"
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
                return nil
            }
            let words = line.dropFirst(name.count).split(separator: " ")
            guard words.count >= 2 else { return nil }
            func limit(_ word: Substring) -> UInt64?? {
                word == "unlimited" ? .some(nil) : UInt64(word).map { .some($0) }
            }
            guard let soft = limit(words[0]), let hard = limit(words[1]) else { return nil }
            self.soft = soft
            self.hard = hard
        }
    }
}
