extension MessageKind {
    /// Everything that holds for this message. A new one does not compile until that is said.
    public var row: Row {
        switch self {
        case .controlHello: .controlHello
        case .controlReady: .controlReady
        case .controlNewLink: .controlNewLink
        case .controlFacts: .controlFacts
        case .controlPing: .controlPing
        case .controlPong: .controlPong
        case .controlStop: .controlStop
        case .controlLog: .controlLog
        case .controlLinkLost: .controlLinkLost
        case .linkHello: .linkHello
        case .linkWelcome: .linkWelcome
        case .linkPing: .linkPing
        case .linkPong: .linkPong
        case .linkRequest: .linkRequest
        case .linkInquiry: .linkInquiry
        case .linkAnswer: .linkAnswer
        case .consoleHello: .consoleHello
        case .consoleWelcome: .consoleWelcome
        case .consolePing: .consolePing
        case .consolePong: .consolePong
        case .consoleStatus: .consoleStatus
        case .consoleStatusReport: .consoleStatusReport
        case .consoleSelfReport: .consoleSelfReport
        case .consoleSelfReportRows: .consoleSelfReportRows
        case .consoleProbe: .consoleProbe
        case .consoleProbeRows: .consoleProbeRows
        case .consoleWork: .consoleWork
        case .consoleWorkAnswer: .consoleWorkAnswer
        case .consoleSecretInput: .consoleSecretInput
        case .consoleOutput: .consoleOutput
        case .consoleInput: .consoleInput
        case .consoleOperation: .consoleOperation
        case .consoleOperationAnswer: .consoleOperationAnswer
        case .consoleProgress: .consoleProgress
        case .queryHello: .queryHello
        case .queryWelcome: .queryWelcome
        case .queryPing: .queryPing
        case .queryPong: .queryPong
        case .queryStatus: .queryStatus
        case .queryStatusReport: .queryStatusReport
        case .querySelfReport: .querySelfReport
        case .querySelfReportRows: .querySelfReportRows
        case .queryProbe: .queryProbe
        case .queryProbeRows: .queryProbeRows
        case .queryWork: .queryWork
        case .queryWorkAnswer: .queryWorkAnswer
        case .workAnswer: .workAnswer
        case .workProbe: .workProbe
        case .workVault: .workVault
        }
    }
}
