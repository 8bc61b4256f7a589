import JSON
import Labels
import TestSupport
import Testing

/// Lines that are no labels, and a part of the reason.
private let wrongLines: [(String, String)] = {
    let zeros = String(repeating: "00", count: 32)
    let long = String(repeating: "ü", count: 256)
    return [
        ("{", "no JSON at line 1, column 2"), ("[]", "no JSON object"),
        (#"{"ref":"x"}"#, "\"type\""), (#"{"type":"tx"}"#, "\"ref\""),
        (#"{"type":"tx","ref":"00"}"#, "no \"tx\""),
        (#"{"type":"addr","ref":"bc1qqqq"}"#, "no \"addr\""),
        (#"{"type":"pubkey","ref":"02"}"#, "no \"pubkey\""),
        (#"{"type":"output","ref":""# + zeros + #":01"}"#, "no \"output\""),
        (#"{"type":"input","ref":""# + zeros + #""}"#, "no \"input\""),
        (#"{"type":"xpub","ref":"xpub"}"#, "no \"xpub\""),
        (#"{"type":"new","ref":"x","label":5}"#, "\"label\""),
        (#"{"type":"output","ref":""# + zeros + #":0","spendable":"no"}"#, "\"spendable\""),
        (#"{"type":"new","ref":"x","label":""# + long + #""}"#, "256 characters"),
    ]
}()

@Suite("Label files (BIP329)")
struct LabelFileTests {
    private func read(_ text: String) throws -> (labels: [Label], problems: [LabelFile.Problem]) {
        try LabelFile.read(Array(text.utf8))
    }

    @Test("the example of the standard is read, and written as it was read")
    func example() throws {
        let (labels, problems) = try LabelFile.read(Fixture.bytes("bip329/labels.jsonl"))
        #expect(problems.isEmpty)
        #expect(labels.count == 8)
        #expect(
            labels.map(\.subject.type) == [
                "tx", "addr", "pubkey", "input", "output", "xpub", "spscan", "tx",
            ])
        #expect(labels[0].text == "Transaction")
        #expect(labels[0].origin == "wpkh([d34db33f/84'/0'/0'])")
        #expect(labels[4].isSpendable == false)
        let again = try LabelFile.read(Array(LabelFile.text(of: labels).utf8))
        #expect(again.labels == labels)
        let original = try Fixture.lines("bip329/labels.jsonl").map {
            try JSONReader.read(Array($0.utf8))
        }
        let written = try LabelFile.text(of: labels).split(separator: "\n").map {
            try JSONReader.read(Array($0.utf8))
        }
        #expect(written == original)
    }

    @Test("members that only others know are kept as they are")
    func rest() throws {
        let line =
            #"{"type":"tx","ref":"\#(String(repeating: "ab", count: 32))","label":"","fee":1,"rate":{"USD":105620.00}}"#
        let (labels, problems) = try read(line)
        #expect(problems.isEmpty)
        #expect(LabelFile.text(of: labels) == line + "\n")
    }

    @Test(
        "a line that is no label is left out and named, and the others are read",
        arguments: wrongLines)
    func refused(line: String, reason: String) throws {
        let good = #"{"type":"new","ref":"x","label":"\#(String(repeating: "ü", count: 255))"}"#
        let (labels, problems) = try read("\r\n" + line + "\n" + good + "\n")
        #expect(labels.count == 1)
        #expect(problems.map(\.line) == [2])
        #expect(problems.first.map { "\($0.reason)".contains(reason) } == true, "\(problems)")
    }

    @Test("lines and files are bounded")
    func bounds() throws {
        let long = String(repeating: " ", count: LabelFile.maximumLine) + "{}"
        #expect(try read(long).problems.map(\.reason) == [.lineTooLong(long.utf8.count)])
        let huge = [UInt8](repeating: 0x0A, count: LabelFile.maximumLength + 1)
        #expect(throws: LabelError.fileTooLong(huge.count)) { try LabelFile.read(huge) }
    }
}
