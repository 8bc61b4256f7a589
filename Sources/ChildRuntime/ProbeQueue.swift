public import Confinement
public import Messages

/// The attempts that people have asked for, one row at a time, so that the loop turns in between.
public struct ProbeQueue<Asker: Hashable> {
    private let child: ProbeChild
    private let process: ProbedProcess
    private var asked: [Asker] = []
    private var left: [ProbeKind] = []
    private var rows: [ProbeRow] = []

    /// A queue for the probe child of `process`.
    public init(_ child: ProbeChild, of process: ProbedProcess) {
        self.child = child
        self.process = process
    }

    /// Whether there is something to try.
    public var isBusy: Bool { !asked.isEmpty }

    /// Puts someone behind the others.
    public mutating func ask(_ asker: Asker) { if !asked.contains(asker) { asked.append(asker) } }

    /// Forgets someone who is gone.
    public mutating func forget(_ asker: Asker) {
        if asked.first == asker { left = [] }
        asked.removeAll { $0 == asker }
    }

    /// Tries one thing; the asker and all rows when it was the last.
    public mutating func step(at targets: ProbeTargets) -> (Asker, [ProbeRow])? {
        guard let asker = asked.first else { return nil }
        if left.isEmpty {
            left = ProbeKind.allCases.filter { $0.mustFail(in: process) }
            rows = []
        }
        let kind = left.removeFirst()
        rows.append(ProbeRow(.process, kind, child.run(kind, at: targets)))
        guard left.isEmpty else { return nil }
        asked.removeFirst()
        return (asker, rows)
    }
}

extension ProbeTargets {
    /// What a child's probes aim at, as the keeper named it.
    public init(_ hello: ControlHello, _ facts: KeeperFacts) {
        let other = hello.role == .signer ? facts.networkPID : facts.signerPID
        self.init(
            deviceKey: hello.signerDirectory + "/device.key",
            vaultDirectory: hello.signerDirectory + "/vaults",
            signerSocket: hello.signerSocket, otherProcess: Int32(clamping: other))
    }
}
