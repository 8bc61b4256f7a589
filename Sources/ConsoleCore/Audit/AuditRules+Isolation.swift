/// Namespaces, descriptors and memory.
extension AuditRules {
    /// The namespaces that must differ from the keeper's; the network process keeps the network.
    private static let ownNamespaces: [AuditedProcess: [String]] = [
        .signer: ["ipc", "mnt", "net", "pid"], .network: ["ipc", "mnt", "pid"],
    ]

    func namespaces(_ found: ProcessFacts) -> AuditRow? {
        let process = found.process
        guard let required = Self.ownNamespaces[process] else { return nil }
        guard let own = found.kernel.namespaces,
            let outside = facts(of: .keeper)?.kernel.namespaces
        else { return namespacesByStatus(found) }
        let shared = required.filter { own[$0] == nil || own[$0] == outside[$0] }
        let neighbour = process == .signer ? AuditedProcess.network : .signer
        let crossed = facts(of: neighbour)?.kernel.namespaces.map { other in
            required.filter { own[$0] != nil && own[$0] == other[$0] }
        }
        guard shared.isEmpty, crossed ?? [] == [] else {
            let names = Set(shared + (crossed ?? [])).sorted().joined(separator: " ")
            return AuditRow(process, "namespaces", "shared: " + names, .missing, .kernel)
        }
        let text = "own " + required.joined(separator: " ")
        return AuditRow(process, "namespaces", text, .good, .kernel)
    }

    /// Without root the kernel still shows how many PID namespaces a process is in.
    private func namespacesByStatus(_ found: ProcessFacts) -> AuditRow {
        let process = found.process
        guard let status = found.kernel.status, !status.namespacePIDs.isEmpty else {
            return unseen(process, "namespaces")
        }
        guard status.namespacePIDs.count > 1, status.namespacePIDs.last == 1 else {
            return AuditRow(process, "namespaces", "no PID namespace of its own", .missing, .kernel)
        }
        let text = "own pid; the others are shown to root only (sudo bulkhead audit)"
        return AuditRow(process, "namespaces", text, .notVerified, .kernel)
    }

    func descriptors(_ found: ProcessFacts) -> AuditRow {
        let process = found.process
        guard let open = found.kernel.descriptors else {
            guard let own = found.own else { return unseen(process, "descriptors") }
            let text = "\(own.descriptors) open; shown to root only (sudo bulkhead audit)"
            return AuditRow(process, "descriptors", text, .notVerified, .process)
        }
        let kinds = open.values.map(Self.kind).sorted()
        let counted = Set(kinds).sorted().map { kind in
            "\(kinds.count { $0 == kind }) \(kind)"
        }.joined(separator: ", ")
        let strangers = open.values.filter {
            let kind = Self.kind($0)
            return kind == "file" || kind == "device key" && process != .signer
        }.sorted()
        guard process == .keeper || process == .console || strangers.isEmpty else {
            let text = counted + "; unexpected: " + strangers.joined(separator: " ")
            return AuditRow(process, "descriptors", text, .missing, .kernel)
        }
        return AuditRow(process, "descriptors", counted, .good, .kernel)
    }

    /// The kind of what a link in `/proc/PID/fd` points to. A file of the process's own state
    /// folder, seen from inside its private root, is `state`.
    static func kind(_ target: String) -> String {
        for kind in ["socket", "pipe", "anon_inode"] where target.hasPrefix(kind + ":") {
            return kind
        }
        if ["/dev/null", "/dev/urandom"].contains(target) { return "device" }
        if target == "/proc/meminfo" { return "memory figures" }
        if target.hasPrefix("/dev/pts/") || target.hasPrefix("/dev/tty") { return "terminal" }
        if target == "/state" || target.hasPrefix("/state/") { return "state" }
        // What the service manager gave the keeper, which the signer holds and never reads.
        if target.hasSuffix("/device-key") { return "device key" }
        return "file"
    }

    func lockedMemory(_ found: ProcessFacts) -> AuditRow? {
        let process = found.process
        guard process == .console || process == .signer else { return nil }
        guard let status = found.kernel.status else { return unseen(process, "locked memory") }
        let text = "\(status.lockedKiB) KiB"
        // The broker never holds a secret; the screen does, while a password is typed.
        let isGood = process == .signer || status.lockedKiB > 0
        return AuditRow(process, "locked memory", text, isGood ? .good : .missing, .kernel)
    }
}
