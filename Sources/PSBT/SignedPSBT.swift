/// A PSBT with signatures put in, each of which was verified then: finalising does not verify them
/// again.
public struct SignedPSBT: Sendable {
    /// The PSBT with the signatures.
    public let psbt: PSBT
    private let checker: SignatureChecker
    private let verified: Set<SignatureRecord>

    /// Puts the signatures in and verifies each against the transaction of the PSBT, as
    /// `SignatureChecker` does.
    public init(
        _ psbt: PSBT, adding signatures: [SignatureRecord]
    ) throws(SignedPSBTError) {
        do throws(InsertionError) {
            self.psbt = try psbt.adding(signatures)
        } catch {
            throw .insertion(error)
        }
        do throws(UnsignedTransactionError) {
            checker = try SignatureChecker(self.psbt)
        } catch {
            throw .transaction(error)
        }
        for signature in signatures {
            do throws(SignatureError) {
                try checker.check(signature)
            } catch {
                throw .signature(input: signature.input, error)
            }
        }
        verified = Set(signatures)
    }

    /// As `PSBT.finalized`: signatures that were there before are verified now.
    public func finalized(
        with satisfier: (any ScriptSatisfier)? = nil
    ) throws(FinalizationError) -> PSBT {
        try psbt.finalized(InputFinalizer(psbt, satisfier, checker, verified: verified))
    }
}

/// Why signatures are not put into a PSBT.
public enum SignedPSBTError: Error, Hashable, Sendable {
    /// One of them does not fit in.
    case insertion(InsertionError)
    /// There is no transaction to verify them against.
    case transaction(UnsignedTransactionError)
    /// One of them does not verify.
    case signature(input: Int, SignatureError)
}

extension SignedPSBTError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .insertion(let error): "\(error)"
        case .transaction(let error): "\(error)"
        case .signature(let input, let error): "input \(input): \(error)"
        }
    }
}
