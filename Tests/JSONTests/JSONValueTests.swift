import Foundation
import JSON
import Testing

@Suite("JSON")
struct JSONValueTests {
    @Test("what is written is read back by another parser")
    func readBack() throws {
        let value = JSONValue.object([
            .init("name", .string("a\"b\\c\n\u{1b}\u{202e}ü\u{1F600}\u{0}")),
            .init("list", .array([.integer(-5), .bool(true), .null, .array([]), .object([])])),
        ])
        let read = try JSONSerialization.jsonObject(with: Data(value.text.utf8)) as? [String: Any]
        #expect(read?["name"] as? String == "a\"b\\c\n\u{1b}\u{202e}ü\u{1F600}\u{0}")
        let list = read?["list"] as? [Any]
        #expect(list?.count == 5)
        #expect(list?.first as? Int == -5)
    }

    @Test("the text holds no character that a terminal would obey")
    func safe() {
        let text = JSONValue.string("\u{1b}[2J\u{9b}\u{202e}\u{2028}").text
        #expect(text == "\"\\u001b[2J\\u009b\\u202e\\u2028\"")
    }
}
