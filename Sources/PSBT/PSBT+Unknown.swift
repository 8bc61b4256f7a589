extension PSBT {
    /// How many records have a type that no BIP defines; they are carried along untouched.
    public var unknownRecordCount: Int {
        inputs.reduce(
            outputs.reduce(global.map.unknownCount(GlobalField.rules)) {
                $0 + $1.map.unknownCount(OutputField.rules)
            }
        ) { $0 + $1.map.unknownCount(InputField.rules) }
    }
}

extension RecordMap {
    fileprivate func unknownCount(_ rules: [FieldRule?]) -> Int {
        records.count { record in record.type.map { rules[Int($0)] == nil } ?? true }
    }
}
