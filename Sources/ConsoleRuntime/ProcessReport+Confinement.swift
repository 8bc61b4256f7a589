import Confinement
import Messages

extension ProcessReport {
    /// What this process says of itself, from what its confinement found to hold.
    ///
    /// - Parameter identity: `Kernel.identity()`, asked before the filter forbade it.
    init(_ report: ConfinementReport, identity: (pid: UInt32, uid: UInt32), descriptors: Int) {
        self.init()
        policy = report.policy
        (pid, uid) = identity
        seccompMode = report.seccompMode
        hasNoNewPrivileges = report.noNewPrivileges
        isDumpable = report.dumpable
        deniesWriteExecute = report.writeExecuteDenied
        switch report.landlock {
        case .notInKernel: landlock = .notInKernel
        case .switchedOff: landlock = .switchedOff
        case .unused: landlock = .unused
        case .held(let version):
            landlock = .held
            landlockVersion = version
        }
        permittedCapabilities = report.permittedCapabilities
        self.descriptors = UInt32(descriptors)
        limits = Resource.allCases.map { report.limits[$0] ?? .max }
    }
}
