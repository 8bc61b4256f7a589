public import Bitcoin

extension PSBT {
    /// One output: what it pays, and what shows whose it is.
    public struct Output: Hashable, Sendable {
        var map: RecordMap
        /// How much.
        public let value: Amount
        /// The scriptPubKey; nil for a silent payment whose script is not yet computed (BIP375).
        public let scriptPubKey: Script?

        init(
            _ map: RecordMap, value: Amount, script: Script?, at place: Place
        ) throws(PSBTError) {
            for record in map.records {
                guard let type = record.type, let field = OutputField(rawValue: type),
                    let problem = field.problem(with: record)
                else { continue }
                throw PSBTError(place, problem, field, at: record.key.startIndex)
            }
            self.map = map
            self.value = value
            scriptPubKey = script
        }

        /// Takes a map made of records that were checked before.
        init(unchecked map: RecordMap, value: Amount, script: Script?) {
            self.map = map
            self.value = value
            scriptPubKey = script
        }

        init(version2 map: RecordMap, at place: Place) throws(PSBTError) {
            try map.checkVersion(.v2, at: place, rules: OutputField.rules)
            guard let bytes = map[OutputField.amount] else {
                throw PSBTError(place, .missing, OutputField.amount)
            }
            let sats = Int64(bitPattern: bytes.littleEndian())
            guard let value = Amount(sats: sats) else {
                throw PSBTError(
                    place, .amountOutOfRange(sats), OutputField.amount, at: bytes.startIndex)
            }
            let script = map[OutputField.script].map { Script(Array($0)) }
            if script == nil, !map.has(OutputField.silentPaymentAddress) {
                throw PSBTError(place, .missing, OutputField.script)
            }
            try self.init(map, value: value, script: script, at: place)
        }

        /// All records, in the order of the file.
        public var records: [Record] { map.records }
    }
}
