import Wire

extension ECDSASignature {
    /// Reads a signature in the strict DER of BIP66, without the sighash byte.
    ///
    /// - Throws: `notStrictDER`, or `scalarOutOfRange` where BIP66 is content but no signature has
    ///   these numbers.
    public init(der bytes: [UInt8]) throws(CurveError) {
        // 30 length 02 length r 02 length s
        guard (8...72).contains(bytes.count) else {
            throw .notStrictDER(position: 0, rule: .totalLength)
        }
        guard bytes[0] == 0x30 else { throw .notStrictDER(position: 0, rule: .sequence) }
        guard Int(bytes[1]) == bytes.count - 2 else {
            throw .notStrictDER(position: 1, rule: .sequenceLength)
        }
        var position = 2
        let r = try ECDSASignature.readInteger(bytes, at: &position)
        let s = try ECDSASignature.readInteger(bytes, at: &position)
        guard position == bytes.count else {
            throw .notStrictDER(position: position, rule: .sequenceLength)
        }
        try self.init(r: r, s: s)
    }

    private static func readInteger(
        _ bytes: [UInt8], at position: inout Int
    ) throws(CurveError) -> Bytes32 {
        guard position + 2 < bytes.count, bytes[position] == 0x02 else {
            throw .notStrictDER(position: position, rule: .integer)
        }
        let start = position + 2
        let length = Int(bytes[position + 1])
        guard length > 0, start + length <= bytes.count else {
            throw .notStrictDER(position: position + 1, rule: .integerLength)
        }
        guard bytes[start] < 0x80 else { throw .notStrictDER(position: start, rule: .negative) }
        if length > 1, bytes[start] == 0, bytes[start + 1] < 0x80 {
            throw .notStrictDER(position: start, rule: .padded)
        }
        position = start + length
        let digits = bytes[start..<position].drop { $0 == 0 }
        guard digits.count <= 32 else { throw .scalarOutOfRange }
        return Bytes32 { out in
            UnsafeMutableRawBufferPointer(rebasing: out[(32 - digits.count)...])
                .copyBytes(from: digits)
        }
    }

    /// The strict DER form, 8 to 72 bytes: without the sighash byte.
    public var der: [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(72)
        for number in [r, s] {
            number.withUnsafeBytes { number in
                let digits = number.drop { $0 == 0 }
                let needsZero = digits.first.map { $0 >= 0x80 } ?? true
                body += [0x02, UInt8(digits.count + (needsZero ? 1 : 0))]
                if needsZero { body.append(0) }
                body += digits
            }
        }
        return [0x30, UInt8(body.count)] + body
    }
}
