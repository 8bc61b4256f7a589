public import Bitcoin
import Hashing
public import PSBT
import Wire

/// Judges a PSBT by public data alone: own wallets, the network and limits in; facts, findings and
/// the outcome of every check out.
///
/// A pure function: the same input gives the same report, so that whoever signs can run it again and
/// compare digests. Takes time linear in the inputs, outputs and records of the PSBT, and traps on
/// none.
public struct Reviewer: Sendable {
    /// The own wallets.
    public let wallets: [KnownWallet]
    /// The network of this signer.
    public let network: Network
    /// Where harmless ends.
    public let limits: ReviewLimits
    let index: WalletIndex

    /// A reviewer for wallets of one network.
    public init(wallets: [KnownWallet], network: Network, limits: ReviewLimits = .standard) {
        self.wallets = wallets
        self.network = network
        self.limits = limits
        index = WalletIndex(wallets)
    }

    /// Reviews a PSBT in binary.
    public func review(_ bytes: [UInt8]) -> ReviewReport {
        do throws(PSBTError) {
            return review(try PSBT(bytes), hash: SHA256.hash(bytes))
        } catch {
            var log = FindingLog()
            log.record(error.check, error.place, "\(error)")
            return refusal(hash: SHA256.hash(bytes), log, "the file cannot be read")
        }
    }

    /// Reviews a PSBT that was read.
    public func review(_ psbt: PSBT) -> ReviewReport {
        review(psbt, hash: psbt.serializedHash)
    }

    private func review(_ psbt: PSBT, hash: Bytes32) -> ReviewReport {
        var review = Review(psbt, by: self)
        guard let transaction = review.readTransaction() else {
            return refusal(hash: hash, review.log, "the file describes no transaction")
        }
        review.examineInputs(transaction)
        review.examineSignatures()
        review.proveAmounts()
        review.judgeInputs()
        review.examineOutputs()
        let fact = review.conclude(transaction)
        return report(hash: hash, review, fact)
    }

    /// The report on a file without a transaction that could be judged.
    private func refusal(hash: Bytes32, _ log: FindingLog, _ reason: String) -> ReviewReport {
        let outcomes = ReviewCheck.allCases.map { check -> CheckOutcome in
            let count = log.count(check)
            return count > 0 ? .failed(count) : .notApplicable(reason)
        }
        return ReviewReport(
            psbtHash: hash, network: network, wallets: wallets.map(ReportedWallet.init),
            limits: limits, transaction: nil, inputs: [], outputs: [],
            findings: log.findings, outcomes: outcomes)
    }

    private func report(hash: Bytes32, _ review: Review, _ fact: TransactionFact) -> ReviewReport {
        var reasons: [ReviewCheck.Scope: String] = [:]
        for scope in ReviewCheck.Scope.all { reasons[scope] = review.absence(of: scope, fact) }
        let outcomes = ReviewCheck.allCases.map { check -> CheckOutcome in
            let count = review.log.count(check)
            if count > 0 { return .failed(count) }
            return reasons[check.row.scope].map(CheckOutcome.notApplicable) ?? .passed
        }
        let graded = ReviewCheck.Severity.allCases.reversed().flatMap { severity in
            review.log.findings.filter { $0.check.severity == severity }
        }
        return ReviewReport(
            psbtHash: hash, network: network, wallets: wallets.map(ReportedWallet.init),
            limits: limits, transaction: fact, inputs: review.inputs, outputs: review.outputs,
            findings: graded, outcomes: outcomes)
    }
}

extension ReviewCheck.Scope {
    static let all: [ReviewCheck.Scope] = [
        .file, .transaction, .claims, .ownInputs, .foreignInputs, .signatures, .ownOutputs, .data,
        .fee, .feerate,
    ]
}

extension PSBTError {
    /// The check that the problem belongs to.
    fileprivate var check: ReviewCheck {
        switch problem {
        case .tooLarge, .tooManyRecords: .fileTooLarge
        case .duplicateKey: .keyDuplicated
        case .keyDataLength: .keyData
        case .missing, .forbidden, .unsupportedVersion: .fieldVersion
        case .valueLength: .fieldLength
        case .defaultSighashByte: .signatureDefaultByte
        case .amountOutOfRange, .transaction(.amountOutOfRange): .amountRange
        case .otherPreviousTransaction, .noSuchOutput: .previousTransactionOther
        case .utxosDisagree: .utxoFieldsDisagree
        case .magic, .wire, .transaction, .conflict: .fileDamaged
        default: .fieldValue
        }
    }
}
