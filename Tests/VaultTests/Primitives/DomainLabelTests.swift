import Foundation
import Testing

@testable import Vault

@Suite("Labels")
struct DomainLabelTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The purposes in the sources of the module, and the folders that use each.
    private static func purposes() throws -> [String: Set<String>] {
        let sources = root.appendingPathComponent("Sources").resolvingSymlinksInPath()
        let files = try #require(
            FileManager.default.enumerator(
                at: sources.appendingPathComponent("Vault"), includingPropertiesForKeys: nil))
        var purposes: [String: Set<String>] = [:]
        for file in files.compactMap({ $0 as? URL }) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /DomainLabel\("([^"]*)"\)/) {
                purposes[String(match.1), default: []]
                    .insert(file.deletingLastPathComponent().lastPathComponent)
            }
        }
        return purposes
    }

    @Test("a label serves one purpose, and the page of formats names it")
    func labels() throws {
        let purposes = try Self.purposes()
        #expect(purposes.count >= 20)
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("docs/formats.md"), encoding: .utf8)
        for (purpose, folders) in purposes {
            #expect(folders.count == 1, "\(purpose) in \(folders)")
            let isSlot = purpose.hasPrefix("slot/")
            #expect(
                page.contains("\"\(purpose)\"") || isSlot && page.contains("\"slot/S/"),
                "\(purpose)")
        }
    }

    @Test("a label and its context cannot run into each other")
    func associatedData() {
        #expect(DomainLabel("a").associatedData([1]) == Array("bulkhead/1/a".utf8) + [0, 1])
        #expect(DomainLabel("a").associatedData([]) != DomainLabel("a").bytes)
    }
}
