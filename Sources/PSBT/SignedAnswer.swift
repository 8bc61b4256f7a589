/// A signed file that came back over a way that nobody has to trust, proven to be the file that was sent
/// with nothing but valid signatures added.
public struct SignedAnswer: Hashable, Sendable {
    /// What was sent with the signatures put in, in the form of what was sent.
    public let file: [UInt8]
    /// How many signatures were added.
    public let signatures: Int
    /// Whether no signature is missing any more.
    public let isComplete: Bool

    /// Compares an answer with what was sent. Only signatures are taken from it.
    ///
    /// - Throws: why it is not taken; nothing of it may be used then.
    public init(_ answer: [UInt8], to sent: [UInt8]) throws(SignedAnswerError) {
        let mine = try SignedAnswer.read(sent) { .sent($0) }
        let theirs = try SignedAnswer.read(answer) { .answer($0) }
        let comparison: Answer
        do throws(AnswerError) {
            comparison = try mine.psbt.compare(answer: theirs.psbt)
        } catch {
            throw .different(error)
        }
        let added = comparison.signatures
        guard !added.isEmpty, comparison.finalInputs.isEmpty else { throw .unsigned }
        let signed: SignedPSBT
        do throws(SignedPSBTError) {
            signed = try SignedPSBT(mine.psbt, adding: added)
        } catch {
            throw .signature("\(error)")
        }
        file = mine.answering(signed.psbt)
        signatures = added.count
        isComplete = (try? signed.finalized()) != nil
    }

    private static func read(
        _ file: [UInt8], _ problem: (PSBTFileError) -> SignedAnswerError
    ) throws(SignedAnswerError) -> PSBTFile {
        do throws(PSBTFileError) { return try PSBTFile(file) } catch { throw problem(error) }
    }
}

/// Why a signed file that came back is not taken.
public enum SignedAnswerError: Error, Hashable, Sendable {
    /// The file that was sent is no PSBT.
    case sent(PSBTFileError)
    /// What came back is no PSBT.
    case answer(PSBTFileError)
    /// What came back is another transaction, or has more than signatures added.
    case different(AnswerError)
    /// It came back without a signature, or as something else than signatures.
    case unsigned
    /// A signature does not verify, or belongs nowhere in it.
    case signature(String)
}

extension SignedAnswerError: CustomStringConvertible {
    /// What is wrong, and that nothing of it was used.
    public var description: String {
        switch self {
        case .sent(let error): "the file is no PSBT: \(error)"
        case .answer(let error): "what came back is no PSBT: \(error)"
        case .different(.otherTransaction): "what came back is another transaction"
        case .different(.added(let field, let place)):
            "what came back has \(field) added at \(place)"
        case .different(.changed(let field, let place)):
            "what came back has \(field) changed at \(place)"
        case .unsigned: "what came back adds no signature"
        case .signature(let why): "a signature that came back is wrong: \(why)"
        }
    }
}
