import Messages
import Testing
import Wire

@Suite("Messages in their sets")
struct MessageSetTests {
    private func check<Set: MessageSet>(_ samples: [Set]) throws -> Int {
        for sample in samples {
            let frame = sample.frame
            #expect(try Set(frame) == sample)
            #expect(frame.body.count <= frame.kind.row.limit)
            // A payload of any length is a whole message; every other one has a certain length.
            let payloads: [MessageKind] = [
                .consoleSubmit, .querySubmit, .querySigned, .linkRequest, .linkSigned,
            ]
            guard !payloads.contains(frame.kind) else { continue }
            #expect(throws: ChannelViolation.self) {
                try Set(Frame(kind: frame.kind, body: frame.body + [0]))
            }
            for count in 0..<frame.body.count {
                let cut = Frame(kind: frame.kind, body: Array(frame.body[..<count]))
                #expect(throws: ChannelViolation.self) { try Set(cut) }
            }
        }
        return samples.count
    }

    @Test("Every message comes back as it was sent, and neither shorter nor longer")
    func roundTrips() throws {
        var count = try check(Samples.orders) + check(Samples.reports)
        count += try check(Samples.linkRequests) + check(Samples.linkReplies)
        count += try check(Samples.queryRequests) + check(Samples.queryReplies)
        count += try check(Samples.consoleRequests) + check(Samples.consoleReplies)
        count += try check(Samples.workReports)
        #expect(count == MessageKind.allCases.count)
        #expect(Samples.frames.count == MessageKind.allCases.count)
    }

    @Test("The longest values are as long as the row allows, and longer ones are cut")
    func longest() throws {
        var report = ProcessReport()
        report.policy = String(repeating: "n", count: 65)
        report.limits = Array(repeating: 1, count: 17)
        let reply = ConsoleReply.selfReport(report)
        #expect(reply.frame.body.count == MessageKind.consoleSelfReportRows.row.limit)
        guard case .selfReport(let found) = try ConsoleReply(reply.frame) else {
            Issue.record("not a report")
            return
        }
        #expect(found.policy.utf8.count == 64)
        #expect(found.limits.count == 16)
        var status = SignerStatus(chain: .regtest)
        let unread = ConsoleReply.status(status)
        #expect(try ConsoleReply(unread.frame) == unread, "before the ledger was read")
        status.ledgerEntries = .max
        status.weaknesses = Array(repeating: String(repeating: "w", count: 300), count: 17)
        status.problems = status.weaknesses
        status.facts.stateDirectory = String(repeating: "d", count: 300)
        let longest = ConsoleReply.status(status).frame
        #expect(longest.body.count == MessageKind.consoleStatusReport.row.limit)
        var query = NetworkStatus(chain: .regtest)
        (query.weaknesses, query.facts) = (status.weaknesses, status.facts)
        #expect(
            QueryReply.status(query).frame.body.count == MessageKind.queryStatusReport.row.limit)
        let told = ControlOrder.facts(status.facts, weaknesses: status.weaknesses)
        #expect(told.frame.body.count == MessageKind.controlFacts.row.limit)
        let line = ControlReport.log(.failure, String(repeating: "ä", count: 2000))
        #expect(line.frame.body.count == MessageKind.controlLog.row.limit)
        let odd = ControlReport.log(.failure, "a" + String(repeating: "ä", count: 2000))
        #expect(
            try ControlReport(odd.frame)
                == .log(
                    .failure, "a" + String(repeating: "ä", count: 511)))
    }

    @Test("Another build is named as such, whatever follows its digest")
    func otherBuild() throws {
        let theirs = Bytes32(repeatElement(7, count: 32)) ?? .zero
        for frame in [
            Frame(kind: .linkHello, body: theirs.array),
            Frame(kind: .linkHello, body: theirs.array + [1, 2, 3]),
        ] {
            #expect(throws: ChannelViolation.differentBuild(theirs: theirs)) {
                try LinkRequest(frame)
            }
        }
        let text = ChannelViolation.differentBuild(theirs: theirs).description
        #expect(text.contains("0707070707070707"))
        #expect(text.contains(Catalogue.digest.description.prefix(16)))
        #expect(text.contains("install the same version of all programs"))
    }

    @Test("A number without a meaning is refused where a case or a flag stands")
    func meaningless() {
        let answer = Samples.linkReplies[2].frame
        var body = answer.body
        body[16] = 200
        #expect(
            throws: ChannelViolation.badBody(
                .linkAnswer, .unknownValue(position: 16, found: 200))
        ) {
            try LinkReply(Frame(kind: .linkAnswer, body: body))
        }
    }

    @Test("A message of another set is not read")
    func otherSet() {
        #expect(throws: ChannelViolation.wrongDirection(.linkPong)) {
            try LinkRequest(LinkReply.pong(nonce: 1).frame)
        }
    }
}
