public import KeyTree
public import PSBT
import PSBTSigning
import Review
public import Signing

extension ApprovedPSBT {
    /// The signatures of the wallet's master key, one at least for each input that the review found
    /// to be the wallet's, and none for any other.
    ///
    /// Each key is derived again and compared with the one that the input names; each signature is
    /// verified before it is returned.
    ///
    /// - Throws: `otherMaster`, `signing`, `incomplete`.
    public func sign(
        with master: borrowing ExtendedPrivateKey, _ context: borrowing SigningContext
    ) throws(SigningRefusal) -> [SignatureRecord] {
        guard master.fingerprint == wallet.fingerprint else { throw .otherMaster }
        let records: [SignatureRecord]
        do throws(PSBTSigningError) {
            records = try PSBTSigner(psbt).sign(with: master, inputs: inputs, context)
        } catch {
            throw .signing(error)
        }
        let signed = Set(records.map(\.input))
        guard signed == inputs else {
            throw .incomplete(input: inputs.symmetricDifference(signed).min() ?? 0)
        }
        return records
    }
}
