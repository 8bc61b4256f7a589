import Bitcoin
import Descriptors
import PSBT
import Review
import Wire

/// One record of a map.
struct Record: Hashable {
    var key: [UInt8]
    var value: [UInt8]

    init(_ type: UInt8, _ keyData: [UInt8], _ value: [UInt8]) {
        key = [type] + keyData
        self.value = value
    }

    init(_ type: UInt8, _ value: [UInt8]) { self.init(type, [], value) }

    init(_ record: PSBT.Record) {
        key = Array(record.key)
        value = Array(record.value)
    }

    var type: UInt8 { key[0] }

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

/// A PSBT that tests take apart: the transaction, and all other records as they stand.
struct Draft {
    var version = PSBT.Version.v0
    var transaction: Transaction
    var global: [Record]
    var inputs: [[Record]]
    var outputs: [[Record]]
    /// Bytes behind the last map.
    var tail: [UInt8] = []
    /// How many bytes are missing at the end.
    var missing = 0

    init(_ psbt: PSBT) throws {
        transaction = try psbt.unsignedTransaction()
        global = psbt.global.records.map(Record.init).filter { $0.type != 0 }
        inputs = psbt.inputs.map { $0.records.map(Record.init) }
        outputs = psbt.outputs.map { $0.records.map(Record.init) }
    }

    /// The bytes, whatever they mean.
    var bytes: [UInt8] {
        var writer = Writer()
        writer.write(PSBT.magic)
        let maps =
            version == .v0
            ? [[Record(0x00, transaction.serialized(.withoutWitness))] + global] + inputs + outputs
            : version2Maps
        for map in maps {
            for record in map {
                writer.writeVarBytes(record.key)
                writer.writeVarBytes(record.value)
            }
            writer.write(UInt8(0))
        }
        writer.write(tail)
        return writer.bytes.dropLast(missing)
    }

    private var version2Maps: [[Record]] {
        let head = [
            Record(0x02, Record.little(transaction.version)),
            Record(0x03, Record.little(transaction.lockTime.rawValue)),
            Record(0x04, [UInt8(clamping: transaction.inputs.count)]),
            Record(0x05, [UInt8(clamping: transaction.outputs.count)]),
            Record(0xFB, Record.little(UInt32(2))),
        ]
        let spent = zip(transaction.inputs, inputs).map { input, records in
            [
                Record(0x0E, input.outpoint.txid.bytes.array),
                Record(0x0F, Record.little(input.outpoint.vout)),
                Record(0x10, Record.little(input.sequence.rawValue)),
            ] + records
        }
        let paid = zip(transaction.outputs, outputs).map { output, records in
            [
                Record(0x03, Record.little(output.value.sats)),
                Record(0x04, output.scriptPubKey.bytes),
            ] + records
        }
        return [head + global] + spent + paid
    }

    // MARK: Editing

    /// Puts a record into an input, in place of what has the same key.
    mutating func set(input index: Int, _ record: Record) {
        inputs[index].removeAll { $0.key == record.key }
        inputs[index].append(record)
    }

    /// Removes all records of a type from an input.
    mutating func remove(input index: Int, _ type: UInt8) {
        inputs[index].removeAll { $0.type == type }
    }

    /// The first value of a type in an input; empty where there is none.
    func value(input index: Int, _ type: UInt8) -> [UInt8] {
        for record in inputs[index] where record.type == type { return record.value }
        return []
    }

    /// The first value of a type in an output; empty where there is none.
    func value(output index: Int, _ type: UInt8) -> [UInt8] {
        for record in outputs[index] where record.type == type { return record.value }
        return []
    }

    /// Changes the values of a type in an input.
    mutating func edit(input index: Int, _ type: UInt8, _ change: (inout [UInt8]) -> Void) {
        for place in inputs[index].indices where inputs[index][place].type == type {
            change(&inputs[index][place].value)
        }
    }

    /// Changes the values of a type in an output.
    mutating func edit(output index: Int, _ type: UInt8, _ change: (inout [UInt8]) -> Void) {
        for place in outputs[index].indices where outputs[index][place].type == type {
            change(&outputs[index][place].value)
        }
    }

    /// Pays an output to another script, its records left as they are.
    mutating func pay(output index: Int, to script: Script) {
        transaction.outputs[index] = TransactionOutput(
            value: transaction.outputs[index].value, scriptPubKey: script)
    }

    /// Sets the amount of an output.
    mutating func pay(output index: Int, sats: UInt64) {
        transaction.outputs[index] = TransactionOutput(
            value: Amount(sats: sats) ?? .zero,
            scriptPubKey: transaction.outputs[index].scriptPubKey)
    }

    /// Adds an output; its amount is taken from output 1, the change.
    mutating func addOutput(_ sats: UInt64, _ script: Script, _ records: [Record] = []) {
        let change = transaction.outputs[1].value.sats
        pay(output: 1, sats: change - min(sats, change))
        transaction.outputs.append(
            TransactionOutput(value: Amount(sats: sats) ?? .zero, scriptPubKey: script))
        outputs.append(records)
    }

    /// Makes an output one of ours, with what a PSBT says of it.
    mutating func makeOwn(output index: Int, _ output: DerivedOutput) throws {
        pay(output: index, to: output.scriptPubKey)
        outputs[index] = try Draft.records(of: output)
    }

    /// What a PSBT says of an own output.
    static func records(of output: DerivedOutput) throws -> [Record] {
        let payment = TransactionOutput(value: .zero, scriptPubKey: output.scriptPubKey)
        let psbt = try PSBT(Transaction(inputs: [], outputs: [payment]))
            .updating(output: 0, with: output.outputUpdate)
        return psbt.outputs[0].records.map(Record.init)
    }
}
