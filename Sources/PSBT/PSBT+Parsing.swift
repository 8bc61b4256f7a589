import Bitcoin
import Wire

extension PSBT {
    /// Reads a whole PSBT in binary.
    ///
    /// Takes time linear in the size, up to sorting the keys of a map that is not in ascending
    /// order, and copies nothing but scripts and amounts of the transactions inside.
    public init(_ bytes: [UInt8]) throws(PSBTError) {
        var reader = try MapReader(bytes)
        let map = try reader.readMap(at: .global, rules: GlobalField.rules)
        let version = try PSBT.version(map)
        try map.checkVersion(version, at: .global, rules: GlobalField.rules)
        let global = try Global(map)
        switch version {
        case .v0: try self.init(version0: global, &reader)
        case .v2: try self.init(version2: global, &reader)
        }
        try reader.finish()
    }

    private init(version0 global: Global, _ reader: inout MapReader) throws(PSBTError) {
        let transaction = try PSBT.unsignedTransaction(global.map)
        // Each map takes at least the byte that ends it, so no count asks for more than is there.
        var inputs: [Input] = []
        inputs.reserveCapacity(min(transaction.inputs.count, reader.remaining))
        for (index, input) in transaction.inputs.enumerated() {
            let place = Place.input(index)
            let map = try reader.readMap(at: place, rules: InputField.rules)
            try map.checkVersion(.v0, at: place, rules: InputField.rules)
            inputs.append(
                try Input(map, outpoint: input.outpoint, sequence: input.sequence, at: place))
        }
        var outputs: [Output] = []
        outputs.reserveCapacity(min(transaction.outputs.count, reader.remaining))
        for (index, output) in transaction.outputs.enumerated() {
            let place = Place.output(index)
            let map = try reader.readMap(at: place, rules: OutputField.rules)
            try map.checkVersion(.v0, at: place, rules: OutputField.rules)
            outputs.append(
                try Output(map, value: output.value, script: output.scriptPubKey, at: place))
        }
        self.init(
            version: .v0, transactionVersion: transaction.version,
            fallbackLockTime: transaction.lockTime, global: global, inputs: inputs,
            outputs: outputs)
    }

    private init(version2 global: Global, _ reader: inout MapReader) throws(PSBTError) {
        let inputCount = try global.map.count(.inputCount, itemSize: 41)
        let outputCount = try global.map.count(.outputCount, itemSize: 9)
        var inputs: [Input] = []
        inputs.reserveCapacity(min(inputCount, reader.remaining / 42))
        for index in 0..<inputCount {
            let map = try reader.readMap(at: .input(index), rules: InputField.rules)
            inputs.append(try Input(version2: map, at: .input(index)))
        }
        var outputs: [Output] = []
        outputs.reserveCapacity(min(outputCount, reader.remaining / 15))
        for index in 0..<outputCount {
            let map = try reader.readMap(at: .output(index), rules: OutputField.rules)
            outputs.append(try Output(version2: map, at: .output(index)))
        }
        self.init(
            version: .v2,
            transactionVersion: try global.map.required(.transactionVersion),
            fallbackLockTime: LockTime(
                rawValue: global.map[GlobalField.fallbackLockTime]?.littleEndian() ?? 0),
            global: global, inputs: inputs, outputs: outputs)
        try checkTransactionSize()
        try checkSilentPayments()
    }

    /// Refuses payments that no transaction has room for.
    private func checkTransactionSize() throws(PSBTError) {
        let size = outputs.reduce(10 + 41 * inputs.count) {
            $0 + 9 + ($1.scriptPubKey?.bytes.count ?? 0)
        }
        guard size <= PSBT.maximumTransactionSize else {
            throw PSBTError(
                .file, .tooLarge(found: size, allowed: PSBT.maximumTransactionSize))
        }
    }

    /// The version that the map says, 0 where it says none.
    private static func version(_ map: RecordMap) throws(PSBTError) -> Version {
        let number: UInt32 = map[GlobalField.version]?.littleEndian() ?? 0
        guard let version = Version(rawValue: number) else {
            throw PSBTError(.global, .unsupportedVersion(number), GlobalField.version)
        }
        return version
    }

    /// The unsigned transaction of version 0, which is written without witnesses even if it has no
    /// input.
    private static func unsignedTransaction(_ map: RecordMap) throws(PSBTError) -> Transaction {
        let field = GlobalField.unsignedTransaction
        guard let bytes = map[field] else { throw PSBTError(.global, .missing, field) }
        guard bytes.count <= maximumTransactionSize else {
            throw PSBTError(
                .global, .tooLarge(found: bytes.count, allowed: maximumTransactionSize), field,
                at: bytes.startIndex)
        }
        let transaction: Transaction
        do throws(TransactionError) {
            transaction = try Transaction(Array(bytes), format: .withoutWitness)
        } catch {
            throw PSBTError(.global, .transaction(error), field, at: bytes.startIndex)
        }
        guard transaction.inputs.allSatisfy({ $0.scriptSig.isEmpty }) else {
            throw PSBTError(
                .global, .scriptSigInUnsignedTransaction, field, at: bytes.startIndex)
        }
        return transaction
    }
}

extension RecordMap {
    /// Refuses fields of another version than that of the file.
    func checkVersion(
        _ version: PSBT.Version, at place: PSBT.Place, rules: [FieldRule?]
    ) throws(PSBTError) {
        for record in records {
            guard let type = record.type, let rule = rules[Int(type)] else { continue }
            let isAllowed =
                switch rule.versions {
                case .any: true
                case .only0: version == .v0
                case .only2: version == .v2
                }
            guard isAllowed else {
                throw PSBTError(
                    place, .forbidden(version: version.rawValue), field: rule.name,
                    position: record.key.startIndex)
            }
        }
    }

    /// A field of the global map that has to be there, 4 bytes long.
    fileprivate func required(_ field: GlobalField) throws(PSBTError) -> UInt32 {
        guard let bytes = self[field] else { throw PSBTError(.global, .missing, field) }
        return bytes.littleEndian()
    }

    /// A count of inputs or outputs, no larger than a transaction has room for.
    fileprivate func count(
        _ field: GlobalField, itemSize: Int
    ) throws(PSBTError) -> Int {
        guard let bytes = self[field] else { throw PSBTError(.global, .missing, field) }
        var reader = Reader(Array(bytes))
        do throws(WireError) {
            let count = try reader.readCount(limit: PSBT.maximumTransactionSize / itemSize)
            try reader.finish()
            return count
        } catch {
            throw PSBTError(.global, .wire(error), field, at: bytes.startIndex)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The first bytes as an integer; bytes that are not there count as 0.
    func littleEndian<T: FixedWidthInteger & UnsignedInteger>(as type: T.Type = T.self) -> T {
        var value: T = 0
        for (shift, byte) in prefix(MemoryLayout<T>.size).enumerated() {
            value |= T(byte) << T(shift * 8)
        }
        return value
    }
}
