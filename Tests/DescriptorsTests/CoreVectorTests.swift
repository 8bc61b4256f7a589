import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Descriptors

/// The rows of Bitcoin Core's own descriptor tests.
@Suite("Descriptors of Bitcoin Core's tests")
struct CoreVectorTests {
    struct Vectors: Decodable {
        struct Valid: Decodable {
            let text: String
            let normalized: String?
            let `private`: String?
            let hardened: Bool
            let deriveHardened: Bool
            let scripts: [[String]]
        }
        struct Multipath: Decodable {
            let text: String
            let branches: [String]
            let normalized: [String]
            let hardened: Bool
            let deriveHardened: Bool
            let scripts: [[[String]]]
        }
        struct Unparsable: Decodable {
            let text: String
            let `private`: String?
            let error: String
            let reason: String
        }
        let valid: [Valid]
        let multipath: [Multipath]
        let unparsable: [Unparsable]
    }

    let vectors: Vectors

    init() throws { vectors = try Fixture.load("descriptors/core.json") }

    @Test("every public form is read, prints canonically and gives Core's scripts")
    func valid() throws {
        #expect(vectors.valid.count == 69)
        var (derived, scripts, hardened) = (0, 0, 0)
        for row in vectors.valid {
            if let text = row.private, text.contains("prv") || text.contains("L4rK1y") {
                expectReason(.privateKey, String(text.prefix { $0 != "#" }))
            }
            if row.hardened {
                hardened += 1
                expectReason(.hardenedAfterPublicKey, row.text)
            }
            guard !row.deriveHardened else {
                expectReason(.hardenedAfterPublicKey, row.normalized ?? row.text)
                continue
            }
            let text = row.normalized ?? row.text
            let descriptor = try Descriptor(text)
            #expect(descriptor.body == text.prefix { $0 != "#" }, "\(text)")
            #expect(try Descriptor(descriptor.description) == descriptor)
            if !row.hardened { #expect(try Descriptor(row.text) == descriptor, "\(text)") }
            derived += 1
            scripts += try expectScripts(of: descriptor, row.scripts, text)
        }
        #expect(hardened == 5)
        #expect(derived == 67)
        #expect(scripts == 99)
    }

    @Test("every multipath descriptor expands to Core's, and each branch gives Core's scripts")
    func multipath() throws {
        #expect(vectors.multipath.count == 15)
        var (derived, scripts) = (0, 0)
        for row in vectors.multipath {
            if row.hardened { expectReason(.hardenedAfterPublicKey, row.text) }
            guard !row.deriveHardened, !row.hardened else { continue }
            let descriptor = try Descriptor(row.text)
            #expect(descriptor.branches.map(\.body) == row.normalized, "\(row.text)")
            #expect(descriptor.branchCount == row.branches.count)
            derived += 1
            for (branch, expected) in zip(descriptor.branches, row.scripts) {
                scripts += try expectScripts(of: branch, expected, row.text)
            }
            for (branch, expected) in row.scripts.enumerated() {
                for (index, scripts) in expected.enumerated() {
                    let output = try descriptor.output(at: UInt32(index), branch: branch)
                    #expect([Hex.encode(output.scriptPubKey.bytes)] == scripts)
                }
            }
        }
        #expect(derived == 13)
        #expect(scripts == 81)
    }

    @Test(
        "everything that Core does not read is refused in both forms, the public one for its reason"
    )
    func unparsable() {
        #expect(vectors.unparsable.count == 94)
        for row in vectors.unparsable {
            do throws(DescriptorError) {
                _ = try Descriptor(row.text)
                Issue.record("accepted: \(row.text)")
            } catch {
                let name = String(describing: error.reason).prefix { $0 != "(" }
                #expect(name == row.reason, "\(row.error): \(row.text)")
            }
            guard let text = row.private else { continue }
            #expect(throws: DescriptorError.self, "\(row.error): \(text)") { try Descriptor(text) }
        }
    }

    private func expectScripts(
        of descriptor: Descriptor, _ rows: [[String]], _ text: String
    ) throws -> Int {
        var count = 0
        for (index, expected) in rows.enumerated() {
            let found = try descriptor.outputs.map {
                Hex.encode(try $0.output(at: UInt32(index)).scriptPubKey.bytes)
            }
            #expect(found == expected, "\(text)")
            count += found.count
        }
        return count
    }
}
