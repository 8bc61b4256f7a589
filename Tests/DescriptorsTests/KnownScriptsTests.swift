import Bitcoin
import Curve
import TestSupport
import Testing
import Wire

@testable import Descriptors

@Suite("Inference of descriptors")
struct KnownScriptsTests {
    struct Vectors: Decodable {
        struct Row: Decodable {
            let script: String
            let descriptor: String
            let knownScripts: [String]
            let knownPubkeys: [[String]]

            enum CodingKeys: String, CodingKey {
                case script, descriptor
                case knownScripts = "known_scripts"
                case knownPubkeys = "known_pubkeys"
            }
        }
        let infer: [Row]
    }

    @Test("Bitcoin Core's inferences come out")
    func core() throws {
        let rows = try Fixture.load("descriptors/core.json", as: Vectors.self).infer
        #expect(rows.count == 6)
        for row in rows {
            var known = KnownScripts()
            for script in row.knownScripts { known.insert(Script(try Hex.decode(script))) }
            for entry in row.knownPubkeys {
                let bytes = try Hex.decode(entry[0])
                // Hybrid keys are no keys here.
                guard let key = try? PublicKey(bytes) else { continue }
                let origin =
                    entry.count > 1 ? try KeyExpression("[\(entry[1])]" + entry[0]).origin : nil
                known.insert(
                    key, form: bytes.count == 33 ? .compressed : .uncompressed, origin: origin)
            }
            let script = Script(try Hex.decode(row.script))
            #expect(known.descriptor(of: script, network: .mainnet).body == row.descriptor)
        }
    }

    @Test(
        "what a descriptor derives is inferred again from its keys and scripts",
        arguments: [
            "pk(A)", "pkh(A)", "multi(2,A,B,C)", "sh(pkh(A))", "sh(multi(1,A,B))", "wpkh(A)",
            "sh(wpkh(A))", "wsh(pk(A))", "wsh(multi(2,A,B,C))", "sh(wsh(pkh(A)))", "rawtr(A)",
            "wsh(or_d(pk(A),and_v(v:pkh(B),older(144))))", "tr(A)",
            "tr(A,{pk(B),{multi_a(2,B,C),and_v(v:pkh(C),after(100))}})",
        ])
    func roundTrip(template: String) throws {
        let descriptor = try SpendSizeTests.descriptor(template)
        let output = try descriptor.output()
        var known = KnownScripts()
        for key in output.form.keys { known.insert(key.publicKey, origin: key.origin) }
        for script in [output.redeemScript, output.witnessScript] {
            if let script { known.insert(script) }
        }
        if let taproot = output.taproot { known.insert(taproot) }
        let inferred = known.descriptor(of: output.scriptPubKey, network: .regtest)
        #expect(try inferred.output().scriptPubKey == output.scriptPubKey)
        // The same form: only origins were added, and taproot keys are written with 32 bytes.
        let bare = inferred.body.replacing(/\[[0-9a-f]{8}\]/, with: "")
        let expected = descriptor.body.replacing(
            /0[23](?=[0-9a-f]{64})/, with: template.contains("tr(") ? "" : "02")
        #expect(bare == expected)
        #expect(inferred.body.contains("["))
    }

    @Test("without knowledge there is an address, and without an address the script")
    func unknown() throws {
        let known = KnownScripts()
        let p2wsh = try SpendSizeTests.descriptor("wsh(pk(A))").output().scriptPubKey
        #expect(known.descriptor(of: p2wsh, network: .signet).body.hasPrefix("addr(tb1q"))
        let data = Script.opReturn([1, 2, 3])
        #expect(known.descriptor(of: data, network: .signet).body == "raw(6a03010203)")
    }
}
