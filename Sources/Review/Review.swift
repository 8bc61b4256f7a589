import Bitcoin
import PSBT
import Wire

/// One review under way: what is known so far.
struct Review {
    let psbt: PSBT
    let reviewer: Reviewer
    var log = FindingLog()
    var inputs: [InputFact] = []
    var outputs: [OutputFact] = []
    /// How each input is spent, as far as its scripts say.
    var spends: [Spend?] = []
    /// The keys that own inputs need a signature of.
    var ownKeys: [Claims.Key?] = []
    /// The size of the transaction without scriptSigs and witnesses.
    var transactionBytes = 0
    /// Whether any record names a key with a fingerprint of ours.
    var hasClaims = false
    /// Whether any input carries a signature or is final.
    var hasSignatures = false
    /// Whether any output carries data.
    var hasData = false

    var limits: ReviewLimits { reviewer.limits }
    var examiner: ClaimExaminer {
        ClaimExaminer(index: reviewer.index, network: reviewer.network, limits: limits)
    }

    init(_ psbt: PSBT, by reviewer: Reviewer) {
        self.psbt = psbt
        self.reviewer = reviewer
        inputs.reserveCapacity(psbt.inputs.count)
        outputs.reserveCapacity(psbt.outputs.count)
    }

    /// The transaction that the file describes; nil where it describes none.
    mutating func readTransaction() -> Transaction? {
        do throws(UnsignedTransactionError) {
            let transaction = try psbt.unsignedTransaction()
            transactionBytes = transaction.baseSize
            judge(transaction)
            return transaction
        } catch {
            switch error {
            case .lockTimesConflict: log.record(.lockTimeConflict, .global, "\(error)")
            case .scriptNotComputed(let output):
                log.record(.silentPayment, .output(output), "its script is not computed yet")
            }
            return nil
        }
    }

    private mutating func judge(_ transaction: Transaction) {
        do throws(Transaction.Defect) { try transaction.check() } catch {
            switch error {
            case .duplicateInput(let outpoint):
                let spenders = transaction.inputs.indices.filter {
                    transaction.inputs[$0].outpoint == outpoint
                }
                let other = spenders.count > 1 ? spenders[1] : 0
                log.record(.inputDuplicated, .input(other), "\(outpoint) is spent before already")
            case .totalAboveMaximum: log.record(.amountSum, .global, "\(error)")
            default: log.record(.transactionInvalid, .global, "\(error)")
            }
        }
        judgeVersion(transaction)
        judgeLockTimes(transaction)
        judgeFile()
        if transaction.isProofOfOwnership || psbt.global.signedMessage != nil {
            log.record(.proofOfOwnership, .global, "the file is for signing a message (BIP322)")
        }
    }

    private mutating func judgeVersion(_ transaction: Transaction) {
        switch transaction.version {
        case 1, 2: break
        case 3: log.record(.versionThree, .global, "the transaction has version 3")
        default:
            log.record(
                .versionUnknown, .global, "the transaction has version \(transaction.version)")
        }
    }

    private mutating func judgeLockTimes(_ transaction: Transaction) {
        let lockTime = transaction.lockTime
        if lockTime != .none {
            let what =
                lockTime.isTime
                ? "the lock time \(lockTime.rawValue), in seconds since 1970,"
                : "block \(lockTime.rawValue)"
            if transaction.lockTimeIsEnforced {
                log.record(.lockTime, .global, "it can be mined only after \(what)")
            } else {
                log.record(
                    .lockTimeWithoutEffect, .global,
                    "\(what) is set as lock time, but all sequence numbers switch it off")
            }
        }
        if transaction.inputs.contains(where: \.sequence.signalsReplacement) {
            log.record(.replaceable, .global, "it announces that it may be replaced (BIP125)")
        }
        guard transaction.version >= 2 else { return }
        for (index, input) in transaction.inputs.enumerated() {
            switch input.sequence.relativeLock {
            case .blocks(let count) where count > 0:
                log.record(
                    .relativeLock, .input(index), "its coin must be \(counted(count, "block")) old")
            case .time(let units) where units > 0:
                log.record(
                    .relativeLock, .input(index), "its coin must be \(UInt32(units) * 512) s old")
            default: break
            }
        }
    }

    private mutating func judgeFile() {
        if let flags = psbt.global.modifiable, !flags.isDisjoint(with: [.inputs, .outputs]) {
            log.record(.stillModifiable, .global, "the file lets others add inputs or outputs")
        }
        for own in reviewer.wallets.flatMap(\.policies)
        where own.coinType != reviewer.network.coinType {
            log.record(
                .otherNetwork, .global,
                "the account \(own.origin) is not one of \(reviewer.network)")
        }
        judgeExtendedKeys()
        let unknown = psbt.unknownRecordCount
        if unknown > 0 {
            log.record(
                .fieldsUnknown, .global,
                counted(unknown, "field is", "fields are") + " not known here")
        }
    }

    /// Extended keys of the file are not believed; but a lie in them is one.
    private mutating func judgeExtendedKeys() {
        let network: KeyNetwork = reviewer.network == .mainnet ? .main : .test
        for (key, origin) in psbt.global.extendedPublicKeys {
            if key.network != network {
                log.record(
                    .otherNetwork, .global,
                    "the extended key of \(origin) is not one of \(reviewer.network)")
            }
            guard let (account, steps) = reviewer.index.account(of: origin) else { continue }
            hasClaims = true
            guard steps.isEmpty, !reviewer.index.policy(account).has(key) else { continue }
            log.record(
                .claimFalse, .global,
                "an extended key is said to be this wallet's at \(origin.path) and it is not")
        }
    }
}

extension Transaction {
    /// The shape of a signed message of BIP322: nothing is paid but to a bare OP_RETURN.
    fileprivate var isProofOfOwnership: Bool {
        outputs.count == 1 && outputs[0].value == .zero
            && outputs[0].scriptPubKey == Script.opReturn()
    }
}
