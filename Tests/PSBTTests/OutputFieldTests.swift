import Bitcoin
import Curve
import PSBT
import TestSupport
import Testing
import Wire

@Suite("Fields of outputs")
struct OutputFieldTests {
    @Test("BIP353: the 5 proofs stand in PSBT_OUT_DNSSEC_PROOF with their names")
    func dnssecProofs() throws {
        struct Vectors: Decodable {
            struct Proof: Decodable { let proof: HexBytes }
            let proofs: [Proof]
        }
        let vectors: Vectors = try Fixture.load("psbt/bip353.json")
        #expect(vectors.proofs.count == 5)
        var names: Set<String> = []
        for vector in vectors.proofs {
            var raw = try RawPSBT(Samples.version0())
            raw.outputs[0].append(.init(0x35, vector.proof.bytes))
            let proof = try #require(try raw.parse().outputs[0].dnssecProof)
            #expect([UInt8(proof.name.count)] + proof.name + proof.proof == vector.proof.bytes)
            names.insert(String(decoding: proof.name, as: UTF8.self))
        }
        #expect(names.contains("simple@dnssec_proof_tests.bitcoin.ninja"))
        for cut: [UInt8] in [[], [0, 1], [5, 1, 2], [2, 0x61, 0x62]] {
            var raw = try RawPSBT(Samples.version0())
            raw.outputs[0].append(.init(0x35, cut))
            #expect(raw.error()?.field == "PSBT_OUT_DNSSEC_PROOF")
        }
    }

    @Test("BIP371: the tree of an output gives the output key that it pays to")
    func taprootTree() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip371.json")
        let sample = try #require(vectors.valid.first { $0.name.contains("path only output") })
        let output = try #require(
            try PSBT(base64: sample.psbt).outputs.first { !$0.taprootTree.isEmpty })
        let tree = try TapTree(
            output.taprootTree.map { leaf in
                TapTree.Node(
                    depth: leaf.depth,
                    leaf: TapLeaf(
                        leaf.script, version: try #require(LeafVersion(rawValue: leaf.leafVersion)))
                )
            })
        let key = try XOnlyPublicKey(try #require(output.taprootInternalKey))
        #expect(try TaprootOutput(internalKey: key, tree: tree).scriptPubKey == output.scriptPubKey)
        #expect(output.taprootDerivations.count == 4)
    }

    @Test("BIP373: participants of Core's MuSig2 wallets aggregate to the key of the record")
    func musigParticipants() throws {
        var records = 0
        for wallet in ["tr-musig-2of2", "tr-musig-3of3", "tr-musig-leaf"] {
            let psbt = try Samples.version0(wallet)
            let all =
                psbt.inputs.flatMap(\.musigParticipants)
                + psbt.outputs.flatMap(\.musigParticipants)
            for record in all {
                let keys = try record.participants.map { try PublicKey($0) }
                #expect(try MuSig2.aggregate(keys).compressed == record.aggregateKey)
                records += 1
            }
        }
        #expect(records == 6)
    }

    @Test("BIP375: address, label and shares are read as the vectors have them")
    func silentPayments() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip375.json")
        var (addresses, labels, shares, open) = (0, 0, 0, 0)
        for vector in vectors.valid {
            let psbt = try PSBT(base64: vector.psbt)
            for output in psbt.outputs {
                guard let address = output.silentPaymentAddress else { continue }
                addresses += 1
                #expect(address.scanKey.count == 33 && address.spendKey.count == 33)
                labels += output.silentPaymentLabel == nil ? 0 : 1
                open += output.scriptPubKey == nil ? 1 : 0
            }
            let own =
                psbt.global.silentPaymentShares
                + psbt.inputs.flatMap(\.silentPaymentShares)
            for share in own {
                shares += 1
                #expect(share.share.count == 33 && share.proof.count == 64)
            }
            if psbt.outputs.contains(where: { $0.scriptPubKey == nil }) {
                #expect(throws: UnsignedTransactionError.self) { try psbt.unsignedTransaction() }
                #expect(try psbt.identity() != Txid(.zero))
            }
        }
        #expect(addresses == 34)
        #expect(labels == 4)
        #expect(shares == 54)
        #expect(open == 3)
    }

    @Test("version 2 payments beyond the size of any transaction are refused")
    func payments() throws {
        var raw = try RawPSBT(Samples.version2())
        raw.outputs[0][type: 4] = [UInt8](repeating: 0x51, count: 999_000)
        guard case .tooLarge = raw.error()?.problem else {
            #expect(raw.error() == nil)
            raw.outputs[1][type: 4] = [UInt8](repeating: 0x51, count: 2_000)
            guard case .tooLarge = raw.error()?.problem else {
                Issue.record("\(String(describing: raw.error()))")
                return
            }
            return
        }
        Issue.record("999,000 bytes of script fit")
    }
}
