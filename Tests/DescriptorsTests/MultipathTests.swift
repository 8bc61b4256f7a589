import TestSupport
import Testing

@testable import Descriptors

@Suite("Multipath descriptors")
struct MultipathTests {
    struct Vectors: Decodable {
        struct Valid: Decodable {
            let text: String
            let branches: [String]
        }
        struct Invalid: Decodable {
            let text: String
            let `public`: String
            let why: String
        }
        let valid: [Valid]
        let invalid: [Invalid]
    }

    let vectors: Vectors

    init() throws { vectors = try Fixture.load("descriptors/bip389.json") }

    @Test("BIP389's descriptors expand to its branches; the one with a private key is refused")
    func valid() throws {
        #expect(vectors.valid.count == 6)
        var expanded = 0
        for row in vectors.valid {
            guard !row.text.contains("xprv") else {
                expectReason(.privateKey, row.text)
                continue
            }
            let descriptor = try Descriptor(row.text)
            #expect(descriptor.body == row.text)
            #expect(descriptor.branches.map(\.body) == row.branches)
            #expect(descriptor.branches.allSatisfy { $0.branchCount == 1 && $0.branches == [$0] })
            expanded += 1
        }
        #expect(expanded == 5)
    }

    @Test("BIP389's invalid descriptors are refused, with private keys and with public ones")
    func invalid() {
        #expect(vectors.invalid.count == 8)
        for row in vectors.invalid {
            for text in [row.text, row.public] {
                #expect(throws: DescriptorError.self, "\(row.why)") { try Descriptor(text) }
            }
        }
    }

    @Test("all keys list equally many branches, those of musig() and of leaves too")
    func mismatch() {
        let x = KeyExpressionTests.xpub
        let y = BugLogTests.otherKey
        let leaves = "tr(\(x)/<0;1>/*,{pk(\(y)/<0;1;2>/*),pk(\(y)/7/*)})"
        #expect(throws: DescriptorError(.multipathMismatch(found: 3, expected: 2), at: 239)) {
            try Descriptor(leaves)
        }
        expectReason(
            .multipathMismatch(found: 3, expected: 2),
            "rawtr(musig(\(x),\(y)/<0;1>,\(y)/<0;1;2>))")
        expectReason(
            .multipathMismatch(found: 3, expected: 2), "tr(musig(\(x)/<0;1>/*,\(y)/<0;1;2>/*))")
        expectReason(
            .multipathMismatch(found: 2, expected: 3),
            "wsh(andor(pk(\(x)/<0;1;2>/*),older(10000),pk(\(y)/<0;1>/*)))")
    }

    @Test("a branch or an index that does not exist is refused when deriving")
    func missingBranch() throws {
        let descriptor = try Descriptor("wpkh(\(KeyExpressionTests.xpub)/<0;1>/*)")
        #expect(throws: DerivationError.noSuchBranch(found: 2, count: 2)) {
            try descriptor.output(branch: 2)
        }
        #expect(throws: DerivationError.noSuchBranch(found: -1, count: 2)) {
            try descriptor.output(branch: -1)
        }
        #expect(throws: DerivationError.indexTooLarge(1 << 31)) {
            try descriptor.output(at: 1 << 31)
        }
        #expect(throws: Never.self) { try descriptor.output(at: (1 << 31) - 1) }
        #expect(throws: DerivationError.severalOutputs) {
            try Descriptor("combo(\(KeyExpressionTests.xpub)/*)").output()
        }
    }
}
