import Hashing
import PSBT
public import Review
public import StateFiles

/// A PSBT whose review was made again, here, and is the one that the person approved. Only this is
/// signed, and making it needs no secret: it comes before the password is read.
public struct ApprovedPSBT: Sendable {
    /// What is signed.
    let psbt: PSBT
    /// The inputs that may get a signature.
    let inputs: Set<Int>
    /// The wallet that signs.
    let wallet: KnownWallet
    /// What the person saw.
    public let report: ReviewReport

    /// Reviews the file once more and compares.
    ///
    /// - Throws: the first of these that is so: `changed`, `unreadable`, `stopped`, `notAccepted`,
    ///   `unknownWallet`, `nothingToSign`.
    public init(
        _ file: [UInt8], as approval: PSBTApproval, by reviewer: Reviewer
    ) throws(SigningRefusal) {
        guard SHA256.hash(file) == approval.file else { throw .changed(.file) }
        do throws(PSBTFileError) {
            psbt = try PSBTFile(file).psbt
        } catch {
            throw .unreadable(error)
        }
        report = reviewer.review(psbt)
        guard report.digest == approval.report else { throw .changed(.report) }
        guard report.verdict != .stopped else { throw .stopped }
        let warnings = report.findings.filter { $0.check.severity == .warn }.map(\.check.code)
        let open = Set(warnings).subtracting(approval.accepted)
        guard open.isEmpty else { throw .notAccepted(open.sorted()) }
        let place = reviewer.wallets.firstIndex { $0.id == approval.wallet.bytes }
        guard let place else { throw .unknownWallet(approval.wallet) }
        wallet = reviewer.wallets[place]
        inputs = report.signableInputs(of: place)
        guard !inputs.isEmpty else { throw .nothingToSign(approval.wallet) }
    }
}
