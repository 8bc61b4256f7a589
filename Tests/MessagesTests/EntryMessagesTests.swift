import Messages
import Testing
import Wire

@Suite("Messages about PSBTs that wait")
struct EntryMessagesTests {
    private let long = String(repeating: "w", count: 2000)

    private var longest: ReviewSummary {
        var summary = Samples.summary
        summary.warnings = Array(repeating: long, count: 100)
        summary.stops = summary.warnings
        summary.signers = Array(repeating: Samples.vault, count: 20)
        return summary
    }

    @Test("The longest rows and summaries are as long as their rows in the catalogue allow")
    func longestFrames() throws {
        var row = Samples.waiting
        row.summary = longest
        let pending = ConsoleReply.pending(Array(repeating: row, count: 70)).frame
        #expect(pending.body.count == MessageKind.consolePendingRows.row.limit)
        guard case .pending(let rows) = try ConsoleReply(pending) else {
            Issue.record("no rows")
            return
        }
        #expect(rows.count == 64)
        #expect(rows.first?.summary?.warnings.count == 96)
        #expect(rows.first?.summary?.signers.count == 16)
        let entry = ConsoleReply.entry(
            .success(ReviewedEntry(id: Samples.entry, summary: longest)))
        #expect(entry.frame.body.count == MessageKind.consoleEntry.row.limit)
        let reviewed = WorkReport.review(.success(longest))
        #expect(reviewed.frame.body.count == MessageKind.workReview.row.limit)
        let reject = ConsoleRequest.reject(Samples.entry, reason: long)
        #expect(reject.frame.body.count == MessageKind.consoleReject.row.limit)
        let answer = LinkReply.answer(Samples.id, .refused(.unreadable, long))
        #expect(answer.frame.body.count == MessageKind.linkAnswer.row.limit)
    }

    private let refusals: [EntryRefusal] = [
        .unreadable("it has no bytes"), .alreadyWaiting(Samples.entry), .full,
        .noSuchEntry(Samples.entry), .underReview(Samples.entry), .beingSigned(Samples.entry),
        .noOutput, .outputFailed, .busy, .reviewFailed("signal 9 ended it"),
        .decided(DecidedEntry(Samples.entry, .rejected, ago: 12)), .notComplete("input 0"),
    ]

    @Test("Every refusal comes back as it was sent, and is whole sentences")
    func refusalsComeBack() throws {
        var numbers: [UInt8] = []
        for refusal in refusals {
            let gone = ConsoleReply.entryGone(refusal)
            #expect(try ConsoleReply(gone.frame) == gone)
            let entry = ConsoleReply.entry(.failure(refusal))
            #expect(try ConsoleReply(entry.frame) == entry)
            let review = WorkReport.review(.failure(refusal))
            #expect(try WorkReport(review.frame) == review)
            numbers.append(gone.frame.body[1])
            #expect(refusal.sentence.last == ".")
            #expect(!refusal.sentence.contains("\n"))
        }
        #expect(Set(numbers) == Set(1...12))
    }

    @Test("Every state of a request comes back as it was sent")
    func states() throws {
        var states: [RequestState] = [
            .unknown, .reviewing, .pending, .signed, .collected, .expired, .full, .tooFast,
        ]
        for refusal in RequestRefusal.allCases { states.append(.refused(refusal, "why")) }
        var numbers: Set<UInt8> = []
        for state in states {
            let answer = LinkReply.answer(Samples.id, state)
            #expect(try LinkReply(answer.frame) == answer)
            numbers.insert(answer.frame.body[16])
        }
        #expect(numbers == Set(0...8))
        #expect(states.filter { !$0.isFinal } == [.reviewing, .pending])
    }

    @Test("Rows without what may be missing come back, and forms keep to their columns")
    func shortest() throws {
        let row = PendingEntry(
            id: Samples.entry, origin: .link, size: 0, age: 0, left: nil, summary: nil)
        let rows = ConsoleReply.pending([row])
        #expect(try ConsoleReply(rows.frame) == rows)
        let gone = ConsoleReply.entryGone(nil)
        #expect(try ConsoleReply(gone.frame) == gone)
        for form in [ReviewForm.json, .transaction, .text(columns: 40), .text(columns: 255)] {
            let request = ConsoleRequest.review(Samples.entry, form)
            #expect(try ConsoleRequest(request.frame) == request)
        }
        var body = ConsoleRequest.review(Samples.entry, .json).frame.body
        body[4] = 39
        #expect(throws: ChannelViolation.self) {
            try ConsoleRequest(Frame(kind: .consoleReview, body: body))
        }
    }

    @Test("Signatures beyond their limit are not read")
    func manySignatures() throws {
        var body = WorkReport.vault(.signed([1], [])).frame.body
        let place = body.count - 9
        body.replaceSubrange(place..<place + 4, with: [0x01, 0x00, 0x40, 0x00])
        #expect(
            throws: ChannelViolation.badBody(
                .workVault,
                .tooLarge(position: place, found: 0x40_0001, allowed: Limit.signatures))
        ) {
            try WorkReport(Frame(kind: .workVault, body: body))
        }
    }
}
