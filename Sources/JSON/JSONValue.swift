/// A JSON value (RFC 8259): what `--json` prints, and what `JSONReader` reads. Objects keep the order in which they are written, so
/// that the same answer always has the same text.
public indirect enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number; within ±2^53 every reader understands it.
    case integer(Int)
    /// Any other number as it stands in the text: nothing here is rounded.
    case decimal(String)
    /// A text; everything a terminal would obey is escaped.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members in order.
    case object([Member])

    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public let value: JSONValue

        /// A name and its value.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of an object's member; nil if there is none, or this is no object.
    public subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string; nil for every other kind.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The number, if it is a whole one that every reader understands.
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }

    /// The text, indented by two spaces a level, without a final newline.
    public var text: String {
        var text = ""
        write(into: &text, indent: "")
        return text
    }

    /// The text in one line, as lists of one value a line have it.
    public var line: String {
        switch self {
        case .array(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { Self.quoted($0.name) + ":" + $0.value.line }
                .joined(separator: ",") + "}"
        default: text
        }
    }

    private func write(into text: inout String, indent: String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .decimal(let digits): text += digits
        case .string(let value): text += Self.quoted(value)
        case .array(let values):
            Self.list(values, "[", "]", into: &text, indent) { value, text, inner in
                value.write(into: &text, indent: inner)
            }
        case .object(let members):
            Self.list(members, "{", "}", into: &text, indent) { member, text, inner in
                text += Self.quoted(member.name) + ": "
                member.value.write(into: &text, indent: inner)
            }
        }
    }

    private static func list<Item>(
        _ items: [Item], _ open: String, _ close: String, into text: inout String,
        _ indent: String, _ write: (Item, inout String, String) -> Void
    ) {
        text += open
        let inner = indent + "  "
        for (index, item) in items.enumerated() {
            text += index == 0 ? "\n" + inner : ",\n" + inner
            write(item, &text, inner)
        }
        text += items.isEmpty ? close : "\n" + indent + close
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default:
                if needsEscape(scalar) {
                    for unit in String(scalar).utf16 { text += "\\u" + hex4(unit) }
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text + "\""
    }

    /// Control characters must be escaped by the standard; C1, format and separator characters are
    /// escaped too, because the text may be read on a terminal.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }

    private static func hex4(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
