import Testing

@testable import Descriptors

@Suite("Size of spending inputs")
struct SpendSizeTests {
    /// Weights that others publish for these inputs, with signatures of 72 and 65 bytes.
    /// Templates and weights: four times the bytes outside of the witness, and those of the witness.
    static let inputs: [(template: String, outside: Int, witness: Int)] = [
        ("pkh(A)", 148, 0),
        ("wpkh(A)", 41, 108),
        ("sh(wpkh(A))", 64, 108),
        ("sh(multi(2,A,B,C))", 297, 0),
        ("wsh(multi(2,A,B,C))", 41, 254),
        ("wsh(sortedmulti(2,A,B,C))", 41, 254),
        ("sh(wsh(multi(2,A,B,C)))", 76, 254),
        ("tr(A)", 41, 67),
        ("rawtr(A)", 41, 67),
        // A count, one signature of 66 bytes, a script of 35 and a control block of 34.
        ("tr(A,pk(B))", 41, 136),
        // The deeper leaf has a control block of 98 bytes.
        ("tr(A,{pk(A),{pk(B),pk(C)}})", 41, 200),
    ]

    @Test("inputs of every kind weigh what is known of them", arguments: inputs.map(\.template))
    func weights(template: String) throws {
        let input = try #require(Self.inputs.first { $0.template == template })
        let weight = 4 * input.outside + input.witness
        #expect(try Self.descriptor(template).maximumSpendSize?.inputWeight == weight)
    }

    @Test("a taproot output has a size for its key and one for each leaf, others have none")
    func taproot() throws {
        let descriptor = try Self.descriptor("tr(A,{pk(B),multi_a(2,B,C)})")
        #expect(descriptor.keyPathSpendSize == SpendSize(scriptSig: 0, witness: 67))
        // A count, signatures of 66 bytes, the script, a control block of 66.
        #expect(descriptor.leafSpendSize(0)?.witness == 168)
        #expect(descriptor.leafSpendSize(1)?.witness == 270)
        #expect(descriptor.leafSpendSize(2) == nil)
        #expect(try Self.descriptor("wpkh(A)").keyPathSpendSize == nil)
        #expect(try Self.descriptor("raw(51)").maximumSpendSize == nil)
    }

    static func descriptor(_ template: String) throws -> Descriptor {
        try Descriptor(
            template
                .replacing(
                    "A", with: "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
                )
                .replacing(
                    "B", with: "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
                )
                .replacing(
                    "C", with: "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9")
        )
    }
}
