/// The records of one map, in the order of the file, no key twice.
///
/// The order is kept so that what was parsed is written back byte for byte, also where it is not
/// the usual one. Records that are added to a map in ascending order, which most software writes, go
/// to their place in that order; in other maps they go to the end.
struct RecordMap: Hashable, Sendable {
    private(set) var records: [PSBT.Record]

    /// Takes records that are known to have different keys.
    init(distinct records: [PSBT.Record] = []) { self.records = records }

    /// The value of a field without key data.
    subscript(field: some Field) -> ArraySlice<UInt8>? {
        let type = field.rawValue
        for record in records where record.key.count == 1 && record.key.first == type {
            return record.value
        }
        return nil
    }

    /// All records of a field.
    func all(_ field: some Field) -> [PSBT.Record] {
        let type = field.rawValue
        return records.filter { $0.key.first == type }
    }

    /// Whether there is a record of the field.
    func has(_ field: some Field) -> Bool {
        let type = field.rawValue
        return records.contains { $0.key.first == type }
    }

    /// The value under a whole key.
    func value(of key: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        records.first { $0.key == key }?.value
    }

    /// Adds a record, or replaces the one with the same key in its place.
    mutating func set(_ record: PSBT.Record) {
        if let index = records.firstIndex(where: { $0.key == record.key }) {
            records[index] = record
        } else {
            add([record])
        }
    }

    /// Sets a field without key data, or removes it.
    mutating func set(_ field: some Field, _ value: [UInt8]?) {
        if let value {
            set(PSBT.Record(field, value: value))
        } else {
            let type = field.rawValue
            records.removeAll { $0.key.count == 1 && $0.key.first == type }
        }
    }

    /// Adds records whose keys are not there yet.
    mutating func add(_ additions: [PSBT.Record]) {
        let isAscending = zip(records, records.dropFirst()).allSatisfy {
            $0.key.lexicographicallyPrecedes($1.key)
        }
        records += additions
        if isAscending { records.sort { $0.key.lexicographicallyPrecedes($1.key) } }
    }

    /// Removes the records that a condition names.
    mutating func removeAll(where condition: (PSBT.Record) -> Bool) {
        records.removeAll(where: condition)
    }
}
