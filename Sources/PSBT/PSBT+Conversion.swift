import Bitcoin
import Wire

/// Why a PSBT cannot be written in the other version.
public enum ConversionError: Error, Hashable, Sendable {
    /// Version 0 has no place for the field, and dropping it would lose what it says.
    case wouldLose(field: String, place: PSBT.Place)
    /// There is no single unsigned transaction.
    case noTransaction(UnsignedTransactionError)
}

extension PSBT {
    /// The same PSBT in another version; everything that both versions have stays as it is.
    ///
    /// Into version 0, required lock times become the lock time that follows from them. Fields that
    /// say what version 0 cannot are never dropped: the conversion is refused.
    public func converted(to version: Version) throws(ConversionError) -> PSBT {
        switch (self.version, version) {
        case (.v0, .v2): return convertedToVersion2()
        case (.v2, .v0): return try convertedToVersion0()
        default: return self
        }
    }

    private func convertedToVersion2() -> PSBT {
        var map = global.map
        map.set(GlobalField.unsignedTransaction, nil)
        map.setTransactionFields(
            version: transactionVersion, lockTime: fallbackLockTime, inputs: inputs.count,
            outputs: outputs.count)
        return PSBT(
            version: .v2, transactionVersion: transactionVersion,
            fallbackLockTime: fallbackLockTime, global: Global(unchecked: map),
            inputs: inputs.map { input in
                var input = input
                input.map.setOutpoint(input.outpoint, sequence: input.sequence)
                return input
            },
            outputs: outputs.map { output in
                var output = output
                output.map.setPayment(output.value, output.scriptPubKey)
                return output
            })
    }

    private func convertedToVersion0() throws(ConversionError) -> PSBT {
        let transaction: Transaction
        do throws(UnsignedTransactionError) {
            transaction = try unsignedTransaction()
        } catch {
            throw .noTransaction(error)
        }
        var map = try global.map.withoutVersion2(
            PSBT.translatedGlobal, at: .global, rules: GlobalField.rules)
        map.set(GlobalField.version, nil)
        map.set(GlobalField.unsignedTransaction, transaction.serialized(.withoutWitness))
        var inputs = self.inputs
        for index in inputs.indices {
            inputs[index].map = try inputs[index].map.withoutVersion2(
                PSBT.translatedInput, at: .input(index), rules: InputField.rules)
        }
        var outputs = self.outputs
        for index in outputs.indices {
            outputs[index].map = try outputs[index].map.withoutVersion2(
                PSBT.translatedOutput, at: .output(index), rules: OutputField.rules)
        }
        return PSBT(
            version: .v0, transactionVersion: transaction.version,
            fallbackLockTime: transaction.lockTime, global: Global(unchecked: map),
            inputs: inputs, outputs: outputs)
    }

    /// Fields whose meaning the unsigned transaction of version 0 has.
    private static let translatedGlobal: Set<UInt8> = Set(
        [
            GlobalField.transactionVersion, .fallbackLockTime, .inputCount, .outputCount,
        ].map(\.rawValue))
    private static let translatedInput: Set<UInt8> = Set(
        [
            InputField.previousTxid, .outputIndex, .sequence, .requiredTime, .requiredHeight,
        ].map(\.rawValue))
    private static let translatedOutput: Set<UInt8> = Set(
        [OutputField.amount, .script].map(\.rawValue))
}

extension RecordMap {
    /// The map without fields of version 2 whose meaning is kept elsewhere; others are refused.
    fileprivate func withoutVersion2(
        _ translated: Set<UInt8>, at place: PSBT.Place, rules: [FieldRule?]
    ) throws(ConversionError) -> RecordMap {
        var kept: [PSBT.Record] = []
        for record in records {
            guard let type = record.type, let rule = rules[Int(type)], rule.versions == .only2
            else {
                kept.append(record)
                continue
            }
            if translated.contains(type) { continue }
            // Flags that are all off say the same as no flags.
            if place == .global, type == GlobalField.modifiable.rawValue,
                record.value.first == 0
            {
                continue
            }
            throw .wouldLose(field: rule.name, place: place)
        }
        return RecordMap(distinct: kept)
    }
}

func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

func compactSize(_ value: Int) -> [UInt8] {
    var writer = Writer()
    writer.writeCompactSize(value)
    return writer.bytes
}

extension ConversionError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .wouldLose(let field, let place):
            "\(place): version 0 has no place for \(field), it would be lost"
        case .noTransaction(let error): error.description
        }
    }
}
