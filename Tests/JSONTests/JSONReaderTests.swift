import JSON
import TestSupport
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    @Test(
        "each kind of value is read",
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)),
            ("-0", .integer(0)), ("9007199254740992", .integer(1 << 53)),
            ("9007199254740993", .decimal("9007199254740993")), ("1.50", .decimal("1.50")),
            ("-2E+3", .decimal("-2E+3")), ("[]", .array([])), ("{}", .object([])),
            (
                "{\"a\":[1,{\"b\":null}]}",
                .object([
                    .init("a", .array([.integer(1), .object([.init("b", .null)])]))
                ])
            ),
            ("\"\\u00fc\\ud83d\\ude00\\n\\/\"", .string("ü😀\n/")), ("\"ü\"", .string("ü")),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "what the standard does not allow is refused with its place",
        arguments: [
            ("", 1, 1), ("[1,]", 1, 4), ("{\"a\":1,}", 1, 8), ("01", 1, 2), ("1.", 1, 3),
            ("-", 1, 2), ("+1", 1, 1), ("tru", 1, 4), ("nul!", 1, 4), ("\"a", 1, 3),
            ("\"\\x\"", 1, 2), ("\"\\ud800\"", 1, 2), ("\"\\ud800\\u0041\"", 1, 2),
            ("\"\\udc00\"", 1, 2), ("\"\n\"", 1, 2), ("{\"a\":1,\n \"a\":2}", 2, 2),
            ("{a:1}", 1, 2), ("[1] 2", 1, 5), ("{\"a\" 1}", 1, 6), ("'a'", 1, 1),
            ("\u{FEFF}1", 1, 1), ("NaN", 1, 1), ("[1\n,\n2", 3, 2),
        ])
    func refused(text: String, line: Int, column: Int) {
        let error = thrown(JSONError.self) { try read(text) }
        #expect(error?.line == line, "\(text)")
        #expect(error?.column == column, "\(text)")
    }

    @Test("a string must be UTF-8")
    func notUTF8() {
        let error = thrown(JSONError.self) {
            try JSONReader.read([0x22, 0xC3, 0x28, 0x22])
        }
        #expect(error?.problem == .notUTF8)
    }

    @Test("levels are bounded, and a text of opening brackets ends in an error")
    func depth() throws {
        let limit = JSONReader.maximumDepth
        let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        _ = try read(deepest)
        let error = thrown(JSONError.self) {
            try read(String(repeating: "[", count: 1 << 16))
        }
        #expect(error?.problem == .tooDeep)
    }

    @Test("what is written is read back, in lines and in one line")
    func roundTrip() throws {
        let value = JSONValue.object([
            .init("text", .string("\"\\\u{1b}\u{2028}ü\u{1F600}")),
            .init("list", .array([.integer(-1), .decimal("0.10"), .bool(false), .null])),
            .init("empty", .object([])),
        ])
        #expect(try read(value.text) == value)
        #expect(try read(value.line) == value)
        #expect(!value.line.contains("\n"))
        #expect(value["list"] != nil && value["none"] == nil)
    }
}
