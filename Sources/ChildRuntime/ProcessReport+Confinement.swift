public import Confinement
import LinuxIO
public import Messages

extension ProcessReport {
    /// What the kernel said when it was asked, as it travels.
    init(_ report: ConfinementReport, pid: UInt32, uid: UInt32) {
        self.init()
        policy = report.policy
        self.pid = pid
        self.uid = uid
        seccompMode = report.seccompMode
        hasNoNewPrivileges = report.noNewPrivileges
        isDumpable = report.dumpable
        deniesWriteExecute = report.writeExecuteDenied
        permittedCapabilities = report.permittedCapabilities
        limits = Resource.allCases.map { report.limits[$0] ?? .max }
        descriptors = UInt32((0..<Int32(1024)).count(where: Kernel.isOpen))
        switch report.landlock {
        case .notInKernel: landlock = .notInKernel
        case .switchedOff: landlock = .switchedOff
        case .unused: landlock = .unused
        case .held(let version):
            landlock = .held
            landlockVersion = version
        }
    }

    /// Asks the kernel anew; what cannot change, and what Landlock does, is remembered.
    public func refreshed() -> ProcessReport {
        var report = ProcessReport(
            .observed(policy: policy, landlock: .unused), pid: pid, uid: uid)
        report.landlock = landlock
        report.landlockVersion = landlockVersion
        return report
    }
}

extension ProbeOutcome {
    /// The outcome of a probe, as it travelled.
    public init(_ outcome: ProbeRow.Outcome, number: Int32) {
        switch outcome {
        case .refused: self = .refused(Errno(number))
        case .absent: self = .absent(Errno(number))
        case .killed: self = .killed(signal: number)
        case .reached: self = .reached
        case .unclear: self = .unclear(number == 0 ? nil : Errno(number))
        }
    }
}

extension ProbeRow {
    /// The outcome of a probe, as it travels.
    public init(_ place: Place, _ kind: ProbeKind, _ outcome: ProbeOutcome) {
        let (result, number): (Outcome, Int32) =
            switch outcome {
            case .refused(let errno): (.refused, errno.number)
            case .absent(let errno): (.absent, errno.number)
            case .killed(let signal): (.killed, signal)
            case .reached: (.reached, 0)
            case .unclear(let errno): (.unclear, errno?.number ?? 0)
            }
        self.init(place: place, probe: kind.rawValue, outcome: result, number: number)
    }
}
