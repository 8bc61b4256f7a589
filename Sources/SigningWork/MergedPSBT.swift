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
        let signed: PSBT
        do throws(InsertionError) {
            signed = try sent.psbt.adding(records)
        } catch {
            throw .insertion(error)
        }
        try MergedPSBT.verify(records, in: signed)
        let answer: Answer
        do throws(AnswerError) {
            answer = try sent.psbt.compare(answer: signed)
        } catch {
            throw .answer(error)
        }
        guard answer.removed.isEmpty, answer.finalInputs.isEmpty,
            Set(answer.signatures) == Set(records), answer.signatures.count == records.count
        else { throw .otherSignatures }
        self.file = sent.answering(signed)
        transaction = try? signed.finalized(with: MiniscriptSatisfier(signed)).extracted()
    }

    private static func verify(
        _ records: [SignatureRecord], in psbt: PSBT
    ) throws(SigningRefusal) {
        guard !records.isEmpty else { throw .otherSignatures }
        let checker: SignatureChecker
        do throws(UnsignedTransactionError) {
            checker = try SignatureChecker(psbt)
        } catch {
            throw .transaction(error)
        }
        for record in records {
            do throws(SignatureError) {
                try checker.check(record)
            } catch {
                throw .signature(input: record.input, error)
            }
        }
    }
}
