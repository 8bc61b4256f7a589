import Messages
import StateFiles

/// The head of the ledger, kept by the network process as a witness.
///
/// The network process is not trusted with it. The signer compares once in its life, with the first
/// head that it is told; only a worker looks at it, which checks the signature, and all that can come
/// of it is a sentence, and an entry where the ledger's own key signed what contradicts the ledger. A new
/// head is told only when that is done, so that no start replaces a witness that it has not heard.
struct Witness: Sendable {
    /// The newest head that the disk holds; nil before the first entry of this run.
    var head: LedgerWitness?
    /// What the network process kept when it first spoke to this signer.
    var kept: LedgerWitness?
    var finding = WitnessFinding.unheard
    /// Whether the comparison is still to be made.
    var isDue = false
    /// Whether new heads are told.
    var isSettled = false
}

extension OperationQueue.Running {
    /// Whether it is an entry of the signer's own.
    var isRecord: Bool { if case .record = operation.work { true } else { false } }

    /// Whether it compares the ledger with the witness.
    var isComparison: Bool {
        guard case .record(let events) = operation.work else { return false }
        return events.contains { $0.witness != nil }
    }
}

extension Signer {
    mutating func witnessed(_ kept: LedgerWitness?) {
        guard witness.finding == .unheard, witness.kept == nil else { return }
        guard let kept else {
            witness.finding = .none
            witness.isSettled = true
            return tellWitness()
        }
        witness.kept = kept
        witness.isDue = true
    }

    /// What the signer does of its own accord, which waits until nobody else's operation does.
    mutating func startOwnWork(_ now: Duration) {
        guard hasSeenState, operations.count == 0, ownWork.mayStart(at: now) else { return }
        if witness.isDue, let kept = witness.kept {
            witness.isDue = false
            guard hasLedger else { return missLedger(kept, now) }
            _ = operations.take(.init(console: nil, uid: 0, work: .record([.witnessed(kept)])))
        } else if pairing.isDue, sharesAccounts, link.isUp {
            pairing.isDue = false
            _ = operations.take(.init(console: nil, uid: 0, work: .pair))
        }
    }

    /// Takes how work of the signer's own ended. What a failed worker did not come to is due again.
    mutating func ownWorkEnded(
        _ running: OperationQueue.Running, _ answer: Result<VaultAnswer, VaultRefusal>,
        _ now: Duration
    ) {
        let isPairing = running.operation.work == .pair
        guard isPairing || running.isComparison else { return }
        if case .failure(.workerFailed) = answer {
            ownWork.failed(at: now)
            if isPairing { pairing.isDue = true } else { witness.isDue = true }
        } else {
            ownWork.succeeded()
            if running.isComparison { settleWitness(answer) }
        }
    }

    private mutating func missLedger(_ kept: LedgerWitness, _ now: Duration) {
        noteLedger(
            [
                "The network process kept the head of a ledger with \(kept.counter) entries, and there "
                    + "is none here that can be read: this state is new, or an older one."
            ], now)
        settleWitness(.failure(.missing(.ledgerHead)))
    }

    mutating func settleWitness(_ answer: Result<VaultAnswer, VaultRefusal>) {
        witness.finding = answer == .success(.done(remarks: [])) ? .agrees : .differs
        witness.isSettled = true
        tellWitness()
    }

    mutating func tellWitness() {
        guard link.isUp, witness.isSettled, let head = witness.head else { return }
        actions.append(.tell(.witness(head)))
    }

    /// The head moves with every entry, in the same step.
    mutating func noteWitness(in changes: [StateChange]) {
        for case .put(.ledgerHead, let bytes) in changes {
            witness.head = LedgerWitness(bytes)
            tellWitness()
        }
    }
}
