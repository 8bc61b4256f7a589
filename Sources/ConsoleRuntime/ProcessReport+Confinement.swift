import Confinement
import Glibc
import Messages

extension ProcessReport {
    /// What this process says of itself, from what its confinement found to hold.
    init(_ report: ConfinementReport, descriptors: Int) {
        self.init()
        policy = report.policy
        pid = UInt32(getpid())
        uid = geteuid()
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
