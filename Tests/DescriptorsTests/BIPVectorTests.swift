import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Descriptors

/// BIPs 381 to 387 and 390: scripts of valid descriptors, and what is no descriptor.
@Suite("Descriptors of the BIPs")
struct BIPVectorTests {
    struct Vectors: Decodable {
        struct Valid: Decodable {
            let bip: Int
            let text: String
            let `public`: String?
            let scripts: [[String]]
        }
        struct Invalid: Decodable {
            let bip: Int
            let text: String
            let `public`: String?
            let why: String
        }
        let valid: [Valid]
        let invalid: [Invalid]
    }

    let vectors: Vectors

    init() throws { vectors = try Fixture.load("descriptors/bips.json") }

    @Test("every valid descriptor gives the scripts of its BIP, and prints what it was read from")
    func valid() throws {
        #expect(counts(vectors.valid.map(\.bip)) == [17, 12, 9, 4, 4, 6, 6, 6])
        var (scripts, underivable) = (0, 0)
        for row in vectors.valid {
            if row.public != nil { expectPrivate(row.text) }
            let text = row.public ?? row.text
            if text.contains("*'") || text.contains("*h") {
                underivable += 1
                expectReason(.hardenedAfterPublicKey, text)
                continue
            }
            let descriptor = try Descriptor(text)
            #expect(descriptor.body == text.replacing("'", with: "h"))
            #expect(try Descriptor(descriptor.description, requiringChecksum: true) == descriptor)
            for (index, expected) in row.scripts.enumerated() {
                let found = try descriptor.outputs.map {
                    Hex.encode(try $0.output(at: UInt32(index)).scriptPubKey.bytes)
                }
                #expect(found == expected, "\(row.text)")
                scripts += found.count
            }
        }
        #expect(underivable == 4)
        #expect(scripts == 87)
    }

    @Test("every invalid descriptor is refused, with private keys and with public ones")
    func invalid() {
        #expect(counts(vectors.invalid.map(\.bip)) == [4, 11, 4, 3, 6, 4, 7, 14])
        for row in vectors.invalid {
            for text in [row.text, row.public].compactMap(\.self) {
                #expect(throws: DescriptorError.self, "\(row.why): \(text)") {
                    try Descriptor(text)
                }
            }
        }
    }

    private func counts(_ bips: [Int]) -> [Int] {
        [381, 382, 383, 384, 385, 386, 387, 390].map { bip in bips.count { $0 == bip } }
    }

    private func expectPrivate(_ text: String) { expectReason(.privateKey, text) }
}

/// Expects that a text is refused for one reason.
func expectReason(
    _ reason: DescriptorError.Reason, _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    do throws(DescriptorError) {
        _ = try Descriptor(text)
        Issue.record("accepted: \(text)", sourceLocation: sourceLocation)
    } catch {
        #expect(error.reason == reason, "\(text)", sourceLocation: sourceLocation)
    }
}
