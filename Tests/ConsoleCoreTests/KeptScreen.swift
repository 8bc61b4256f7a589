import Foundation
import Testing

/// Compares a screen with the one that is kept in `Screens/NAME.txt`; BULKHEAD_WRITE_SCREENS=1 keeps the
/// new one.
func expectKept(_ lines: [String], _ name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Screens/\(name).txt")
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_SCREENS"] != nil {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(text == kept, "the screen \(name) is not the kept one")
    #expect(lines.allSatisfy { $0.count <= 80 })
}
