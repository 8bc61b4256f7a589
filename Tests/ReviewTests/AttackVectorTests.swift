import Foundation
import Review
import TestSupport
import Testing
import Wire

/// The attack set as a file, for tests that give it to the real processes.
@Suite("The attack set as vectors")
struct AttackVectorTests {
    private struct Row: Codable, Hashable {
        let name: String
        let verdict: String
        /// The PSBT in hexadecimal digits.
        let psbt: String
    }

    @Test("Tests/Vectors/review/attacks.json holds the attack set")
    func written() throws {
        let rows = try Attack.all.map {
            Row(name: $0.name, verdict: $0.verdict.rawValue, psbt: Hex.encode(try $0.bytes()))
        }
        // With BULKHEAD_WRITE_VECTORS=1 it is written first.
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_VECTORS"] == "1" {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Vectors/review/attacks.json")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try (encoder.encode(rows) + [UInt8(ascii: "\n")]).write(to: file)
        }
        // Some carry signatures that are made anew each time, so what the review says is compared.
        let stored = try Fixture.load("review/attacks.json", as: [Row].self)
        #expect(stored.map(\.name) == rows.map(\.name))
        for (row, attack) in zip(stored, Attack.all) {
            let report = try Own.reviewer().review(try Hex.decode(row.psbt))
            #expect(report.verdict.rawValue == row.verdict)
            #expect(Set(report.findings.map(\.check)) == attack.codes, "\(row.name)")
        }
    }
}
