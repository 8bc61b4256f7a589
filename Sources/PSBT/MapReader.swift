import Wire

/// Reads the maps of a PSBT one after the other.
struct MapReader {
    private let bytes: [UInt8]
    private var reader: Reader
    private var recordsLeft = PSBT.maximumRecords

    /// Starts behind the magic.
    init(_ bytes: [UInt8]) throws(PSBTError) {
        guard bytes.count <= PSBT.maximumSize else {
            throw PSBTError(.file, .tooLarge(found: bytes.count, allowed: PSBT.maximumSize))
        }
        guard bytes.starts(with: PSBT.magic) else {
            throw PSBTError(.file, .magic(found: Array(bytes.prefix(5))), position: 0)
        }
        self.bytes = bytes
        reader = Reader(bytes, in: PSBT.magic.count..<bytes.count)
    }

    /// Bytes not yet read.
    var remaining: Int { reader.remaining }

    /// Reads records up to the end of a map, checks what their types fix, and refuses a second
    /// record with the same key.
    mutating func readMap(
        at place: PSBT.Place, rules: [FieldRule?]
    ) throws(PSBTError) -> RecordMap {
        var records: [PSBT.Record] = []
        var isAscending = true
        while let record = try readRecord(at: place) {
            try check(record, at: place, rules)
            if isAscending, let last = records.last {
                isAscending = last.key.lexicographicallyPrecedes(record.key)
            }
            recordsLeft -= 1
            if records.count == PSBT.maximumRecordsOfMap || recordsLeft < 0 {
                throw PSBTError(
                    place,
                    .tooManyRecords(
                        allowed: recordsLeft < 0
                            ? PSBT.maximumRecords : PSBT.maximumRecordsOfMap),
                    position: record.key.startIndex)
            }
            records.append(record)
        }
        if !isAscending { try refuseDuplicates(records, at: place, rules) }
        return RecordMap(distinct: records)
    }

    /// Fails if bytes are left.
    func finish() throws(PSBTError) {
        do throws(WireError) { try reader.finish() } catch {
            throw PSBTError(.file, .wire(error), position: reader.position)
        }
    }

    /// The next record; nil at the end of the map.
    private mutating func readRecord(at place: PSBT.Place) throws(PSBTError) -> PSBT.Record? {
        let start = reader.position
        do throws(WireError) {
            guard let key = try readSlice(), !key.isEmpty else { return nil }
            var type = Reader(bytes, in: key.startIndex..<key.endIndex)
            _ = try type.readCompactSize()
            let value = try readSlice()
            return PSBT.Record(key: key, value: value ?? [])
        } catch {
            throw PSBTError(place, .wire(error), position: start)
        }
    }

    /// A length and that many bytes, shared with the whole buffer.
    private mutating func readSlice() throws(WireError) -> ArraySlice<UInt8>? {
        let length = try reader.readCompactSize()
        guard length <= UInt64(reader.remaining) else {
            throw .truncated(
                position: reader.position, needed: Int(clamping: length),
                available: reader.remaining)
        }
        return bytes[try reader.skip(Int(length))]
    }

    /// Finds equal keys by sorting, since the order of the file did not rule them out.
    private func refuseDuplicates(
        _ records: [PSBT.Record], at place: PSBT.Place, _ rules: [FieldRule?]
    ) throws(PSBTError) {
        let sorted = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (one, other) in zip(sorted, sorted.dropFirst()) where one.key == other.key {
            throw PSBTError(
                place, .duplicateKey, field: PSBT.fieldName(one, rules),
                position: max(one.key.startIndex, other.key.startIndex))
        }
    }

    /// Checks lengths and the first bytes of public keys.
    private func check(
        _ record: PSBT.Record, at place: PSBT.Place, _ rules: [FieldRule?]
    ) throws(PSBTError) {
        guard let type = record.type, let rule = rules[Int(type)] else { return }
        if let problem = rule.problem(keyData: record.keyData, value: record.value) {
            throw PSBTError(
                place, problem, field: rule.name, position: record.key.startIndex)
        }
    }
}

extension PSBT {
    /// The name of a record's type in the BIPs, or its number.
    static func fieldName(_ record: Record, _ rules: [FieldRule?]) -> String {
        if let type = record.type, let rule = rules[Int(type)] { return rule.name }
        var reader = Reader(Array(record.key))
        guard let number = try? reader.readCompactSize() else { return "unknown type" }
        return "type 0x" + String(number, radix: 16)
    }
}

extension FieldRule {
    /// What is wrong with key data and value, if anything.
    func problem(
        keyData: ArraySlice<UInt8>, value: ArraySlice<UInt8>
    ) -> PSBTError.Problem? {
        guard self.keyData.allows(keyData.count) else {
            return .keyDataLength(found: keyData.count, allowed: self.keyData)
        }
        guard self.value.allows(value.count) else {
            return .valueLength(found: value.count, allowed: self.value)
        }
        return FieldRule.problem(keyData, form: keysInKeyData)
            ?? FieldRule.problem(value, form: keysInValue)
    }

    private static func problem(
        _ bytes: ArraySlice<UInt8>, form: KeyForm
    ) -> PSBTError.Problem? {
        switch form {
        case .none: return nil
        case .compressedOrNot:
            guard let first = bytes.first else { return nil }
            let isKey = bytes.count == 33 ? first == 2 || first == 3 : first == 4
            return isKey ? nil : .publicKeyPrefix(found: first)
        case .compressed:
            // Whole keys only: a leaf hash may follow them.
            for start in stride(from: bytes.startIndex, to: bytes.endIndex - 32, by: 33) {
                guard bytes[start] == 2 || bytes[start] == 3 else {
                    return .publicKeyPrefix(found: bytes[start])
                }
            }
            return nil
        }
    }
}
