import Foundation
import Hashing
import Messages
import Testing
import Wire

@Suite("The catalogue")
struct MessagesDocumentsTests {
    @Test("docs/messages.md and the digest are what the catalogue renders to")
    func rendered() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appendingPathComponent("docs/messages.md")
        let source = root.appendingPathComponent("Sources/Messages/Catalogue+Digest.swift")
        let text = Catalogue.render()
        let digest = SHA256.hash(Array(text.utf8))
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_DOCS"] == "1" {
            try text.write(to: page, atomically: true, encoding: .utf8)
            let code = try String(contentsOf: source, encoding: .utf8)
            let start = try #require(
                code.range(of: "\"[0-9a-f]{64}\"", options: .regularExpression))
            try code.replacingCharacters(in: start, with: "\"\(digest)\"")
                .write(to: source, atomically: true, encoding: .utf8)
            return
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == text, "run scripts/docs")
        #expect(Catalogue.digest == digest, "run scripts/docs")
    }

    @Test(
        "Every message belongs to the edge that its number names", arguments: MessageKind.allCases)
    func edges(kind: MessageKind) {
        #expect(Edge(rawValue: UInt8(kind.rawValue >> 8)) == kind.edge)
        #expect(kind.row.name.hasPrefix(kind.edge.name))
    }

    @Test("No number is used that was retired, and no name twice")
    func numbers() {
        let numbers = MessageKind.allCases.map(\.rawValue)
        #expect(MessageKind.retired.isDisjoint(with: numbers))
        #expect(Set(MessageKind.allCases.map(\.row.name)).count == numbers.count)
        #expect(numbers.count == 66)
    }

    @Test("Every direction opens with exactly one kind, and a reply comes from the other end")
    func openings() {
        for edge in Edge.allCases {
            for side in [Side.asking, .answering] where (edge, side) != (.work, .asking) {
                let first = MessageKind.allCases.filter {
                    $0.edge == edge && $0.row.sender == side && $0.row.phase == .opening
                }
                // A worker says one thing: what became of an attempt, an operation or a review.
                #expect(first.count == (edge == .work ? 3 : 1))
            }
        }
        for kind in MessageKind.allCases {
            guard let reply = kind.row.reply else { continue }
            #expect(reply.edge == kind.edge)
            #expect(reply.row.sender == kind.row.sender.other)
        }
    }

    @Test("Descriptors cross only from the keeper and from a person's console, never on the link")
    func attachments() {
        let carrying = MessageKind.allCases.filter { $0.row.attachment != .nothing }
        #expect(
            carrying == [
                .controlNewLink, .consoleSecretInput, .consoleOutput, .consoleInput,
            ])
    }
}
