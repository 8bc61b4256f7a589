import Foundation
import Testing

/// `docs/modules.md`: the groups of modules in `Package.swift`, and what each module imports.
@Suite("docs/modules.md")
struct ModulesDocumentsTests {
    /// Modules that `Package.swift` declares together, and what it says of them.
    private struct Group {
        var sentence: String
        var modules: [String] = []
    }

    /// The groups of the product, in the order of the file.
    private static func groups(in package: String) -> [Group] {
        var groups: [Group] = []
        var comment: [String] = []
        for line in package.components(separatedBy: "\n") {
            if line.hasPrefix("/// ") {
                comment.append(String(line.dropFirst(4)))
            } else {
                if line.contains(/^let \w+: \[Target\] = \[$/) {
                    groups.append(Group(sentence: comment.joined(separator: " ")))
                }
                comment = []
            }
            guard let match = line.firstMatch(of: /^ {4,8}(\.\w+\( *)?name: "([^"]+)"/) else {
                continue
            }
            let module = String(match.2)
            guard allowedImports[module] != nil, !groups.isEmpty else { continue }
            groups[groups.count - 1].modules.append(module)
        }
        return groups.filter { !$0.modules.isEmpty }
    }

    private static func render(_ groups: [Group]) -> String {
        let ours = Set(groups.flatMap(\.modules))
        var lines = [
            "# Modules", "",
            "*Made by `scripts/docs` from `Package.swift` and the table in",
            "`Tests/ArchitectureTests/ImportTests.swift`, whose tests fail when a module imports more than",
            "stands here, or less.*",
        ]
        for group in groups {
            lines += ["", group.sentence, "", "| module | imports of ours | of the system |"]
            lines.append("|---|---|---|")
            for module in group.modules {
                let imports = allowedImports[module, default: []].sorted()
                let cells = [imports.filter(ours.contains), imports.filter { !ours.contains($0) }]
                let texts = cells.map { $0.isEmpty ? "" : " " + $0.joined(separator: ", ") }
                lines.append("| `\(module)` |\(texts[0]) |\(texts[1]) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `BULKHEAD_WRITE_DOCS=1` (scripts/docs) writes the file instead of comparing it.
    @Test("is what Package.swift and the table of imports say, and every module has a row")
    func document() throws {
        let package = try String(
            contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
        let groups = Self.groups(in: package)
        #expect(Set(groups.flatMap(\.modules)) == Set(allowedImports.keys))
        let text = Self.render(groups)
        let file = SourceTree.root.appending(path: "docs/modules.md")
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_DOCS"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "run scripts/docs")
    }
}
