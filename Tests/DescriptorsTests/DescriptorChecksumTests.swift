import TestSupport
import Testing

@testable import Descriptors

@Suite("Descriptor checksum")
struct DescriptorChecksumTests {
    @Test("BIP380's example has its checksum")
    func example() throws {
        #expect(try DescriptorChecksum.compute("raw(deadbeef)") == "89f8spxm")
    }

    @Test("BIP380's checksums are accepted and refused as it says")
    func bip380() throws {
        let vectors = try Fixture.load(
            "descriptors/bip380.json", as: KeyExpressionTests.Vectors.self)
        #expect(vectors.checksum.count == 8)
        for row in vectors.checksum {
            let isRead = (try? Descriptor(row.text)) != nil
            #expect(isRead == row.valid, "\(row.text)")
        }
        #expect(throws: DescriptorError(.checksumMissing, at: 13)) {
            try Descriptor("raw(deadbeef)", requiringChecksum: true)
        }
    }

    @Test("any one wrong character is found and its place named, in the text and in the checksum")
    func placeOfOneMistake() throws {
        let body = "wpkh([d34db33f/84h/0h/0h]xpub6ERApfZwUN/<0;1>/*)"
        let whole = Array((body + "#" + (try DescriptorChecksum.compute(body))).utf8)
        var count = 0
        for position in whole.indices where position != body.utf8.count {
            for replacement in Array("qp9M'h".utf8) where replacement != whole[position] {
                let isInChecksum = position > body.utf8.count
                if isInChecksum && !Array("qp9".utf8).contains(replacement) { continue }
                var damaged = whole
                damaged[position] = replacement
                count += 1
                #expect(throws: DescriptorError(.checksumMismatch, at: position)) {
                    try DescriptorChecksum.strip(damaged)
                }
            }
        }
        #expect(count > 200)
    }

    @Test("a missing, short, long, foreign or second checksum is told apart")
    func shapes() {
        let cases: [(String, DescriptorError)] = [
            ("raw(deadbeef)#", DescriptorError(.checksumLength(found: 0), at: 14)),
            ("raw(deadbeef)#89f8spxmx", DescriptorError(.checksumLength(found: 9), at: 14)),
            ("raw(deadbeef)#89f8spx", DescriptorError(.checksumLength(found: 7), at: 14)),
            ("raw(deadbeef)##9f8spxm", DescriptorError(.severalChecksums, at: 14)),
            ("raw(deadbeef)#89f8spxb", DescriptorError(.checksumCharacter, at: 21)),
        ]
        for (text, error) in cases {
            #expect(throws: error) { try DescriptorChecksum.strip(Array(text.utf8)) }
        }
    }
}
