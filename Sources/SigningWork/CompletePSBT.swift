public import Bitcoin
import Descriptors
public import PSBT
public import Review

/// A file that lacks no signature, and the transaction that it stands for. Making it needs no secret.
public struct CompletePSBT: Hashable, Sendable {
    /// The transaction with all signatures.
    public let transaction: Transaction

    /// Puts the signatures of every input into the transaction, each of which was verified.
    ///
    /// - Parameter report: What the review found. What stops a signature stops this, too, but that there
    ///   is nothing to sign.
    public init(_ psbt: PSBT, reviewedAs report: ReviewReport) throws(IncompletePSBT) {
        let stops = Set(report.findings.map(\.check)).filter {
            $0.severity == .stop && $0 != .nothingToSign
        }
        guard stops.isEmpty else { throw .stopped(stops.map(\.code).sorted()) }
        // No script is executed here, and there is nothing else to judge what is final by.
        if let input = psbt.inputs.firstIndex(where: \.isFinal) { throw .final(input: input) }
        let final: PSBT
        do throws(FinalizationError) {
            final = try psbt.finalized(with: MiniscriptSatisfier(psbt))
        } catch {
            throw .signatures(error)
        }
        do throws(ExtractionError) { transaction = try final.extracted() } catch {
            throw .extraction(error)
        }
    }
}

/// Why no transaction is made of a file.
public enum IncompletePSBT: Error, Hashable, Sendable {
    /// The review stops it; the codes of the checks.
    case stopped([String])
    /// Somebody has made an input final, whose signature is not seen any more.
    case final(input: Int)
    /// Signatures are missing, or wrong.
    case signatures(FinalizationError)
    /// What comes out is no transaction.
    case extraction(ExtractionError)
}

extension IncompletePSBT: CustomStringConvertible {
    /// What is missing, without a full stop; of many inputs the first three.
    public var description: String {
        switch self {
        case .stopped(let codes): "the review stops it (\(codes.joined(separator: ", ")))"
        case .final(let input):
            "input \(input) was made final by another program, so that its signature cannot be "
                + "verified here; let that program make the transaction"
        case .signatures(.incomplete(let reports)):
            IncompletePSBT.list(reports.filter { !$0.state.isComplete })
        case .signatures(let error): "\(error)"
        case .extraction(let error): "\(error)"
        }
    }

    private static func list(_ open: [FinalizationError.InputReport]) -> String {
        let shown = open.prefix(3).map { "input \($0.input): \($0.state)" }
        let rest = open.count - shown.count
        return shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more inputs" : "")
    }
}
