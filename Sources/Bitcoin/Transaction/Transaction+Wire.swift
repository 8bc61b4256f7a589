public import Wire

extension Transaction {
    /// The two ways to write a transaction.
    public enum Format: Hashable, Sendable {
        /// With marker, flag and witnesses when there are any (BIP144).
        case withWitness
        /// Never with witnesses: what txid hashes, and the unsigned transaction of a PSBT. Read so,
        /// a transaction may have no input.
        case withoutWitness
    }

    /// Reads a whole buffer.
    public init(_ bytes: [UInt8], format: Format = .withWitness) throws(TransactionError) {
        var reader = Reader(bytes)
        try self.init(from: &reader, format: format)
        try wire { () throws(WireError) in try reader.finish() }
    }

    /// Reads one transaction and leaves the reader behind it.
    public init(
        from reader: inout Reader, format: Format = .withWitness
    ) throws(TransactionError) {
        version = try wire { () throws(WireError) in try reader.readUInt32() }
        inputs = try Transaction.readInputs(&reader)
        var isMarked = false
        if format == .withWitness, inputs.isEmpty {
            let position = reader.position
            let flag = try wire { () throws(WireError) in try reader.readUInt8() }
            guard flag <= 1 else { throw .unknownFlag(position: position, found: flag) }
            isMarked = flag == 1
            if isMarked { inputs = try Transaction.readInputs(&reader) }
            // A zero is no flag: it ends a transaction with neither inputs nor outputs.
            outputs = isMarked ? try Transaction.readOutputs(&reader) : []
        } else {
            outputs = try Transaction.readOutputs(&reader)
        }
        if isMarked {
            for index in inputs.indices {
                inputs[index].witness = try wire { () throws(WireError) in
                    try Witness(from: &reader)
                }
            }
        }
        lockTime = LockTime(rawValue: try wire { () throws(WireError) in try reader.readUInt32() })
        guard !isMarked || hasWitness else {
            throw .superfluousWitness(position: reader.position - 4)
        }
    }

    private static func readInputs(
        _ reader: inout Reader
    ) throws(TransactionError) -> [TransactionInput] {
        try wire { () throws(WireError) in
            let count = try reader.readItemCount(minimumItemSize: 41)
            var inputs: [TransactionInput] = []
            inputs.reserveCapacity(count)
            for _ in 0..<count { inputs.append(try TransactionInput(from: &reader)) }
            return inputs
        }
    }

    private static func readOutputs(
        _ reader: inout Reader
    ) throws(TransactionError) -> [TransactionOutput] {
        let count = try wire { () throws(WireError) in try reader.readItemCount(minimumItemSize: 9)
        }
        var outputs: [TransactionOutput] = []
        outputs.reserveCapacity(count)
        for _ in 0..<count { outputs.append(try TransactionOutput(from: &reader)) }
        return outputs
    }

    /// The bytes that peers exchange, or those that txid hashes.
    public func serialized(_ format: Format = .withWitness) -> [UInt8] {
        var writer = Writer(capacity: format == .withWitness ? totalSize : baseSize)
        write(to: &writer, format: format)
        return writer.bytes
    }

    /// Appends `serialized(format)`.
    public func write(to writer: inout Writer, format: Format = .withWitness) {
        let isMarked = format == .withWitness && hasWitness
        writer.write(version)
        if isMarked {
            writer.write(UInt8(0))
            writer.write(UInt8(1))
        }
        writer.writeCompactSize(inputs.count)
        for input in inputs { input.write(to: &writer) }
        writer.writeCompactSize(outputs.count)
        for output in outputs { output.write(to: &writer) }
        if isMarked { for input in inputs { input.witness.write(to: &writer) } }
        writer.write(lockTime.rawValue)
    }
}
