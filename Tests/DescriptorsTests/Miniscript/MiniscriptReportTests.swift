import Bitcoin
import Hashing
import Testing
import Wire

@testable import Descriptors

/// Bugs that users of other signers reported, each tried here.
@Suite("Reported miniscript bugs")
struct MiniscriptReportTests {
    private func miniscript(_ text: String) throws -> Miniscript<TestKey> {
        try Miniscript<TestKey>(text, in: .wsh)
    }

    /// bitbox02-firmware#1125, #1126.
    @Test("a timelocked script is understood and satisfied from its bytes, without a policy")
    func withoutPolicy() throws {
        let original = try miniscript("or_d(pk(A),and_v(v:pkh(B),older(144)))")
        let keys = original.keys
        let decoded = try Miniscript<EncodedKey>(original.script, in: .wsh)
            .map { key throws(MiniscriptError) in
                try TestKey(key, knownKeys: keys, in: .wsh)
            }
        #expect(decoded == original)
        let world = TestWorld(context: .wsh, signers: [keys[1]], olderMet: [144])
        let witness = try decoded.satisfaction(from: world)
        #expect(ScriptMachine.accepts(original.script, witness, world))
    }

    /// liana#917.
    @Test(
        "pkh and older with keys of one signer: either key satisfies, the other is shown unsigned")
    func sameSigner() throws {
        let original = try miniscript("or_d(pkh(A),and_v(v:pkh(B),older(10)))")
        try original.checkSanity()
        let lots: [(TestKey, Set<UInt32>)] = [(original.keys[0], []), (original.keys[1], [10])]
        for (signer, older) in lots {
            let world = TestWorld(context: .wsh, signers: [signer], olderMet: older)
            let witness = try original.satisfaction(from: world)
            #expect(ScriptMachine.accepts(original.script, witness, world))
            #expect(witness.contains(signer.compressed))
        }
    }

    /// HWI#680, app-bitcoin#201.
    @Test("a policy written in another form is the same policy")
    func otherForm() throws {
        let forms = [
            "or_d(pk(A),and_v(v:pkh(B),older(5)))", "or_d(c:pk_k(A),and_v(vc:pk_h(B),older(5)))",
        ]
        #expect(try miniscript(forms[0]) == miniscript(forms[1]))
        #expect(try miniscript(forms[0]).script == miniscript(forms[1]).script)
    }

    /// Ledger 2.1.0 and 2.1.1.
    @Test("a: moves to the alternative stack and back")
    func alt() throws {
        let original = try miniscript("and_b(pk(A),a:pk(B))")
        let keys = original.keys.map(\.compressed)
        let expected: [UInt8] = [33] + keys[0] + [0xAC, 0x6B, 33] + keys[1] + [0xAC, 0x6C, 0x9A]
        #expect(original.script.bytes == expected)
    }

    /// Ledger before 2.1.2.
    @Test("thresh(1,X) still compares with 1")
    func threshOfOne() throws {
        let original = try miniscript("thresh(1,pk(A))")
        let expected: [UInt8] = [33] + original.keys[0].compressed + [0xAC, 0x51, 0x87]
        #expect(original.script.bytes == expected)
        try expectFixedPoints(original)
        let plain = try miniscript("pk(A)")
        #expect(original != plain)
    }

    /// Ledger 2.4.6.
    @Test(
        "older with bits that consensus ignores, or with no lock left, is not sane",
        arguments: [65_536, 65_537, 4_194_304, 4_259_840, 8_388_609, 2_147_483_647] as [UInt32])
    func meaninglessOlder(value: UInt32) throws {
        let original = try miniscript("and_v(v:pk(A),older(\(value)))")
        #expect(throws: InsaneMiniscript(.meaninglessOlder(value), at: 14)) {
            try original.checkSanity()
        }
    }

    @Test(
        "older with a number of blocks or of units of 512 seconds is sane",
        arguments: [1, 144, 65_535, 4_194_305, 4_259_839] as [UInt32])
    func meaningfulOlder(value: UInt32) throws {
        try miniscript("and_v(v:pk(A),older(\(value)))").checkSanity()
    }

    /// sparrow#698, bitcoin-safe#79.
    @Test("multi keeps the order of its keys")
    func unsorted() throws {
        let one = try miniscript("multi(2,B,A)")
        let other = try miniscript("multi(2,A,B)")
        #expect(one.script != other.script)
        let shown = try Miniscript<EncodedKey>(one.script, in: .wsh).keys
        let expected = one.keys.map { EncodedKey.key($0.compressed) }
        #expect(shown == expected)
    }

    /// Coldcard#787.
    @Test(
        "a key that stands twice is found wherever it stands",
        arguments: [
            "multi(2,A,A)", "and_v(v:pk(A),pk(A))", "or_d(pk(A),and_v(v:pkh(A),older(1)))",
            "thresh(2,pk(A),s:pk(B),s:pk(A))",
        ])
    func duplicateKeys(text: String) throws {
        let error = thrown { try miniscript(text).checkSanity() } as? InsaneMiniscript
        #expect(error?.reason == .duplicateKey)
    }
}
