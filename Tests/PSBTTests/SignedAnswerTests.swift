import PSBT
import TestSupport
import Testing

@Suite("A signed file that came back")
struct SignedAnswerTests {
    @Test("Bitcoin Core's signatures for its own files are taken, and the file is complete")
    func recorded() throws {
        var count = 0
        for item in try CorpusCase.load()
        where ["pkh", "sh-wpkh", "wpkh", "tr"].contains(item.wallet) {
            let sent = Array(item.unsigned.utf8)
            let signed = try SignedAnswer(Array(#require(item.signed["all"]).utf8), to: sent)
            #expect(signed.isComplete)
            let psbt = try PSBTFile(signed.file).psbt
            #expect(try psbt.finalized().extracted().txid.description == item.txid)
            count += 1
        }
        #expect(count == 24)
    }

    @Test("A part of the signatures is taken, and is no complete file")
    func part() throws {
        let item = try Samples.corpusCase("wsh-sortedmulti-2of3")
        let signed = try SignedAnswer(
            Array(#require(item.signed["a"]).utf8), to: Array(item.unsigned.utf8))
        #expect(!signed.isComplete)
        #expect(signed.signatures > 0)
    }

    @Test("Another transaction, an unsigned file, a forged signature and noise are refused")
    func refused() throws {
        let item = try Samples.corpusCase("wpkh")
        let sent = Array(item.unsigned.utf8)
        func problem(_ answer: [UInt8]) -> SignedAnswerError? {
            do throws(SignedAnswerError) {
                _ = try SignedAnswer(answer, to: sent)
                return nil
            } catch {
                return error
            }
        }
        let other = try Samples.corpusCase("tr")
        #expect(
            problem(Array(try #require(other.signed["all"]).utf8)) == .different(.otherTransaction))
        #expect(problem(sent) == .unsigned)
        guard case .answer = problem([1, 2, 3]) else {
            Issue.record("noise was taken")
            return
        }
        var raw = try RawPSBT(base64: try #require(item.signed["all"]))
        let place = try #require(raw.inputs[0].firstIndex { $0.key.first == 2 })
        raw.inputs[0][place].value[10] ^= 1
        guard case .signature = problem(try raw.parse().serialized) else {
            Issue.record("a forged signature was taken")
            return
        }
        raw = try RawPSBT(base64: try #require(item.signed["all"]))
        raw.outputs[0].append(.init(0x70, [1]))
        guard case .different(.added) = problem(try raw.parse().serialized) else {
            Issue.record("an added field was taken")
            return
        }
    }
}
