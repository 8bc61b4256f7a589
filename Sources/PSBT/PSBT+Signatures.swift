import Bitcoin

/// Why a signature was not put into a PSBT.
public enum InsertionError: Error, Hashable, Sendable {
    /// There is no such input.
    case noSuchInput(Int, count: Int)
    /// The record has a wrong form.
    case invalid(PSBTError)
    /// Another signature or nonce of the same key is there.
    case exists(input: Int)
    /// The input is final already.
    case final(input: Int)
}

extension PSBT {
    /// The PSBT with signatures and nonces added, and nothing else changed but the flags of
    /// PSBT_GLOBAL_TX_MODIFIABLE, which follow from them (BIP370).
    ///
    /// The signatures are not verified here: see `SignatureChecker`.
    public func adding(_ signatures: [SignatureRecord]) throws(InsertionError) -> PSBT {
        var psbt = self
        var additions: [Int: Additions] = [:]
        for signature in signatures { try psbt.add(signature, to: &additions) }
        for (index, additions) in additions { psbt.inputs[index].map.add(additions.records) }
        return psbt
    }

    /// What one input gets, gathered so that many signatures are sorted into its map once.
    private struct Additions {
        var records: [Record] = []
        /// Values by key, of the map and of `records`.
        var values: [ArraySlice<UInt8>: ArraySlice<UInt8>]

        init(to map: RecordMap) {
            values = Dictionary(
                map.records.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private mutating func add(
        _ signature: SignatureRecord, to additions: inout [Int: Additions]
    ) throws(InsertionError) {
        let index = signature.input
        guard inputs.indices.contains(index) else {
            throw .noSuchInput(index, count: inputs.count)
        }
        guard !inputs[index].isFinal else { throw .final(input: index) }
        let record = signature.record
        let problem =
            signature.field.rule.problem(keyData: record.keyData, value: record.value)
            ?? signature.field.problem(with: record)
        if let problem {
            throw .invalid(PSBTError(.input(index), problem, signature.field))
        }
        var own = additions.removeValue(forKey: index) ?? Additions(to: inputs[index].map)
        let present = own.values.updateValue(record.value, forKey: record.key)
        if let present {
            guard present == record.value else { throw .exists(input: index) }
        } else {
            own.records.append(record)
        }
        additions[index] = own
        guard present == nil else { return }
        if let type = signature.sighashType(of: inputs[index]) { tightenFlags(after: type) }
    }

    private mutating func tightenFlags(after type: SighashType) {
        guard var flags = global.modifiable else { return }
        if !type.isAnyoneCanPay { flags.remove(.inputs) }
        if !type.isNone { flags.remove(.outputs) }
        if type.isSingle { flags.insert(.hasSingle) }
        global.modifiable = flags
    }
}

extension SignatureRecord {
    /// The sighash type that the signature says, for MuSig2 the one of the input; nil for nonces.
    func sighashType(of input: PSBT.Input) -> SighashType? {
        switch kind {
        case .ecdsa: value.last.map { SighashType(rawValue: UInt32($0)) }
        case .taprootKey, .taprootScript:
            SighashType(rawValue: value.count == 65 ? UInt32(value[64]) : 0)
        case .musigPartial: input.sighashType ?? .default
        case .musigNonce: nil
        }
    }
}

extension InsertionError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .noSuchInput(let index, let count): "input \(index) asked for, there are \(count)"
        case .invalid(let error): error.description
        case .exists(let input):
            "input \(input) already has another signature or nonce of this key"
        case .final(let input): "input \(input) is final already"
        }
    }
}
