import TestSupport
import Testing

@testable import Descriptors

@Suite("Annotated descriptor")
struct AnnotatedDescriptorTests {
    struct Vectors: Decodable {
        struct Invalid: Decodable {
            let text: String
            let why: String
        }
        let valid: [String]
        let invalid: [Invalid]
    }

    let vectors: Vectors

    init() throws { vectors = try Fixture.load("descriptors/bip393.json") }

    @Test("BIP393's annotated descriptors are read with their values and print as they were")
    func valid() throws {
        let read = try vectors.valid.map { try AnnotatedDescriptor($0) }
        #expect(read.map(\.description) == vectors.valid)
        #expect(read.map(\.birthHeight) == [800_000, nil, 150_000, 709_632])
        #expect(read.map(\.gapLimit) == [30, nil, nil, 20])
    }

    @Test("BIP393's invalid annotations are refused, with a checksum and without")
    func invalid() throws {
        #expect(vectors.invalid.count == 11)
        for row in vectors.invalid {
            let checksum = try DescriptorChecksum.compute(row.text)
            for text in [row.text, row.text + "#" + checksum] {
                #expect {
                    try AnnotatedDescriptor(text)
                } throws: {
                    ($0 as? DescriptorError)?.reason == .annotation
                }
            }
        }
    }

    @Test("unknown annotations are kept, and a plain descriptor has none")
    func unknown() throws {
        let text = "raw(51)?zz=0&bh=18446744073709551615"
        let annotated = try AnnotatedDescriptor(text)
        #expect(annotated.annotations.map(\.key) == ["zz", "bh"])
        #expect(annotated.description.hasPrefix(text + "#"))
        #expect(throws: DescriptorError.self) { try Descriptor(text) }
        #expect(throws: DescriptorError(.annotation, at: 8)) {
            try AnnotatedDescriptor("raw(51)?bh=18446744073709551616")
        }
    }
}
