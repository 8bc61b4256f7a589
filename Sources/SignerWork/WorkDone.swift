import Messages
import SecretMemory
import StateFiles
import Vault

/// What an operation came to, before its ledger entries are made.
struct WorkDone: ~Copyable {
    let answer: VaultAnswer
    var changes: [StateChange] = []
    var output: SecretBytes?
    /// What the ledger is told; empty for what only looks.
    var records: [LedgerRecord] = []

    init(
        _ answer: VaultAnswer, _ changes: [StateChange] = [], output: consuming SecretBytes? = nil,
        records: [LedgerRecord] = []
    ) {
        self.answer = answer
        self.changes = changes
        self.output = output
        self.records = records
    }
}
