public import Wire

/// Spends an output.
public struct TransactionInput: Hashable, Sendable {
    /// The output it spends.
    public var outpoint: OutPoint
    /// Unlocks outputs from before segwit; else empty, or one push of the redeemScript.
    public var scriptSig: Script
    /// Relative lock, replacement signal, finality.
    public var sequence: SequenceNumber
    /// Unlocks segwit outputs.
    public var witness: Witness

    /// An input; unsigned unless scripts are given.
    public init(
        outpoint: OutPoint, scriptSig: Script = .empty, sequence: SequenceNumber = .final,
        witness: Witness = .empty
    ) {
        self.outpoint = outpoint
        self.scriptSig = scriptSig
        self.sequence = sequence
        self.witness = witness
    }

    /// Reads everything but the witness, which stands elsewhere.
    init(from reader: inout Reader) throws(WireError) {
        outpoint = try OutPoint(from: &reader)
        scriptSig = Script(try reader.readVarBytes())
        sequence = SequenceNumber(rawValue: try reader.readUInt32())
        witness = .empty
    }

    func write(to writer: inout Writer) {
        outpoint.write(to: &writer)
        writer.writeVarBytes(scriptSig.bytes)
        writer.write(sequence.rawValue)
    }

    /// Bytes without the witness.
    var baseSize: Int { 40 + scriptSig.serializedSize }
}

/// Pays an amount to whoever can satisfy a script.
public struct TransactionOutput: Hashable, Sendable {
    /// How much.
    public var value: Amount
    /// The condition for spending it.
    public var scriptPubKey: Script

    /// Pays `value` to `scriptPubKey`.
    public init(value: Amount, scriptPubKey: Script) {
        self.value = value
        self.scriptPubKey = scriptPubKey
    }

    /// Reads 8 bytes of value and a length-prefixed script.
    public init(from reader: inout Reader) throws(TransactionError) {
        let start = reader.position
        let (sats, script) = try wire { () throws(WireError) in
            (try reader.readInt64(), try reader.readVarBytes())
        }
        guard let value = Amount(sats: sats) else {
            throw .amountOutOfRange(position: start, found: sats)
        }
        self.value = value
        scriptPubKey = Script(script)
    }

    /// Reads a whole buffer.
    public init(_ bytes: [UInt8]) throws(TransactionError) {
        var reader = Reader(bytes)
        try self.init(from: &reader)
        try wire { () throws(WireError) in try reader.finish() }
    }

    /// Appends 8 bytes of value and the length-prefixed script.
    public func write(to writer: inout Writer) {
        writer.write(value.sats)
        writer.writeVarBytes(scriptPubKey.bytes)
    }

    /// 8 bytes of value and the length-prefixed script.
    public var serialized: [UInt8] {
        var writer = Writer(capacity: serializedSize)
        write(to: &writer)
        return writer.bytes
    }

    /// Bytes of `serialized`.
    public var serializedSize: Int { 8 + scriptPubKey.serializedSize }
}
