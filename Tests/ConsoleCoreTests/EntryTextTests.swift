import JSON
import Messages
import StateFiles
import Testing
import Wire

@testable import ConsoleCore

@Suite("What waits, in words")
struct EntryTextTests {
    private static let summary = ReviewSummary(
        file: .zero, report: .zero, verdict: .warned, warnings: ["fee-share-high"], fee: 2000,
        sent: 300_000, inputs: 1, payments: 1, returns: 1, signers: [Sample.id(1)])

    private static let rows = [
        PendingEntry(
            id: EntryID(3), origin: .link, size: 400, age: 75, left: 86_325, summary: summary),
        PendingEntry(
            id: EntryID(12), origin: .console(uid: 1000), size: 1, age: 0, left: nil, summary: nil),
        PendingEntry(
            id: EntryID(13), origin: .link, size: 1, age: 0, left: 1,
            summary: ReviewSummary(
                file: .zero, report: .zero, verdict: .stopped, stops: ["file-damaged"])),
    ]

    @Test("a list for a person: number, age, origin, sums and what the review found")
    func list() throws {
        try expectKept(EntryText.lines(of: Self.rows), "pending")
        #expect(EntryText.lines(of: []) == ["nothing waits"])
    }

    @Test("lines of the home screen")
    func home() {
        #expect(
            Self.rows.map { HomeScreen.WaitingRequest($0).text } == [
                "sends 0.00300000 BTC, fee 0.00002000 BTC, 1 warning, 1 min 15 s",
                "under review, 0 s", "no transaction, fee not provable, is not signed, 0 s",
            ])
    }

    @Test("the same for programs, with amounts in satoshis and null for what is not known")
    func json() {
        let json = EntryText.json(of: Self.rows)
        #expect(json["schema"]?.string == "bulkhead-pending-1")
        guard case .array(let rows) = json["entries"] else {
            Issue.record("no entries")
            return
        }
        #expect(rows.map { $0["id"]?.integer } == [3, 12, 13])
        #expect(rows[0]["origin"]?.string == "network" && rows[1]["user"]?.integer == 1000)
        #expect(rows[0]["review"]?["feeSats"]?.integer == 2000)
        #expect(rows[1]["review"] == .null && rows[2]["review"]?["feeSats"] == .null)
    }

    @Test("what was signed: the txid as the field prints it, and the names of the files")
    func signed() throws {
        let txid = try #require(Bytes32((0..<32).map { UInt8($0) }))
        let shown = Hex.encode((0..<32).reversed().map { UInt8($0) })
        let answer = SigningAnswer(
            entry: EntryID(3), signatures: 1, txid: txid, fileBytes: 10, transactionBytes: 4)
        #expect(
            EntryText.lines(of: answer, title: "a\u{1b}.psbt") == [
                #"signed: a\u{1b}.psbt, 1 signature, complete"#, "txid " + shown,
            ])
        let names = SignedFileNames("/usb/a.psbt")
        let json = EntryText.json(of: answer, file: "/usb/a.psbt", names: names)
        #expect(json["txid"]?.string == shown && json["complete"] == .bool(true))
        #expect(json["output"]?.string == "/usb/a-signed.psbt")
        #expect(json["transaction"]?.string == "/usb/a-final.txn")
        let part = SigningAnswer(entry: EntryID(3), signatures: 2, txid: nil, fileBytes: 10)
        #expect(EntryText.lines(of: part)[0].contains("2 signatures, signatures of others are"))
        #expect(
            EntryText.json(of: part, file: "a", names: names)["output"]?.string
                == "/usb/a-part.psbt")
    }

    @Test("of a file that had all signatures it is said that none was made, and one file is named")
    func finished() {
        let answer = SigningAnswer(
            entry: EntryID(3), signatures: 0, txid: .zero, fileBytes: 0, transactionBytes: 4)
        let lines = EntryText.lines(of: answer, title: "a-signed.psbt")
        #expect(lines[0] == "complete: a-signed.psbt has all signatures, and none was made")
        let names = SignedFileNames("a-signed.psbt")
        let json = EntryText.json(of: answer, file: "a-signed.psbt", names: names)
        #expect(json["output"] == .null && json["transaction"]?.string == "a-final.txn")
    }

    @Test("before the password stands what leaves and what it costs")
    func approval() throws {
        func lines(_ columns: Int) -> [String] {
            EntryText.approval(of: Self.summary, title: "a.psbt", columns: columns)
        }
        try expectKept(lines(80), "approval")
        for columns in 40..<80 {
            let narrow = lines(columns)
            #expect(narrow.allSatisfy { $0.count <= columns })
            #expect(words(of: narrow) == words(of: lines(80)))
        }
    }
}
