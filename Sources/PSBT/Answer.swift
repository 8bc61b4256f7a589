import Bitcoin

/// What came back from a signer, compared with what was sent.
public struct Answer: Hashable, Sendable {
    /// A record that is no longer there.
    public struct Removal: Hashable, Sendable {
        /// The map it was in.
        public let place: PSBT.Place
        /// The field by its name in the BIPs.
        public let field: String
    }

    /// Signatures and nonces that were added; not verified.
    public let signatures: [SignatureRecord]
    /// Inputs that came back final.
    public let finalInputs: [Int]
    /// What the signer left out. It is still in the PSBT that was sent.
    public let removed: [Removal]

    /// Whether nothing was added: the file that was sent came back unsigned.
    public var addsNothing: Bool { signatures.isEmpty && finalInputs.isEmpty }
}

/// Why an answer is refused.
public enum AnswerError: Error, Hashable, Sendable {
    /// It is about another transaction, or has another version.
    case otherTransaction
    /// Something else than signatures was added.
    case added(field: String, place: PSBT.Place)
    /// Something that was sent came back different.
    case changed(field: String, place: PSBT.Place)
}

extension PSBT {
    /// Proves that an answer is this PSBT with nothing but signatures, nonces and final scripts added.
    ///
    /// Fields may be missing in it, as some signers send back little. Take what is added from here
    /// into the PSBT that was sent; never go on with the answer itself.
    public func compare(answer: PSBT) throws(AnswerError) -> Answer {
        guard let mine = try? unsignedTransaction(), let theirs = try? answer.unsignedTransaction(),
            version == answer.version, mine == theirs
        else { throw .otherTransaction }
        var comparison = AnswerComparison()
        try comparison.compareGlobal(self, answer)
        for index in inputs.indices {
            try comparison.compareInput(index, inputs[index], answer.inputs[index])
        }
        for index in outputs.indices {
            try comparison.compare(
                outputs[index].map, answer.outputs[index].map, at: .output(index),
                rules: OutputField.rules
            ) { record throws(AnswerError) in
                throw .added(
                    field: PSBT.fieldName(record, OutputField.rules), place: .output(index))
            }
        }
        return Answer(
            signatures: comparison.signatures, finalInputs: comparison.finalInputs,
            removed: comparison.removed)
    }
}

/// The state of a comparison.
private struct AnswerComparison {
    var signatures: [SignatureRecord] = []
    var finalInputs: [Int] = []
    var removed: [Answer.Removal] = []

    /// Flags may only become stricter, as signing makes them.
    mutating func compareGlobal(_ sent: PSBT, _ answer: PSBT) throws(AnswerError) {
        var (mine, theirs) = (sent.global, answer.global)
        if let before = mine.modifiable, let after = theirs.modifiable {
            let open: PSBT.Modifiable = [.inputs, .outputs]
            let opened = after.subtracting(before).subtracting(.hasSingle)
            let closed = before.subtracting(after).subtracting(open)
            guard opened.isEmpty, closed.isEmpty else {
                throw .changed(field: GlobalField.modifiable.rule.name, place: .global)
            }
            mine.modifiable = after
            theirs.modifiable = after
        }
        try compare(mine.map, theirs.map, at: .global, rules: GlobalField.rules) {
            record throws(AnswerError) in
            throw .added(field: PSBT.fieldName(record, GlobalField.rules), place: .global)
        }
    }

    mutating func compareInput(
        _ index: Int, _ sent: PSBT.Input, _ answer: PSBT.Input
    ) throws(AnswerError) {
        var added: [SignatureRecord] = []
        try compare(sent.map, answer.map, at: .input(index), rules: InputField.rules) {
            record throws(AnswerError) in
            if let signature = SignatureRecord(input: index, record) {
                added.append(signature)
                return
            }
            let finals = [
                InputField.finalScriptSig.rawValue, InputField.finalScriptWitness.rawValue,
            ]
            guard let type = record.type, finals.contains(type) else {
                throw .added(
                    field: PSBT.fieldName(record, InputField.rules), place: .input(index))
            }
        }
        signatures += added
        if answer.isFinal, !sent.isFinal { finalInputs.append(index) }
    }

    /// Hands records that are new to `added`; refuses those that changed.
    mutating func compare(
        _ sent: RecordMap, _ answer: RecordMap, at place: PSBT.Place, rules: [FieldRule?],
        added: (PSBT.Record) throws(AnswerError) -> Void
    ) throws(AnswerError) {
        let before = Dictionary(
            sent.records.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        var seen = 0
        for record in answer.records {
            guard let value = before[record.key] else {
                try added(record)
                continue
            }
            seen += 1
            guard value == record.value || isSameTransaction(record, at: place) else {
                throw .changed(field: PSBT.fieldName(record, rules), place: place)
            }
        }
        guard seen < sent.records.count else { return }
        let after = Set(answer.records.map(\.key))
        for record in sent.records where !after.contains(record.key) {
            removed.append(
                Answer.Removal(place: place, field: PSBT.fieldName(record, rules)))
        }
    }

    /// A previous transaction hashes to the outpoint in both PSBTs: only witnesses may differ.
    private func isSameTransaction(_ record: PSBT.Record, at place: PSBT.Place) -> Bool {
        guard case .input = place else { return false }
        return record.key.elementsEqual([InputField.nonWitnessUTXO.rawValue])
    }
}

extension AnswerError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .otherTransaction: "the answer is about another transaction than the one that was sent"
        case .added(let field, let place):
            "\(place): the answer adds \(field), which is no signature"
        case .changed(let field, let place): "\(place): the answer changes \(field)"
        }
    }
}
