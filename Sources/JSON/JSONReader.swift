/// Reads JSON texts (RFC 8259) that come from outside: files of other wallets, labels, answers.
///
/// Strict and bounded: UTF-8 without a byte order mark, one value, no member twice in an object, no
/// lone surrogate, at most 32 levels. A byte of input becomes at most one value, so that the caller
/// bounds the memory by bounding the text.
public struct JSONReader: ~Copyable {
    /// How many arrays and objects may lie inside each other.
    public static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// Reads the text to its end.
    public static func read(_ text: [UInt8]) throws(JSONError) -> JSONValue {
        var reader = JSONReader(text)
        let value = try reader.value()
        reader.skipSpace()
        guard reader.position == text.count else { throw reader.error(.trailing) }
        return value
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private borrowing func error(_ problem: JSONError.Problem, at place: Int? = nil) -> JSONError {
        JSONError(problem, in: bytes, at: place ?? position)
    }

    // MARK: Values

    private mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        guard let first = next else { throw error(.truncated) }
        switch first {
        case UInt8(ascii: "{"):
            return try nested { reader throws(JSONError) in
                .object(try reader.members())
            }
        case UInt8(ascii: "["):
            return try nested { reader throws(JSONError) in
                .array(try reader.elements())
            }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error(.expected("a value"))
        }
    }

    private mutating func nested(
        _ body: (inout JSONReader) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw error(.tooDeep) }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func elements() throws(JSONError) -> [JSONValue] {
        var values: [JSONValue] = []
        skipSpace()
        if skip(UInt8(ascii: "]")) { return [] }
        while true {
            values.append(try value())
            skipSpace()
            if skip(UInt8(ascii: "]")) { return values }
            guard skip(UInt8(ascii: ",")) else { throw expected("a comma or ]") }
        }
    }

    private mutating func members() throws(JSONError) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipSpace()
        if skip(UInt8(ascii: "}")) { return [] }
        while true {
            skipSpace()
            let start = position
            guard next == UInt8(ascii: "\"") else { throw expected("a name in quotes") }
            let name = try string()
            guard names.insert(name).inserted else { throw error(.duplicate, at: start) }
            skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw expected("a colon") }
            members.append(JSONValue.Member(name, try value()))
            skipSpace()
            if skip(UInt8(ascii: "}")) { return members }
            guard skip(UInt8(ascii: ",")) else { throw expected("a comma or }") }
        }
    }

    private mutating func word(
        _ text: StaticString, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard skip(text.utf8Start[index]) else { throw expected("true, false or null") }
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        let isWhole = next != UInt8(ascii: ".") && next.map { $0 | 0x20 } != UInt8(ascii: "e")
        if skip(UInt8(ascii: ".")) { try digits() }
        if let mark = next, mark | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard isWhole, let value = Int(text), value.magnitude <= 1 << 53 else {
            return .decimal(text)
        }
        return .integer(value)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw expected("a digit") }
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while true {
            guard let byte = next else { throw error(.truncated) }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = String(validating: text) else {
                    throw error(.notUTF8, at: start)
                }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw error(.control)
            default:
                text.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        guard let mark = next else { throw error(.truncated) }
        position += 1
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(mark)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let unit = try hexUnit()
            guard let scalar = try scalar(from: unit, start) else {
                throw error(.surrogate, at: start)
            }
            text += Array(String(scalar).utf8)
        default: throw error(.escape, at: start)
        }
    }

    /// A unit of UTF-16, joined with the one that follows if it is the first half of a pair.
    private mutating func scalar(
        from unit: UInt32, _ start: Int
    ) throws(JSONError) -> Unicode.Scalar? {
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
        guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else { return nil }
        let low = try hexUnit()
        guard (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func hexUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw error(.truncated) }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error(.escape)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    // MARK: Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private borrowing func expected(_ what: StaticString) -> JSONError {
        error(position < bytes.count ? .expected(what) : .truncated)
    }
}

extension String {
    /// The text of these bytes, if they are well-formed UTF-8.
    fileprivate init?(validating bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        // A repair puts in U+FFFD, so that the bytes differ.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
