import Wire

/// Why a PSBT was not finalised.
public enum FinalizationError: Error, Hashable, Sendable {
    /// There is no single transaction.
    case noTransaction(UnsignedTransactionError)
    /// Some inputs cannot be finalised. None was: the reports say what each lacks.
    case incomplete([InputReport])

    /// How far an input is.
    public struct InputReport: Hashable, Sendable {
        /// The input, from 0.
        public let input: Int
        /// How far it is.
        public let state: InputState
    }

    /// How far an input is.
    public enum InputState: Hashable, Sendable {
        /// It was final before.
        case final
        /// It can be finalised.
        case ready
        /// It is not known how it is spent, or what is known does not fit.
        case spend(SpendError)
        /// A signature is not accepted.
        case badSignature(SignatureRecord.Kind, SignatureError)
        /// Signatures are missing.
        case signaturesMissing(found: Int, needed: Int)
        /// The script is not one of those with a fixed witness, and its conditions are not met or
        /// not understood.
        case scriptNotSatisfied
        /// The kind of output is not known.
        case unsupported
    }
}

extension FinalizationError.InputState {
    /// Whether the input needs nothing any more.
    public var isComplete: Bool { self == .final || self == .ready }
}

extension FinalizationError: CustomStringConvertible {
    /// What each unfinished input lacks.
    public var description: String {
        switch self {
        case .noTransaction(let error): error.description
        case .incomplete(let reports):
            reports.filter { !$0.state.isComplete }
                .map { "input \($0.input): \($0.state)" }
                .joined(separator: "; ")
        }
    }
}

extension FinalizationError.InputState: CustomStringConvertible {
    /// What is there or missing.
    public var description: String {
        switch self {
        case .final: "final"
        case .ready: "ready"
        case .spend(let error): error.description
        case .badSignature(let kind, let error): "\(kind): \(error)"
        case .signaturesMissing(let found, let needed):
            "\(found) of \(needed) signatures are there"
        case .scriptNotSatisfied: "the conditions of the script are not met or not known"
        case .unsupported: "outputs of this kind cannot be spent here"
        }
    }
}

extension SignatureRecord.Kind: CustomStringConvertible {
    /// The kind with the key that it is for.
    public var description: String {
        switch self {
        case .ecdsa(let publicKey): "ECDSA signature of \(Hex.encode(publicKey))"
        case .taprootKey: "Schnorr signature of the output key"
        case .taprootScript(let publicKey, let leafHash):
            "Schnorr signature of \(publicKey) in leaf \(leafHash)"
        case .musigNonce(let participant, _, _): "MuSig2 nonce of \(Hex.encode(participant))"
        case .musigPartial(let participant, _, _):
            "MuSig2 partial signature of \(Hex.encode(participant))"
        }
    }
}
