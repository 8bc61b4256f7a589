import Wire

extension Reader {
    /// Reads a text: its length (2 bytes), at most `limit`, and UTF-8, repaired where it is none.
    mutating func readText(limit: Int) throws(WireError) -> String {
        let start = position
        let count = Int(try readUInt16())
        guard count <= limit else {
            throw .tooLarge(position: start, found: UInt64(count), allowed: limit)
        }
        return String(decoding: try read(count), as: UTF8.self)
    }

    /// Reads a list: its length (2 bytes), at most `limit`, and its rows.
    mutating func readList<Row>(
        limit: Int, _ row: (inout Reader) throws(WireError) -> Row
    ) throws(WireError) -> [Row] {
        let start = position
        let count = Int(try readUInt16())
        guard count <= limit else {
            throw .tooLarge(position: start, found: UInt64(count), allowed: limit)
        }
        var rows: [Row] = []
        for _ in 0..<count { rows.append(try row(&self)) }
        return rows
    }

    /// Reads one byte that stands for a case.
    mutating func readCase<Value: RawRepresentable<UInt8>>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        let start = position
        let number = try readUInt8()
        guard let value = Value(rawValue: number) else {
            throw .unknownValue(position: start, found: UInt64(number))
        }
        return value
    }

    /// Reads one byte, 0 or 1.
    mutating func readFlag() throws(WireError) -> Bool {
        let start = position
        let number = try readUInt8()
        guard number <= 1 else { throw .unknownValue(position: start, found: UInt64(number)) }
        return number == 1
    }
}

extension Writer {
    /// Appends a text, cut at a character's border to at most `limit` bytes.
    mutating func write(_ text: String, limit: Int) {
        var bytes = Array(text.utf8)
        if bytes.count > limit {
            var end = limit
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes = Array(bytes[..<end])
        }
        write(UInt16(bytes.count))
        write(bytes)
    }

    /// Appends a list, cut to at most `limit` rows.
    mutating func write<Row>(
        _ rows: [Row], limit: Int, _ row: (inout Writer, Row) -> Void
    ) {
        let kept = rows.prefix(limit)
        write(UInt16(kept.count))
        for item in kept { row(&self, item) }
    }

    /// Appends the byte that stands for a case.
    mutating func write(_ value: some RawRepresentable<UInt8>) { write(value.rawValue) }

    /// Appends 0 or 1.
    mutating func write(_ flag: Bool) { write(flag ? UInt8(1) : UInt8(0)) }
}
