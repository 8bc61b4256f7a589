import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import KitDocument

private struct NoCode: Error {}

@Suite("QR codes")
struct QRCodeTests {
    @Test(
        "a drawing in half blocks is read back by zbar, on light and on dark ground",
        arguments: ["A", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "K7Q2-9MZX-0AAB"])
    func drawing(text: String) throws {
        for inverted in [false, true] {
            guard let code = QRCode(text) else { throw NoCode() }
            let lines = code.lines(inverted: inverted)
            #expect(lines.count == code.textSize.lines)
            #expect(lines.allSatisfy { $0.count == code.textSize.columns })
            #expect(try DrawnCode.texts(in: lines, darkIsBlock: !inverted) == [text])
        }
    }

    @Test("a secret's drawing is the same as a text's, and ends each line as asked")
    func secretDrawing() throws {
        guard let code = QRCode("the same") else { throw NoCode() }
        var text = SecretText(capacity: code.textCapacity + code.textSize.lines)
        code.draw(into: &text, inverted: true, newline: "\r\n")
        let drawn = text.finish().copied()
        let expected = code.lines(inverted: true).map { $0 + "\r\n" }.joined()
        #expect(drawn == Array(expected.utf8))
        #expect(drawn.count <= code.textCapacity + code.textSize.lines)
    }

    @Test("the quiet zone is light")
    func quietZone() throws {
        guard let code = QRCode("zone") else { throw NoCode() }
        for place in -4..<code.width + 4 {
            for outside in [-4, -1, code.width, code.width + 3] {
                let beside = code.isDark(column: outside, row: place)
                let above = code.isDark(column: place, row: outside)
                #expect(!beside && !above)
            }
        }
    }

    @Test("no bytes and too many make no code; the most that fit do")
    func limits() {
        func fits(_ count: Int) -> Bool {
            let bytes = SecretBytes(count: count)
            switch bytes.withUnsafeBytes({ QRCode($0) }) {
            case .some: return true
            case nil: return false
            }
        }
        #expect(!fits(0))
        #expect(fits(1))
        #expect(fits(2331))
        #expect(!fits(2332))
    }
}
