import Hashing
public import Wire

extension PSBT {
    /// The PSBT in binary. For a PSBT that was parsed and not changed, the bytes it was parsed from.
    public var serialized: [UInt8] {
        var writer = Writer(capacity: serializedSize)
        writer.write(PSBT.magic)
        global.map.write(to: &writer)
        for input in inputs { input.map.write(to: &writer) }
        for output in outputs { output.map.write(to: &writer) }
        return writer.bytes
    }

    /// SHA-256 of `serialized`, one map at a time, so that a large PSBT is not held twice.
    public var serializedHash: Bytes32 {
        var hash = SHA256()
        hash.update(PSBT.magic)
        for map in [global.map] + inputs.map(\.map) + outputs.map(\.map) {
            var writer = Writer(capacity: map.serializedSize)
            map.write(to: &writer)
            hash.update(writer.bytes)
        }
        return hash.finalize()
    }

    /// Bytes of `serialized`.
    public var serializedSize: Int {
        inputs.reduce(
            outputs.reduce(PSBT.magic.count + global.map.serializedSize) {
                $0 + $1.map.serializedSize
            }
        ) { $0 + $1.map.serializedSize }
    }
}

extension RecordMap {
    func write(to writer: inout Writer) {
        for record in records {
            writer.writeCompactSize(record.key.count)
            writer.write(record.key)
            writer.writeCompactSize(record.value.count)
            writer.write(record.value)
        }
        writer.write(UInt8(0))
    }

    var serializedSize: Int {
        records.reduce(1) { size, record in
            size + compactSizeLength(record.key.count) + record.key.count
                + compactSizeLength(record.value.count) + record.value.count
        }
    }
}
