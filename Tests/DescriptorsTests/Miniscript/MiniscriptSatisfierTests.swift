import Bitcoin
import PSBT
import TestSupport
import Testing

@testable import Descriptors

/// A PSBT that Bitcoin Core made and signed.
private struct SignedCase: Decodable {
    let wallet: String
    let unsigned: String
    let signed: [String: String]
    let finalTransaction: HexBytes
    let txid: String
    let vsize: Int

    /// The six cases of one wallet.
    static func load(_ wallet: String) throws -> [SignedCase] {
        let all: [SignedCase] = try Fixture.load("psbt/core-regtest.json")
        return all.filter { $0.wallet == wallet }
    }
}

extension PSBT {
    fileprivate init(base64 text: String) throws { self = try PSBTFile(Array(text.utf8)).psbt }
}

@Suite("Finalising miniscripts in PSBTs")
struct MiniscriptSatisfierTests {
    @Test(
        "finalised from scripts and signatures alone, Core's signed PSBTs give Core's transactions",
        arguments: [
            "wsh-miniscript-recovery", "wsh-miniscript-thresh", "tr-multi_a-2of3", "tr-tree",
            "tr-tree-leaf-ours", "wsh-pk-safe",
        ])
    func corpus(wallet: String) throws {
        let cases = try SignedCase.load(wallet)
        #expect(cases.count == 6)
        for item in cases {
            let signed = try PSBT(base64: #require(item.signed["all"]))
            let satisfier = MiniscriptSatisfier(signed)
            let transaction = try signed.finalized(with: satisfier).extracted()
            #expect(transaction.txid.description == item.txid)
            #expect(transaction.vsize == item.vsize)
            #expect(transaction.serialized() == item.finalTransaction.bytes)
        }
    }

    @Test("without signatures nothing is finalised")
    func unsigned() throws {
        for wallet in ["wsh-miniscript-recovery", "wsh-miniscript-thresh", "tr-multi_a-2of3"] {
            let cases = try SignedCase.load(wallet)
            #expect(cases.count == 6)
            for item in cases {
                let unsigned = try PSBT(base64: item.unsigned)
                #expect(throws: FinalizationError.self) {
                    try unsigned.finalized(with: MiniscriptSatisfier(unsigned))
                }
            }
        }
    }
}
