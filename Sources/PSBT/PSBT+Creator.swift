public import Bitcoin

/// Why no PSBT can be made from a transaction.
public enum CreationError: Error, Hashable, Sendable {
    /// It is signed already.
    case signed(input: Int)
    /// It has more bytes than any transaction.
    case tooLarge(found: Int, allowed: Int)
}

extension PSBT {
    /// A PSBT with nothing but the transaction (the Creator of BIP174 and BIP370).
    ///
    /// - Parameter modifiable: what others may add or remove; version 2 only.
    public init(
        _ transaction: Transaction, version: Version = .v0, modifiable: Modifiable? = nil
    ) throws(CreationError) {
        let signed = transaction.inputs.firstIndex {
            !$0.scriptSig.isEmpty || !$0.witness.isEmpty
        }
        if let signed { throw .signed(input: signed) }
        guard transaction.baseSize <= PSBT.maximumTransactionSize else {
            throw .tooLarge(
                found: transaction.baseSize, allowed: PSBT.maximumTransactionSize)
        }
        var map = RecordMap()
        if version == .v0 {
            map.set(GlobalField.unsignedTransaction, transaction.serialized(.withoutWitness))
        } else {
            map.setTransactionFields(
                version: transaction.version, lockTime: transaction.lockTime,
                inputs: transaction.inputs.count, outputs: transaction.outputs.count)
            map.set(GlobalField.modifiable, modifiable.map { [$0.rawValue] })
        }
        self.init(
            version: version, transactionVersion: transaction.version,
            fallbackLockTime: transaction.lockTime, global: Global(unchecked: map),
            inputs: transaction.inputs.map { Input($0, version: version) },
            outputs: transaction.outputs.map { Output($0, version: version) })
    }
}

extension RecordMap {
    /// Sets the fields of the global map that version 2 needs.
    mutating func setTransactionFields(
        version: UInt32, lockTime: LockTime, inputs: Int, outputs: Int
    ) {
        set(GlobalField.transactionVersion, littleEndian(version))
        set(GlobalField.fallbackLockTime, littleEndian(lockTime.rawValue))
        set(GlobalField.inputCount, compactSize(inputs))
        set(GlobalField.outputCount, compactSize(outputs))
        set(GlobalField.version, littleEndian(PSBT.Version.v2.rawValue))
    }

    /// Sets the fields of an input map that version 2 needs.
    mutating func setOutpoint(_ outpoint: OutPoint, sequence: SequenceNumber) {
        set(InputField.previousTxid, outpoint.txid.bytes.array)
        set(InputField.outputIndex, littleEndian(outpoint.vout))
        set(InputField.sequence, littleEndian(sequence.rawValue))
    }

    /// Sets the fields of an output map that version 2 needs.
    mutating func setPayment(_ value: Amount, _ script: Script?) {
        set(OutputField.amount, littleEndian(value.sats))
        set(OutputField.script, script?.bytes)
    }
}

extension PSBT.Input {
    fileprivate init(_ input: TransactionInput, version: PSBT.Version) {
        var map = RecordMap()
        if version == .v2 { map.setOutpoint(input.outpoint, sequence: input.sequence) }
        self.init(unchecked: map, outpoint: input.outpoint, sequence: input.sequence)
    }
}

extension PSBT.Output {
    fileprivate init(_ output: TransactionOutput, version: PSBT.Version) {
        var map = RecordMap()
        if version == .v2 { map.setPayment(output.value, output.scriptPubKey) }
        self.init(unchecked: map, value: output.value, script: output.scriptPubKey)
    }
}

extension CreationError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .signed(let input): "input \(input) of the transaction is signed already"
        case .tooLarge(let found, let allowed):
            "the transaction has \(found) bytes, at most \(allowed) fit into a block"
        }
    }
}
