import Messages
import StateFiles
import Vault

extension VaultWork {
    /// Compares the ledger with the head that the network process kept. What contradicts it is entered:
    /// only a head that this ledger's key signed can do that.
    ///
    /// - Throws: `missing`, `damaged`, `newerVersion`.
    func compare(
        _ witness: LedgerWitness, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultResult {
        try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            guard let head = LogHead(witness, of: ledger) else {
                return .done(.done(remarks: [Self.worthlessWitness]), [])
            }
            let problems = try read(ledger, witness: head) { _, _ in }
            guard let why = problems.first(where: \.isOfWitness)?.description else {
                return .done(.done(remarks: []), [])
            }
            let record = LedgerRecord(
                .damageFound("by the head that the network process kept: \(why)"), scope: .machine)
            return .done(
                .done(remarks: ["The ledger was set back or replaced: \(why)."]),
                try ledger.changes([record], at: order.time))
        }
    }

    /// What is said of the witness where the ledger holds.
    func remark(on ledger: borrowing WorkLedger) -> String {
        guard let witness = order.witness else {
            return
                "No head of it was kept elsewhere before this start, so compare the number of entries "
                + "with one that you remember."
        }
        guard let head = LogHead(witness, of: ledger) else { return Self.worthlessWitness }
        return "It goes on from entry \(head.counter), whose head the network process kept."
    }

    private static let worthlessWitness =
        "What the network process kept is no head of this ledger, so it cannot tell whether an older "
        + "state was put back."
}

extension LogHead {
    /// What comes from the network process may be anything; nil unless this ledger's key signed it.
    init?(_ witness: LedgerWitness, of ledger: borrowing WorkLedger) {
        guard let head = try? LogHead(witness.bytes), head.name == ledger.keys.name,
            head.publicKey == ledger.keys.publicKey
        else { return nil }
        self = head
    }
}

extension LogProblem {
    /// Whether it is between the log and a head that was kept elsewhere.
    fileprivate var isOfWitness: Bool {
        switch self {
        case .rolledBack, .rewritten: true
        default: false
        }
    }
}
