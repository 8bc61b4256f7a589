import Bitcoin
import PSBT
import Review
import TestSupport
import Testing

/// PSBTs that a real Bitcoin Core node made for the plain wallets.
struct RecordedPayment: Decodable, Sendable, CustomTestStringConvertible {
    let wallet: String
    let `case`: String
    let unsigned: String
    let fee: UInt64
    let changePosition: Int
    let finalTransaction: HexBytes
    let txid: String
    let vsize: Int

    static let kinds: [String: AccountKind] = [
        "pkh": .bip44, "sh-wpkh": .bip49, "wpkh": .bip84, "tr": .bip86,
    ]

    var testDescription: String { "\(wallet) \(`case`)" }

    static func load() throws -> [RecordedPayment] {
        try Fixture.load("psbt/core-regtest.json", as: [RecordedPayment].self)
            .filter { kinds[$0.wallet] != nil }
    }

    func report() throws -> ReviewReport {
        try Own.reviewer().review(PSBTFile(Array(unsigned.utf8)).psbt)
    }
}

@Suite("Recorded payments")
struct RecordedPaymentTests {
    @Test("twenty-four recorded payments have the fee, change and recipients that Core recorded")
    func facts() throws {
        let cases = try RecordedPayment.load()
        #expect(cases.count == 24)
        for item in cases {
            let report = try item.report()
            let fact = try #require(report.transaction)
            let final = try Transaction(item.finalTransaction.bytes)
            #expect(report.verdict != .stopped, "\(item.testDescription)")
            let fee = try #require(Amount(sats: item.fee))
            #expect(fact.fee == .proven(fee))
            // Core leaves the previous transactions of taproot coins out.
            let proof: AmountProof = item.wallet == "tr" ? .committed : .proven
            #expect(report.inputs.allSatisfy { $0.proof == proof && $0.isSignable })
            // What Core calls change is ours on the change branch, and nothing else is.
            let change = report.outputs.indices.filter { report.outputs[$0].role == .change }
            #expect(
                change == (item.changePosition < 0 ? [] : [item.changePosition]),
                "\(item.testDescription)")
            let recipients = final.outputs.enumerated().filter {
                $0.offset != item.changePosition
            }.map(\.element)
            let shown = report.outputs.filter { $0.role != .change }
            #expect(shown.map(\.value) == recipients.map(\.value))
            #expect(shown.map(\.scriptPubKey) == recipients.map(\.scriptPubKey))
            let received = shown.count { $0.role == .receive }
            #expect(received == (item.case == "self-transfer" ? 1 : 0), "\(item.testDescription)")
            let data = shown.count { $0.role == .data }
            #expect(data == (item.case == "op-return" ? 1 : 0), "\(item.testDescription)")
            if item.wallet != "sh-wpkh" && item.wallet != "pkh" {
                #expect(fact.unsignedTxid.description == item.txid)
            }
            // Signatures have 72 bytes at most, and Core's were one or two bytes shorter.
            let vsize = try #require(fact.vsize)
            #expect((item.vsize...item.vsize + 2 * report.inputs.count).contains(vsize))
        }
    }

    @Test("what the review lets sign is what Core's wallet signs, and it is valid")
    func signing() throws {
        for item in try RecordedPayment.load() {
            let psbt = try PSBTFile(Array(item.unsigned.utf8)).psbt
            let report = try Own.reviewer().review(psbt)
            let records = try Own.sign(psbt, report)
            let signed = try psbt.adding(records)
            #expect(try signed.finalized().extracted().txid.description == item.txid)
            #expect(try Own.reviewer().review(signed).verdict == .stopped)
        }
    }

    @Test("a review of the wrong account knows no own coin and signs nothing")
    func otherAccount() throws {
        for item in try RecordedPayment.load() where item.case == "one-recipient" {
            let kinds = AccountKind.allCases.filter { $0 != RecordedPayment.kinds[item.wallet] }
            let report = try Own.reviewer(kinds).review(PSBTFile(Array(item.unsigned.utf8)).psbt)
            #expect(report.verdict == .stopped)
            #expect(report.signableInputs(of: 0).isEmpty)
            #expect(report.findings.map(\.check).contains(.claimAccountUnknown))
        }
    }
}
