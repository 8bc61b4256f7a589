/// Every message there is. The high byte is the edge; a number is never used a second time.
public enum MessageKind: UInt16, CaseIterable, Hashable, Sendable {
    case controlHello = 0x0101
    case controlReady = 0x0102
    case controlNewLink = 0x0103
    case controlFacts = 0x0104
    case controlPing = 0x0105
    case controlPong = 0x0106
    case controlStop = 0x0107
    case controlLog = 0x0108
    case controlLinkLost = 0x0109
    case controlNameServers = 0x010A

    case linkHello = 0x0201
    case linkWelcome = 0x0202
    case linkPing = 0x0203
    case linkPong = 0x0204
    case linkRequest = 0x0205
    case linkInquiry = 0x0206
    case linkAnswer = 0x0208
    case linkSigned = 0x0209
    case linkCollected = 0x020A
    case linkWitness = 0x020B
    case linkWitnessed = 0x020C
    case linkAccounts = 0x020D

    case consoleHello = 0x0301
    case consoleWelcome = 0x0302
    case consolePing = 0x0303
    case consolePong = 0x0304
    case consoleStatus = 0x0305
    case consoleStatusReport = 0x0306
    case consoleSelfReport = 0x0307
    case consoleSelfReportRows = 0x0308
    case consoleProbe = 0x0309
    case consoleProbeRows = 0x030A
    case consoleSecretInput = 0x030D
    case consoleOutput = 0x030E
    case consoleInput = 0x030F
    case consoleOperation = 0x0310
    case consoleOperationAnswer = 0x0311
    case consoleProgress = 0x0312
    case consoleSubmit = 0x0313
    case consoleEntry = 0x0314
    case consolePending = 0x0315
    case consolePendingRows = 0x0316
    case consoleReview = 0x0317
    case consoleReject = 0x0318
    case consoleWithdraw = 0x0319
    case consoleEntryGone = 0x031A

    case queryHello = 0x0401
    case queryWelcome = 0x0402
    case queryPing = 0x0403
    case queryPong = 0x0404
    case queryStatus = 0x0405
    case queryStatusReport = 0x0406
    case querySelfReport = 0x0407
    case querySelfReportRows = 0x0408
    case queryProbe = 0x0409
    case queryProbeRows = 0x040A
    case querySubmit = 0x040D
    case queryInquiry = 0x040E
    case queryAnswer = 0x040F
    case querySigned = 0x0410
    case queryCollected = 0x0411
    case queryChain = 0x0412
    case queryChainAnswer = 0x0413

    case workProbe = 0x0502
    case workVault = 0x0503
    case workReview = 0x0504

    /// Numbers of messages that are gone.
    public static let retired: Set<UInt16> = [
        0x0207, 0x030B, 0x030C, 0x040B, 0x040C, 0x0501,
    ]

    /// The channel it travels on.
    ///
    /// - Precondition: the high byte names an edge, which a test shows for every case.
    public var edge: Edge {
        guard let edge = Edge(rawValue: UInt8(rawValue >> 8)) else {
            preconditionFailure("message \(rawValue) belongs to no edge")
        }
        return edge
    }
}
