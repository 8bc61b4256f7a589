import Messages
import StateFiles
import Testing

@testable import SignerCore

@Suite("Plans of operations")
struct OperationPlanTests {
    private static let vault = VaultID([UInt8](repeating: 1, count: 16))
    private static let ledger = LedgerID([UInt8](repeating: 2, count: 16))

    private func state() throws -> StateListing {
        let (vault, ledger) = (try #require(Self.vault), try #require(Self.ledger))
        return StateListing(
            files: [
                .ledgerKey, .ledgerHead, .ledgerEntries, .vault(vault), .itemsHead(vault),
                .itemsLog(vault), .importedLedgerHead(ledger),
            ], deviceKey: .safe, indexKey: .safe)
    }

    @Test("a start has the whole ledger checked, other entries do not wait for that")
    func start() throws {
        let vault = try #require(Self.vault)
        let start = OperationPlan(recording: [.started(version: "1")], in: try state())
        #expect(start.fed == [.ledgerEntries])
        #expect(start.loaded == [.ledgerKey, .ledgerHead, .itemsHead(vault)])
        let other = OperationPlan(
            recording: [.attemptEnded(.showPhrase(vault), reason: "x")], in: try state())
        #expect(other.fed.isEmpty && other.loaded == [.ledgerKey, .ledgerHead])
    }

    @Test("a check of the ledger is given the heads of the items' logs, which the ledger tells of")
    func verify() throws {
        let vault = try #require(Self.vault)
        let plan = OperationPlan(.ledgerVerify, in: try state())
        #expect(plan.loaded == [.ledgerKey, .ledgerHead, .itemsHead(vault)])
    }

    @Test("a restore is given the heads of the ledgers that came before")
    func restore() throws {
        let (vault, ledger) = (try #require(Self.vault), try #require(Self.ledger))
        for request in [VaultRequest.restore(vault), .restoreCheck(vault)] {
            let plan = OperationPlan(request, in: try state())
            #expect(plan.loaded.contains(.importedLedgerHead(ledger)))
        }
    }
}
