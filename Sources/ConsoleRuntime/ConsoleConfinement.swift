import Confinement
import LinuxIO
import Messages
import SeccompPolicies
import SecretMemory

/// How every process of the command that talks to a socket is confined, once it is connected.
enum ConsoleConfinement {
    /// The limits of a screen: it holds one frame and a page of text.
    private static let limits = ResourceLimits([.openFiles: 64, .fileSize: 0])
    /// Those of a command that writes files, or into what its output was redirected to.
    private static let writingLimits = ResourceLimits([.openFiles: 64])

    /// Locks the memory in which a password lies while it is typed; afterwards nothing can be locked.
    static func lockSecretMemory() throws(ClientFailure) {
        do throws(SecretMemoryError) { try SecretMemory.prepare() } catch {
            throw .confinement("\(error)")
        }
    }

    /// Gives up everything but the console's policy and these descriptors.
    ///
    /// - Parameters:
    ///   - diesWithParent: False for a screen, which has a terminal to give back first.
    ///   - writesFiles: Whether there may be ordinary files among them that it writes.
    /// - Returns: What holds from now on.
    static func enter(
        keeping descriptors: Set<Int32>, diesWithParent: Bool = true, writesFiles: Bool = false
    ) throws(ClientFailure) -> ProcessReport {
        try enter(descriptors, writesFiles: writesFiles) { plan throws(ConfinementError) in
            var plan = plan
            plan.diesWithParent = diesWithParent
            try Confinement.prepare(plan)
            return try Confinement.apply(plan)
        }
    }

    /// As `enter`, with a probe child that is started under the same confinement before.
    static func enterWithProbes(
        keeping descriptors: Set<Int32>
    ) throws(ClientFailure) -> (report: ProcessReport, probes: ProbeChild) {
        var probes: ProbeChild?
        let policy = try probePolicy()
        let report = try enter(descriptors, writesFiles: false) { plan throws(ConfinementError) in
            try Confinement.prepare(plan)
            var probePlan = plan
            probePlan.filter = policy
            probes = try ProbeChild.start(probePlan)
            return try Confinement.apply(plan)
        }
        guard let probes else { throw .confinement("no probe child") }
        return (report, probes)
    }

    private static func enter(
        _ descriptors: Set<Int32>, writesFiles: Bool,
        _ steps: (ConfinementPlan) throws(ConfinementError) -> ConfinementReport
    ) throws(ClientFailure) -> ProcessReport {
        let filter = try compile(.console)
        let plan = ConfinementPlan(
            filter: filter, landlock: LandlockRules(),
            limits: writesFiles ? writingLimits : limits, descriptors: descriptors)
        do throws(ConfinementError) {
            let identity = Kernel.identity()
            return ProcessReport(
                try steps(plan), identity: identity, descriptors: descriptors.count)
        } catch {
            throw .confinement("\(error)")
        }
    }

    private static func probePolicy() throws(ClientFailure) -> SeccompFilter {
        try compile(.consoleProbe)
    }

    private static func compile(_ name: PolicyName) throws(ClientFailure) -> SeccompFilter {
        do {
            return try SeccompFilter(compiling: try SeccompPolicy(name))
        } catch {
            throw .confinement("\(error)")
        }
    }
}
