public import Bitcoin
import Descriptors
public import PSBT

/// A file with the signatures that a worker returned, which is proven to differ from what was sent in
/// nothing else.
///
/// Making it needs no secret. What a worker that was taken over returns has no way into the answer but
/// as a signature that verifies for the transaction the person saw.
public struct MergedPSBT: Hashable, Sendable {
    /// The answer in the form that the file came in.
    public let file: [UInt8]
    /// The transaction, if nothing is missing.
    public let transaction: Transaction?

    /// Puts the signatures in, and verifies each of them against a sighash of its own.
    ///
    /// - Throws: `unreadable`, `insertion`, `signature`, `answer`, `twice`.
    public init(_ file: [UInt8], adding records: [SignatureRecord]) throws(SigningRefusal) {
        let sent: PSBTFile
        do throws(PSBTFileError) {
            sent = try PSBTFile(file)
        } catch {
            throw .unreadable(error)
        }
        guard !records.isEmpty else { throw .otherSignatures }
        let signed: SignedPSBT
        do throws(SignedPSBTError) {
            signed = try SignedPSBT(sent.psbt, adding: records)
        } catch {
            throw SigningRefusal(error)
        }
        let answer: Answer
        do throws(AnswerError) {
            answer = try sent.psbt.compare(answer: signed.psbt)
        } catch {
            throw .answer(error)
        }
        guard answer.removed.isEmpty, answer.finalInputs.isEmpty,
            Set(answer.signatures) == Set(records), answer.signatures.count == records.count
        else { throw .otherSignatures }
        self.file = sent.answering(signed.psbt)
        transaction = try? signed.finalized(with: MiniscriptSatisfier(signed.psbt)).extracted()
    }
}

extension SigningRefusal {
    fileprivate init(_ error: SignedPSBTError) {
        switch error {
        case .insertion(let error): self = .insertion(error)
        case .transaction(let error): self = .transaction(error)
        case .signature(let input, let error): self = .signature(input: input, error)
        }
    }
}
