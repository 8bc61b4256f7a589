import Bitcoin
import PSBT
import TestSupport
import Testing
import Wire

@Suite("Roles: PSBTs made and signed by Bitcoin Core")
struct CorpusTests {
    /// The wallets whose witnesses follow from the signatures alone.
    static let simpleWallets = [
        "pkh", "sh-wpkh", "wpkh", "tr", "wsh-sortedmulti-2of3", "sh-wsh-sortedmulti-2of3",
        "wsh-multi-unsorted-2of2", "sh-multi-1of2", "wsh-pk-safe", "tr-tree", "tr-tree-leaf-ours",
        "tr-musig-leaf",
    ]

    @Test(
        "finalised and extracted, Core's signatures give Core's transaction",
        arguments: simpleWallets)
    func finalizing(wallet: String) throws {
        let cases = try CorpusCase.load().filter { $0.wallet == wallet }
        #expect(cases.count == 6)
        for item in cases {
            let signed = try PSBT(base64: #require(item.signed["all"]))
            let transaction = try signed.finalized().extracted()
            #expect(transaction.txid.description == item.txid, "\(item.testDescription)")
            #expect(transaction.vsize == item.vsize)
            #expect(transaction.weight == item.weight)
            #expect(transaction.serialized() == item.finalTransaction.bytes)
        }
    }

    @Test("combined from its signers one by one, a PSBT gives a transaction of the same size")
    func combining() throws {
        var count = 0
        for item in try CorpusCase.load() where Self.simpleWallets.contains(item.wallet) {
            let signers = item.signed.keys.filter { $0 != "all" }.sorted()
            let parts = try signers.map { try PSBT(base64: #require(item.signed[$0])) }
            let combined = try PSBT.combining(parts)
            for order in [parts, parts.reversed()] {
                let transaction = try PSBT.combining(order).finalized().extracted()
                #expect(transaction.txid.description == item.txid)
                #expect(transaction.vsize == item.vsize)
            }
            #expect(try PSBT(combined.serialized) == combined)
            count += 1
        }
        #expect(count == 72)
    }

    @Test("every one of Core's signatures verifies, and nothing but signatures was added")
    func signatures() throws {
        var signatures = 0
        var answers = 0
        for item in try CorpusCase.load() where item.musigRound1 == nil {
            let sent = try PSBT(base64: item.unsigned)
            let checker = try SignatureChecker(sent)
            for key in item.signed.keys.sorted() {
                let answer = try sent.compare(answer: PSBT(base64: #require(item.signed[key])))
                #expect(!answer.addsNothing)
                #expect(answer.removed.isEmpty)
                for signature in answer.signatures { try checker.check(signature) }
                signatures += answer.signatures.count
                answers += 1
                let added = try sent.adding(answer.signatures)
                #expect(try added.sorted == PSBT(base64: #require(item.signed[key])).sorted)
            }
        }
        #expect(answers == 258)
        #expect(signatures > answers)
    }

    @Test("MuSig2: nonces, then partial signatures, then final witnesses are what is added")
    func musig() throws {
        var cases = 0
        for item in try CorpusCase.load() {
            guard let first = item.musigRound1, let second = item.musigRound2 else { continue }
            cases += 1
            let sent = try PSBT(base64: item.unsigned)
            let nonces = try sent.compare(answer: PSBT(base64: first))
            #expect(!nonces.signatures.isEmpty)
            for record in nonces.signatures {
                guard case .musigNonce = record.kind else { continue }
                #expect(record.value.count == 66)
            }
            let round1 = try sent.adding(nonces.signatures)
            let partials = try round1.compare(answer: PSBT(base64: second))
            // The key path of the wallet with a MuSig2 key in a leaf was signed in the first round.
            #expect(partials.addsNothing == (item.wallet == "tr-musig-leaf"))
            for record in partials.signatures {
                guard case .musigPartial = record.kind else {
                    Issue.record("\(record.kind)")
                    continue
                }
                #expect(record.value.count == 32)
            }
        }
        #expect(cases == 18)
    }

    @Test("proven by Core's previous transactions, every amount is known before signing")
    func amounts() throws {
        var inputs = 0
        for item in try CorpusCase.load() {
            let psbt = try PSBT(base64: item.unsigned)
            for (index, input) in psbt.inputs.enumerated() {
                inputs += 1
                #expect(input.utxo.output != nil)
                let spend = try psbt.spend(ofInput: index)
                if case .taproot = spend.kind { continue }
                #expect(spend.isProven)
            }
        }
        #expect(inputs > 102)
    }
}
