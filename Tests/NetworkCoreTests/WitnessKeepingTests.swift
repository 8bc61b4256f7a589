import Messages
import NetworkCore
import StateFiles
import TestSupport
import Testing

/// What the network process keeps and passes on of what the signer tells it.
@Suite("What the signer tells the network process")
struct WitnessKeepingTests {
    private func head(_ counter: UInt8, ledger: UInt8 = 1) throws -> LedgerWitness {
        var bytes = [UInt8](repeating: 0, count: LedgerWitness.length)
        bytes[11] = ledger
        bytes[32] = counter
        return try #require(LedgerWitness(bytes))
    }

    private func process(_ witness: LedgerWitness? = nil) -> NetworkProcess {
        var process = NetworkProcess(
            chain: .regtest, witness: witness, random: SeededGenerator(seed: 1), at: .zero)
        #expect(process.handle(.started, at: .zero) == [.tell(.hello)])
        return process
    }

    private func kept(_ actions: [NetworkAction]) -> [LedgerWitness] {
        actions.compactMap { if case .keep(let head) = $0 { head } else { nil } }
    }

    @Test("What was kept is told after the welcome, also that nothing was, and at every new link")
    func told() throws {
        var empty = process()
        #expect(empty.handle(.link(.welcome), at: .zero).contains(.tell(.witnessed(nil))))
        let head = try head(3)
        var process = process(head)
        #expect(process.handle(.link(.welcome), at: .zero).contains(.tell(.witnessed(head))))
        _ = process.handle(.linkEnded(.closed, ""), at: .zero)
        _ = process.handle(.control(.newLink(generation: 1)), at: .zero)
        #expect(process.handle(.link(.welcome), at: .zero).contains(.tell(.witnessed(head))))
    }

    @Test("A newer head is kept, an older one or another of the same length is not")
    func goesOn() throws {
        var process = process(try head(3))
        _ = process.handle(.link(.welcome), at: .zero)
        let newer = try head(4)
        #expect(kept(process.handle(.link(.witness(newer)), at: .zero)) == [newer])
        #expect(process.handle(.link(.witness(newer)), at: .zero) == [])
        let older = process.handle(.link(.witness(try head(2))), at: .zero)
        #expect(kept(older) == [])
        #expect(older.count == 1)
        #expect(process.status(at: .zero).witnessedEntries == 4)
        let other = try head(1, ledger: 2)
        #expect(kept(process.handle(.link(.witness(other)), at: .zero)) == [other])
    }

    @Test("The accounts to watch replace those that were told before")
    func accounts() throws {
        var process = process()
        _ = process.handle(.link(.welcome), at: .zero)
        #expect(process.accounts == nil)
        let rows = [PairedAccounts(vault: try #require(VaultID(1...16)), file: "wpkh(…)")]
        let actions = process.handle(.link(.accounts(rows)), at: .zero)
        #expect(actions.contains(.watch(rows)))
        #expect(process.accounts == rows)
        #expect(process.status(at: .zero).handedWallets == 1)
        _ = process.handle(.link(.accounts([])), at: .zero)
        #expect(process.accounts == [])
    }
}
