import TestSupport
import Testing

@testable import Descriptors

@Suite("Wallet policy")
struct WalletPolicyTests {
    struct Vectors: Decodable {
        struct Valid: Decodable {
            let template: String
            let keys: [String]
            let descriptor: String
        }
        struct Invalid: Decodable {
            let template: String
            let why: String
        }
        let valid: [Valid]
        let invalid: [Invalid]
    }

    let vectors: Vectors
    /// Keys enough for every template.
    let keys: [String]

    init() throws {
        vectors = try Fixture.load("descriptors/bip388.json")
        keys = Array(Set(vectors.valid.flatMap(\.keys))).sorted()
    }

    @Test("BIP388's templates become its descriptors and come back")
    func valid() throws {
        #expect(vectors.valid.count == 9)
        for row in vectors.valid {
            let policy = try WalletPolicy(template: row.template, keys: row.keys)
            #expect(try policy.descriptor == Descriptor(row.descriptor))
            let back = try WalletPolicy(Descriptor(row.descriptor))
            #expect(back == policy)
            #expect(back.template == row.template)
            #expect(back.keys.map(\.description) == row.keys.map { $0.replacing("'", with: "h") })
        }
    }

    @Test("BIP388's invalid templates are refused, each for its reason")
    func invalid() throws {
        let expected: [WalletPolicyError] = [
            .template(DescriptorError(.placeholderPath, at: 6)),
            .template(DescriptorError(.placeholderPath, at: 6)),
            .template(DescriptorError(.placeholderOrder(found: 1, allowed: 0), at: 11)),
            .template(DescriptorError(.placeholderOrder(found: 2, allowed: 1), at: 17)),
            .template(DescriptorError(.duplicateKeys, at: 17)),
            .notDisjoint(indices: [0]),
            .literalKey,
            .template(DescriptorError(.placeholderPath, at: 6)),
            .template(DescriptorError(.placeholder, at: 9)),
        ]
        #expect(vectors.invalid.count == expected.count)
        for (row, error) in zip(vectors.invalid, expected) {
            let used = Set(row.template.matches(of: /@(\d)/).map(\.1)).count
            #expect(throws: error, "\(row.why)") {
                try WalletPolicy(
                    template: row.template,
                    keys: Array(keys.prefix(max(used, row.template.contains("@2") ? 3 : 1))))
            }
        }
    }

    @Test("musig() of one key is not that key: found by the fuzzer")
    func oneParticipant() throws {
        let policy = try WalletPolicy(template: "tr(musig(@0)/**,pk(@0/**))", keys: [keys[0]])
        #expect(policy.template == "tr(musig(@0)/**,pk(@0/**))")
        #expect(try WalletPolicy(template: policy.template, keys: [keys[0]]) == policy)
        let derived = try policy.descriptor.output().form.keys
        #expect(derived[0].publicKey != derived[1].publicKey)
    }
}
