/// Writes JSON (RFC 8259) in one fixed form: no white space, members in the order of the calls, whole
/// numbers only, everything but printable ASCII escaped.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ name: String? = nil, _ members: (inout JSONWriter) -> Void) {
        open(name, "{")
        members(&self)
        close("}")
    }

    mutating func array<Element>(
        _ name: String, _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        open(name, "[")
        for element in elements { write(&self, element) }
        close("]")
    }

    mutating func member(_ name: String, _ text: String?) {
        begin(name)
        if let text { quote(text) } else { append("null") }
    }

    mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        begin(name)
        append(number.map { String($0) } ?? "null")
    }

    mutating func member(_ name: String, _ flag: Bool) {
        begin(name)
        append(flag ? "true" : "false")
    }

    mutating func null(_ name: String) {
        begin(name)
        append("null")
    }

    private mutating func open(_ name: String?, _ bracket: String) {
        begin(name)
        append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: String) {
        append(bracket)
        needsComma = true
    }

    private mutating func begin(_ name: String?) {
        if needsComma { append(",") }
        needsComma = true
        guard let name else { return }
        quote(name)
        append(":")
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private mutating func quote(_ text: String) {
        bytes.append(0x22)
        // Nearly every text is plain, and a report of many inputs has very many.
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            guard utf8.allSatisfy({ JSONWriter.isPlain(UInt16($0)) }) else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if !isPlain { escape(text) }
        bytes.append(0x22)
    }

    private static func isPlain(_ unit: UInt16) -> Bool {
        (0x20...0x7E).contains(unit) && unit != 0x22 && unit != 0x5C
    }

    private mutating func escape(_ text: String) {
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: bytes += [0x5C, UInt8(unit)]
            case 0x20...0x7E: bytes.append(UInt8(unit))
            default:
                let digits = String(unit, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
            }
        }
    }
}
