import StateFiles
import Testing

@testable import Vault

@Suite("Plan of a restore")
struct RestorePlanTests {
    /// Five entries of the machine's ledger.
    private let ledger: LogSamples
    private let other: LogHead

    init() throws {
        ledger = try LogSamples(count: 5)
        let key = LogKey(.ledger(identifier(0x56)), root: secret([UInt8](repeating: 1, count: 32)))
        other = try key.append([LogRecord(.machine, [])], time: 0, after: nil).head
    }

    private func plan(
        own: LogHead? = nil, imported: LogHead? = nil, itemsHead: LogHead? = nil,
        isItemsLogWhole: Bool = true
    ) -> RestorePlan {
        let information = BackupInformation(
            vault: identifier(0x77), madeAt: 1, ledger: identifier(0x55), ledgerCounter: 3)
        return RestorePlan(
            information, ownLedger: own, importedLedger: imported, itemsHead: itemsHead,
            isItemsLogWhole: isItemsLogWhole)
    }

    @Test("on a new card everything comes")
    func newCard() {
        let plan = plan()
        #expect(plan.effect(ofVaultPart: .absent) == .added)
        #expect(plan.effect(ofItem: .absent) == .added)
        #expect(plan.effect(ofLedger: ledger.heads[2]) == .added)
        #expect(plan.effect(ofItemsLog: ledger.heads[2]) == .added)
        #expect(!plan.isOlderThanHere)
    }

    @Test("what is here and whole is never replaced by something older or unknown")
    func nothingOlder() {
        let plan = plan(own: ledger.heads[3], itemsHead: ledger.heads[3])
        #expect(plan.isOlderThanHere)
        #expect(plan.effect(ofVaultPart: .different) == .kept)
        #expect(plan.effect(ofVaultPart: .same) == .unchanged)
        #expect(plan.effect(ofVaultPart: .damaged) == .replaced)
        #expect(plan.effect(ofItem: .same) == .unchanged)
        #expect(plan.effect(ofItem: .different) == .replaced)
        #expect(plan.effect(ofItem: .damaged) == .replaced)
        #expect(plan.effect(ofLedger: ledger.heads[4]) == .kept)
        #expect(plan.effect(ofItemsLog: ledger.heads[2]) == .kept)
        #expect(plan.effect(ofItemsLog: ledger.heads[3]) == .unchanged)
        #expect(plan.effect(ofItemsLog: ledger.heads[4]) == .replaced)
        #expect(!plan.effect(ofItemsLog: ledger.heads[3]).isUsed)
    }

    @Test("an items' log that is damaged is replaced, and continued where the backup's is no older")
    func damagedLog() {
        let plan = plan(itemsHead: ledger.heads[3], isItemsLogWhole: false)
        for head in ledger.heads { #expect(plan.effect(ofItemsLog: head) == .replaced) }
        #expect(plan.witness(ofItemsLog: ledger.heads[2]) == nil)
        #expect(plan.witness(ofItemsLog: ledger.heads[3]) == ledger.heads[3])
        #expect(plan.witness(ofItemsLog: ledger.heads[4]) == ledger.heads[3])
        #expect(plan.witness(ofItemsLog: other) == nil)
    }

    @Test("ledgers of two machines come side by side, and a longer copy replaces a shorter one")
    func twoMachines() {
        let plan = plan(own: other, imported: ledger.heads[2])
        #expect(!plan.isOlderThanHere)
        #expect(plan.effect(ofVaultPart: .different) == .kept)
        #expect(plan.effect(ofLedger: ledger.heads[1]) == .kept)
        #expect(plan.effect(ofLedger: ledger.heads[2]) == .unchanged)
        #expect(plan.effect(ofLedger: ledger.heads[3]) == .replaced)
        #expect(plan.effect(ofLedger: other) == .kept)
    }

    @Test("a card that was set back is not taken for newer than the backup")
    func setBack() {
        #expect(!plan(own: ledger.heads[1]).isOlderThanHere)
        #expect(plan(own: ledger.heads[2]).isOlderThanHere)
    }
}
