import Messages
import StateFiles
import Wire

/// One message of every kind, with a value in every field.
enum Samples {
    static let id = RequestID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
    static let witness: LedgerWitness = {
        guard let head = LedgerWitness((0..<176).map { UInt8($0) }) else {
            preconditionFailure("as many as a head has")
        }
        return head
    }()
    static let digest = Bytes32(1...32) ?? .zero
    static let facts = KeeperFacts(
        keeperPID: 1, signerPID: 2, networkPID: 3, signerRestarts: 4, networkRestarts: 5,
        role: .watch, stateDirectory: "/var/lib/bulkhead")
    static let probes = [
        ProbeRow(place: .process, probe: 1, outcome: .killed, number: 31),
        ProbeRow(place: .worker, probe: 255, outcome: .unclear, number: -2),
    ]

    static let orders: [ControlOrder] = [
        .hello(
            ControlHello(
                role: .signer, chain: .signet, hasOneUser: true, networkUID: 991,
                signerDirectory: "/var/lib/bulkhead/signer", signerSocket: "/run/ünïcode",
                reviewLimits: [ReviewLimit(name: "fee_share_stop", value: 400)])),
        .newLink(generation: 7), .facts(facts, weaknesses: ["no Landlock in this kernel"]),
        .nameServers("nameserver 192.0.2.53\n"),
        .ping(nonce: .max), .stop,
    ]
    static let reports: [ControlReport] = [
        .ready(ControlReady(startupNanoseconds: 12_345_678, report: report)),
        .pong(nonce: 0), .log(.warning, "line"), .linkLost(generation: 3, .violation, "why"),
    ]
    static let linkRequests: [LinkRequest] = [
        .hello, .ping(nonce: 1), .request(id, payload: [1, 2, 3]), .inquiry(id),
        .collected(id), .witnessed(witness),
    ]
    static let linkReplies: [LinkReply] = [
        .welcome, .pong(nonce: 1), .answer(id, .refused(.rejected, "not ours")),
        .signed(id, file: [4, 5]),
        .witness(witness), .accounts([PairedAccounts(vault: vault, file: "wpkh(…)")]),
    ]
    static let consoleRequests: [ConsoleRequest] = [
        .hello, .ping(nonce: 1), .status, .selfReport, .probe,
        .secretInput, .output, .input, .operation(.list), .submit(file: [7]), .pending,
        .review(entry, .text(columns: 80)), .reject(entry, reason: "too much"), .withdraw(entry),
    ]
    static let consoleReplies: [ConsoleReply] = [
        .welcome(.regtest), .pong(nonce: 1), .status(signerStatus), .selfReport(report),
        .probes(probes),
        .operationAnswer(.failure(.wrongPassword(failures: 5, wait: 2))),
        .progress(done: 1, total: 2), .entry(.success(ReviewedEntry(id: entry, summary: summary))),
        .pending([waiting]), .entryGone(.noSuchEntry(entry)),
    ]
    static let queryRequests: [QueryRequest] = [
        .hello, .ping(nonce: 1), .status, .selfReport, .probe,
        .submit(id, file: [9]), .inquiry(id), .collected(id),
        .chain(.history("savings", from: 3)),
    ]
    static let queryReplies: [QueryReply] = [
        .welcome(.mainnet), .pong(nonce: 1), .status(networkStatus), .selfReport(report),
        .probes(probes), .answer(id, .refused(.stopped, "a stop")), .signed(id, file: [6]),
        .chain(.refused(.wallet, "no watched wallet has this name")),
    ]
    static let workReports: [WorkReport] = [
        .probe(.killed, number: 31),
        .vault(.counted(AttemptCount(failures: 3, wait: 4, next: [5, 6]))),
        .review(.success(summary)),
    ]

    static let entry = EntryID(7)
    static let vault: VaultID = {
        var reader = Reader(Array(1...16))
        guard let id = try? VaultID(from: &reader) else { preconditionFailure("16 bytes") }
        return id
    }()
    static let summary = ReviewSummary(
        file: digest, report: digest, verdict: .warned, warnings: ["fee-share-high"],
        stops: ["claim-false", "data-burns"], fee: 1, sent: 2, inputs: 3, payments: 4, returns: 5,
        signers: [vault])
    static let waiting = PendingEntry(
        id: entry, origin: .console(uid: 1000), size: 300, age: 4, left: 5, summary: summary)

    static var report: ProcessReport {
        var report = ProcessReport()
        report.policy = "signer"
        report.pid = 1
        report.uid = 990
        report.seccompMode = 2
        report.hasNoNewPrivileges = true
        report.isDumpable = true
        report.deniesWriteExecute = false
        report.landlock = .held
        report.landlockVersion = 7
        report.permittedCapabilities = 3
        report.descriptors = 9
        report.limits = [0, 64, .max]
        return report
    }

    static var signerStatus: SignerStatus {
        var status = SignerStatus(chain: .testnet4)
        status.linkIsUp = true
        status.uptimeSeconds = 1
        status.linkGeneration = 2
        status.waiting = 3
        status.waitingBytes = 4
        status.done = 5
        status.failed = 6
        status.refused = 7
        status.consoles = 8
        status.ledgerEntries = 9
        status.witness = .differs
        status.facts = facts
        status.weaknesses = ["one", "two"]
        status.problems = ["three"]
        return status
    }

    static var networkStatus: NetworkStatus {
        var status = NetworkStatus(chain: .testnet3)
        status.linkIsUp = true
        status.uptimeSeconds = 1
        status.linkGeneration = 2
        status.roundTripNanoseconds = 3
        status.sent = 4
        status.answered = 5
        status.waiting = 6
        status.queries = 7
        status.connections = 8
        status.handedWallets = 9
        status.witnessedEntries = 10
        status.facts = facts
        status.weaknesses = ["one user for all"]
        return status
    }

    /// A frame of every kind, by kind.
    static let frames: [MessageKind: Frame] = {
        var frames: [MessageKind: Frame] = [:]
        for frame in orders.map(\.frame) + reports.map(\.frame) + linkRequests.map(\.frame)
            + linkReplies.map(\.frame) + consoleRequests.map(\.frame) + consoleReplies.map(\.frame)
            + queryRequests.map(\.frame) + queryReplies.map(\.frame) + workReports.map(\.frame)
        {
            frames[frame.kind] = frame
        }
        return frames
    }()
}

/// A frame as bytes, with every field of its header to be chosen.
func bytes(
    kind: UInt16, length: Int? = nil, reserved: UInt16 = 0, sequence: UInt32, body: [UInt8]
) -> [UInt8] {
    var writer = Writer()
    writer.writeBigEndian(UInt32(length ?? body.count))
    writer.writeBigEndian(kind)
    writer.writeBigEndian(reserved)
    writer.writeBigEndian(sequence)
    writer.write(body)
    return writer.bytes
}

func bytes(_ frame: Frame, sequence: UInt32) -> [UInt8] {
    bytes(kind: frame.kind.rawValue, sequence: sequence, body: frame.body)
}

extension FrameDecoder {
    /// Feeds bytes and returns the frames that they complete.
    mutating func feed(_ bytes: [UInt8]) throws(ChannelViolation) -> [Frame] {
        var frames: [Frame] = []
        var violation: ChannelViolation?
        bytes.withUnsafeBytes { buffer in
            do throws(ChannelViolation) {
                try feed(buffer, into: &frames)
            } catch {
                violation = error
            }
        }
        if let violation { throw violation }
        return frames
    }
}
