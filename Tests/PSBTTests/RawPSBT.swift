import PSBT
import Wire

/// A PSBT as bare records, to make odd ones from good ones.
struct RawPSBT {
    struct Record {
        var key: [UInt8]
        var value: [UInt8]
    }

    var global: [Record] = []
    var inputs: [[Record]] = []
    var outputs: [[Record]] = []

    init(_ psbt: PSBT) {
        global = psbt.global.records.map(Record.init)
        inputs = psbt.inputs.map { $0.records.map(Record.init) }
        outputs = psbt.outputs.map { $0.records.map(Record.init) }
    }

    init(base64 text: String) throws { self.init(try PSBT(base64: text)) }

    /// The bytes, whatever they mean.
    var bytes: [UInt8] {
        var writer = Writer()
        writer.write(PSBT.magic)
        for map in [global] + inputs + outputs {
            for record in map {
                writer.writeVarBytes(record.key)
                writer.writeVarBytes(record.value)
            }
            writer.write(UInt8(0))
        }
        return writer.bytes
    }

    /// Reads the bytes.
    func parse() throws(PSBTError) -> PSBT { try PSBT(bytes) }

    /// What reading the bytes throws.
    func error() -> PSBTError? {
        do throws(PSBTError) { _ = try parse() } catch { return error }
        return nil
    }
}

extension RawPSBT.Record {
    init(_ record: PSBT.Record) {
        self.init(key: Array(record.key), value: Array(record.value))
    }

    init(_ type: UInt8, _ keyData: [UInt8], _ value: [UInt8]) {
        self.init(key: [type] + keyData, value: value)
    }

    init(_ type: UInt8, _ value: [UInt8]) { self.init(type, [], value) }
}

extension [RawPSBT.Record] {
    /// The value of a type without key data.
    subscript(type type: UInt8) -> [UInt8]? {
        get { first { $0.key == [type] }?.value }
        set {
            removeAll { $0.key == [type] }
            if let newValue { append(RawPSBT.Record(type, newValue)) }
        }
    }
}
