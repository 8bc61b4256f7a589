import Bitcoin
import Foundation
import PSBT
import Review
import TestSupport
import Testing
import Wire

@testable import SigningWork

@Suite("Files that lack no signature")
struct CompletePSBTTests {
    private struct Recorded: Decodable {
        let wallet: String
        let unsigned: String
        let signed: [String: String]
        let finalTransaction: String
        let txid: String
    }

    private func psbt(_ text: String) throws -> PSBT { try PSBTFile(Array(text.utf8)).psbt }

    /// Nobody's wallet: whose inputs they are makes no difference.
    private func complete(_ psbt: PSBT) throws -> CompletePSBT {
        let report = Reviewer(wallets: [], network: .regtest).review(psbt)
        return try CompletePSBT(psbt, reviewedAs: report)
    }

    private func refusal(_ psbt: PSBT) throws -> IncompletePSBT? {
        do {
            _ = try complete(psbt)
            return nil
        } catch let error as IncompletePSBT {
            return error
        }
    }

    private func recorded() throws -> [Recorded] {
        try Fixture.load("psbt/core-regtest.json", as: [Recorded].self)
    }

    @Test("of each recorded PSBT of a plain account with its signatures Core's transaction is made")
    func made() throws {
        var count = 0
        for item in try recorded() where ["pkh", "sh-wpkh", "wpkh", "tr"].contains(item.wallet) {
            let made = try complete(try psbt(try #require(item.signed["all"]))).transaction
            #expect(made.txid.description == item.txid, "\(item.wallet)")
            #expect(Hex.encode(made.serialized()) == item.finalTransaction)
            count += 1
        }
        #expect(count == 24)
    }

    @Test("an input without its signature is refused and named, and so is one that is final")
    func refused() throws {
        let item = try #require(
            try recorded().first {
                try $0.wallet == "wpkh" && psbt($0.unsigned).inputs.count > 1
            })
        let unsigned = try psbt(item.unsigned)
        let whole = try psbt(try #require(item.signed["all"]))
        let records = try unsigned.compare(answer: whole).signatures
        #expect(records.count == whole.inputs.count)
        let part = try unsigned.adding(Array(records.dropLast()))
        guard case .signatures(.incomplete(let reports)) = try refusal(part) else {
            Issue.record("an unsigned input was taken")
            return
        }
        let open = try #require(records.last).input
        #expect(reports.filter { !$0.state.isComplete }.map(\.input) == [open])
        #expect(
            try refusal(part)?.description == "input \(open): 0 of 1 signatures are there")
        #expect(try refusal(try whole.finalized()) == .final(input: 0))
    }

    @Test("what stops a signature stops the transaction, but that there is nothing to sign")
    func stopped() throws {
        let item = try #require(try recorded().first { $0.wallet == "wpkh" })
        let whole = try psbt(try #require(item.signed["all"]))
        var limits = ReviewLimits.standard
        (limits.quietFeerate, limits.feerateStop) = (0, 1_000)
        let report = Reviewer(wallets: [], network: .regtest, limits: limits).review(whole)
        #expect(throws: IncompletePSBT.stopped(["feerate-extreme"])) {
            try CompletePSBT(whole, reviewedAs: report)
        }
    }
}
