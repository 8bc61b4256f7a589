public import PSBT
public import Wire

/// Signatures on their way from the worker that made them to the one that puts them in.
public enum SignatureList {
    /// Their number (4 bytes), then for each the input (4), the kind (1), the key that the kind has
    /// (length 1 byte), for a leaf its hash (32), and the value (length 1 byte). Integers are
    /// little-endian.
    ///
    /// - Returns: nil for records of a kind that no plain account makes.
    public static func encode(_ records: [SignatureRecord]) -> [UInt8]? {
        var writer = Writer()
        writer.write(UInt32(clamping: records.count))
        for record in records {
            writer.write(UInt32(clamping: record.input))
            switch record.kind {
            case .ecdsa(let key):
                writer.write(UInt8(1))
                writer.write(UInt8(clamping: key.count))
                writer.write(key)
            case .taprootKey: writer.write(UInt8(2))
            case .taprootScript(let key, let leaf):
                writer.write(UInt8(3))
                writer.write(key)
                writer.write(leaf)
            case .musigNonce, .musigPartial: return nil
            }
            writer.write(UInt8(clamping: record.value.count))
            writer.write(record.value)
        }
        return writer.bytes
    }

    /// Reads what `encode` wrote, to its end.
    public static func decode(_ bytes: [UInt8]) throws(WireError) -> [SignatureRecord] {
        var reader = Reader(bytes)
        let start = reader.position
        let count = try reader.readUInt32()
        // The shortest record takes six bytes, so a count asks for no more memory than came.
        guard Int(count) <= reader.remaining / 6 else {
            throw .tooLarge(
                position: start, found: UInt64(count), allowed: reader.remaining / 6)
        }
        var records: [SignatureRecord] = []
        for _ in 0..<count {
            let input = Int(try reader.readUInt32())
            let kind = try kind(from: &reader)
            let value = try reader.read(Int(try reader.readUInt8()))
            records.append(SignatureRecord(input: input, kind: kind, value: value))
        }
        try reader.finish()
        return records
    }

    private static func kind(
        from reader: inout Reader
    ) throws(WireError) -> SignatureRecord.Kind {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: return .ecdsa(publicKey: try reader.read(Int(try reader.readUInt8())))
        case 2: return .taprootKey
        case 3:
            return .taprootScript(
                publicKey: try reader.readBytes32(), leafHash: try reader.readBytes32())
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }
}
