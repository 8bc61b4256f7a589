import Wire

/// Texts, flags and cases as the records of logs and backups hold them.
extension Writer {
    /// The length (2 bytes) and the UTF-8 of a text, cut at a character if it is above `limit`.
    mutating func write(text: String, limit: Int) {
        var text = text[...]
        while text.utf8.count > limit { text.removeLast() }
        write(UInt16(text.utf8.count))
        write(Array(text.utf8))
    }
}

extension Reader {
    /// A text of at most `limit` bytes of valid UTF-8.
    mutating func readText(limit: Int) throws(WireError) -> String {
        let start = position
        let count = Int(try readUInt16())
        guard count <= limit else {
            throw .tooLarge(position: start, found: UInt64(count), allowed: limit)
        }
        let bytes = try read(count)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unknownValue(position: start, found: UInt64(count))
        }
        return text
    }

    /// A byte that is 0 or 1.
    mutating func readFlag() throws(WireError) -> Bool {
        let start = position
        let byte = try readUInt8()
        guard byte <= 1 else { throw .unknownValue(position: start, found: UInt64(byte)) }
        return byte == 1
    }

    /// A byte that is the number of a case.
    mutating func readCase<Case: RawRepresentable<UInt8>>() throws(WireError) -> Case {
        let start = position
        let byte = try readUInt8()
        guard let value = Case(rawValue: byte) else {
            throw .unknownValue(position: start, found: UInt64(byte))
        }
        return value
    }
}
