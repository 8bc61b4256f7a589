import PSBT
import TestSupport
import Testing
import Wire

@Suite("Parsing: the vectors of the BIPs and of Bitcoin Core")
struct ParsingTests {
    /// Source, invalid PSBTs, valid PSBTs.
    static let sources = [
        ("bip174", 20, 10), ("bip370", 24, 14), ("bip371", 11, 6), ("bip373", 10, 14),
    ]

    @Test("every invalid vector is refused and nothing valid is", arguments: sources)
    func bips(source: String, invalid: Int, valid: Int) throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/\(source).json")
        #expect(vectors.invalid.count == invalid)
        #expect(vectors.valid.count == valid)
        for vector in vectors.invalid {
            #expect(throws: PSBTFileError.self, "\(vector.name)") { try PSBTFile(vector.file) }
        }
        for vector in vectors.valid { try expectRoundTrip(vector.psbt) }
    }

    @Test("BIP370 and BIP371: the refusal names the field that the vector is about")
    func fieldNames() throws {
        let vectors = try ["bip370", "bip371"].flatMap { source in
            (try Fixture.load("psbt/\(source).json") as PSBTVectors).invalid
        }
        // With version 2 set, it is the unsigned transaction that must not be there.
        for vector in vectors where vector.name != "PSBTv0 but with PSBT_GLOBAL_VERSION set to 2." {
            do throws(PSBTFileError) {
                _ = try PSBTFile(vector.file)
            } catch {
                guard case .psbt(let error) = error, let field = error.field else {
                    Issue.record("\(vector.name): \(error)")
                    continue
                }
                #expect(vector.name.contains(field), "\(vector.name): \(error)")
            }
        }
    }

    @Test("Core: 53 invalid, 34 valid")
    func core() throws {
        let vectors = try CoreVectors.load()
        #expect(vectors.invalid.count == 53)
        #expect(vectors.valid.count == 34)
        for vector in vectors.invalid {
            #expect(throws: PSBTFileError.self, "\(vector.testDescription)") {
                try PSBTFile(vector.file)
            }
        }
        for psbt in vectors.valid { try expectRoundTrip(psbt) }
    }

    @Test("PSBTs that only a signer refuses parse: BIP174 4, BIP370 lock times 10")
    func signerChecks() throws {
        struct Vectors: Decodable {
            let failsSignerChecks: [NamedPSBT]?
            let lockTimes: [NamedPSBT]?
        }
        let bip174: Vectors = try Fixture.load("psbt/bip174.json")
        let bip370: Vectors = try Fixture.load("psbt/bip370.json")
        let all = (bip174.failsSignerChecks ?? []) + (bip370.lockTimes ?? [])
        #expect(all.count == 14)
        for vector in all { try expectRoundTrip(vector.psbt) }
    }

    /// BIP375 has invalid vectors that need the secret-sharing arithmetic of BIPs 352 and 374 or
    /// the scripts of the inputs; those parse. The rest is wrong in itself.
    @Test("BIP375: 8 of 22 invalid vectors are refused when parsed, all 20 valid ones parse")
    func bip375() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip375.json")
        #expect(vectors.invalid.count == 22)
        #expect(vectors.valid.count == 20)
        let refused = vectors.invalid.filter { (try? PSBTFile($0.file)) == nil }
        #expect(
            refused.map(\.name) == [
                "psbt structure: missing PSBT_OUT_SP_V0_INFO field when PSBT_OUT_SP_V0_LABEL set",
                "psbt structure: incorrect byte length for PSBT_OUT_SP_V0_INFO field",
                "psbt structure: incorrect byte length for PSBT_IN_SP_ECDH_SHARE field",
                "psbt structure: incorrect byte length for PSBT_IN_SP_DLEQ field",
                "psbt structure: PSBT_GLOBAL_TX_MODIFIABLE field is non-zero when "
                    + "PSBT_OUT_SCRIPT set for sp output",
                "psbt structure: missing PSBT_OUT_SCRIPT field when sending to non-sp output",
                "ecdh coverage: missing PSBT_IN_SP_DLEQ field for input when "
                    + "PSBT_IN_SP_ECDH_SHARE set",
                "ecdh coverage: missing PSBT_GLOBAL_SP_DLEQ field when "
                    + "PSBT_GLOBAL_SP_ECDH_SHARE set",
            ])
        for vector in vectors.valid { try expectRoundTrip(vector.psbt) }
    }

    @Test("all 462 PSBTs that Core made or signed come back byte for byte")
    func corpus() throws {
        let cases = try CorpusCase.load()
        #expect(cases.count == 102)
        let all = cases.flatMap(\.all)
        #expect(all.count == 102 + 324 + 36)
        for psbt in all { try expectRoundTrip(psbt) }
    }

    private func expectRoundTrip(_ text: String) throws {
        let bytes = try Base64.decode(text)
        let psbt = try PSBT(bytes)
        #expect(psbt.serialized == bytes)
        #expect(psbt.serializedSize == bytes.count)
        #expect(psbt.base64 == text)
    }
}
