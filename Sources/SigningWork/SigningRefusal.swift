public import PSBT
public import PSBTSigning
public import StateFiles

/// Why nothing is signed, or a signature is not taken.
public enum SigningRefusal: Error, Hashable, Sendable {
    /// What is not what it was when the person approved.
    public enum Change: String, Hashable, Sendable {
        /// The PSBT.
        case file
        /// What the review says about it.
        case report
    }

    /// It is not what the person approved.
    case changed(Change)
    /// The file is no PSBT.
    case unreadable(PSBTFileError)
    /// The review stops it, whoever approves.
    case stopped
    /// Warnings that the person has not typed, by their codes.
    case notAccepted([String])
    /// The wallet is not here, or its public index is not.
    case unknownWallet(VaultID)
    /// No input is this wallet's to sign.
    case nothingToSign(VaultID)
    /// The vault holds other keys than its public index says.
    case otherMaster
    /// A key or a signature is not what it has to be.
    case signing(PSBTSigningError)
    /// An input that should get a signature has none, or the other way round.
    case incomplete(input: Int)
    /// The transaction cannot be made.
    case transaction(UnsignedTransactionError)
    /// A signature does not fit into the file.
    case insertion(InsertionError)
    /// A signature does not verify.
    case signature(input: Int, SignatureError)
    /// The answer differs in more than signatures.
    case answer(AnswerError)
    /// The answer has other signatures than those that were returned.
    case otherSignatures
}

extension SigningRefusal: CustomStringConvertible {
    /// One sentence: what, why and what to do.
    public var description: String {
        switch self {
        case .changed(.file):
            "the file is not the one that was approved; nothing was signed: review it again"
        case .changed(.report):
            "the review says something else than when it was approved; nothing was signed: look at "
                + "the review again"
        case .unreadable(let error): "\(error)"
        case .stopped: "the review stops this transaction; nothing can be signed"
        case .notAccepted(let codes):
            "these warnings were not accepted: \(codes.joined(separator: ", "))"
        case .unknownWallet(let id):
            "there is no wallet \(id) with a public index: see bulkhead wallet list"
        case .nothingToSign: "no input of this transaction is this wallet's to sign"
        case .otherMaster:
            "the vault holds other keys than its public index says; nothing was signed: rebuild the "
                + "index (bulkhead wallet rebuild-index)"
        case .signing(let error): "\(error); nothing was signed"
        case .incomplete(let input):
            "input \(input) was not signed as the review expected; nothing was signed"
        case .transaction(let error): "\(error)"
        case .insertion(let error): "a signature was not taken: \(error)"
        case .signature(let input, let error):
            "the signature of input \(input) is wrong (\(error)); this machine may be failing: "
                + "nothing was given out"
        case .answer(let error): "the signed file is not the one that was sent: \(error)"
        case .otherSignatures: "the signed file has other signatures than were made"
        }
    }
}
