import Foundation
import SeccompPolicies
import Testing

@testable import Confinement

@Suite("docs/seccomp.md")
struct SeccompDocumentsTests {
    /// `BULKHEAD_WRITE_DOCS=1` (scripts/docs) writes the file instead of comparing it.
    @Test("is what the policies say")
    func document() throws {
        let tests = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appendingPathComponent("docs/seccomp.md")
        let text = try render()
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_DOCS"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "run scripts/docs")
    }

    private func render() throws -> String {
        var text = """
            # System calls

            *Made from `seccomp/*.policy` by `scripts/docs`; change it there.*

            What each process may ask of the kernel once it is confined, and why. Any other call, and
            every call through another architecture's entry, kills the process at once. A condition
            `a == X maybe Y` compares the argument with the flags Y set aside. A reason that begins
            with `rare:` is for a rule that an ordinary run does not use.

            | policy | rules | of its own | included |
            |---|---|---|---|

            """
        let policies = try PolicyName.allCases.map { try SeccompPolicy($0) }
        for policy in policies {
            let own = policy.rules.filter { $0.file == policy.name }.count
            let included = policy.includes.joined(separator: ", ")
            text += "| [\(policy.name)](#\(policy.name)) | \(policy.rules.count) | \(own) "
            text += "| \(included.isEmpty ? "none" : included) |\n"
        }
        for policy in policies {
            text += "\n## \(policy.name)\n\n\(policy.header)\n\n"
            let own = policy.rules.filter { $0.file == policy.name }
            guard !own.isEmpty else { continue }
            text += "| call | if | verdict | reason |\n|---|---|---|---|\n"
            text += own.map(row).joined()
        }
        return text
    }

    private func row(_ rule: SeccompRule) -> String {
        let conditions = rule.conditions.map(\.description).joined(separator: " and ")
            .replacingOccurrences(of: "|", with: "\\|")
        let verdict =
            switch rule.verdict {
            case .allow: "allow"
            case .errno(let name, _): name
            }
        let only =
            rule.architectures == Architecture.allCases
            ? "" : " (\(rule.architectures.map(\.rawValue).joined(separator: ", ")) only)"
        let condition = conditions.isEmpty ? "" : "`\(conditions)`"
        return "| `\(rule.call)`\(only) | \(condition) | \(verdict) | \(rule.reason) |\n"
    }
}
