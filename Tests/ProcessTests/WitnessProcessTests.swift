import Foundation
import LinuxIO
import Messages
import StateFiles
import Testing

/// The head of the ledger, kept by the real network process for the real signer.
@Suite("The witness of the ledger", .serialized)
struct WitnessProcessTests {
    private let files = FileManager.default

    private let signer = ChildFolder()
    private let network = ChildFolder()

    /// A wallet is made, its state copied, another one made; then the older state is put back.
    private func rollBack() throws -> (old: UInt64, new: UInt64) {
        let copy = signer.path + "-copy"
        defer { try? files.removeItem(atPath: copy) }
        let first = try BothProcesses(signerFolder: signer, networkFolder: network)
        _ = try first.signer.console().createWallet("one", kdf: .pbkdf2)
        let old = try first.entries(beyond: 0)
        try first.stop()
        try files.copyItem(atPath: signer.path + "/state", toPath: copy)
        let second = try BothProcesses(signerFolder: signer, networkFolder: network)
        _ = try second.signerStatus { $0.witness == .agrees }
        _ = try second.signer.console().createWallet("two", kdf: .pbkdf2)
        _ = try second.signer.console().createWallet("three", kdf: .pbkdf2)
        let new = try second.entries(beyond: old + 2)
        _ = try second.networkStatus { $0.witnessedEntries == new }
        try second.stop()
        try files.removeItem(atPath: signer.path + "/state")
        try files.moveItem(atPath: copy, toPath: signer.path + "/state")
        return (old, new)
    }

    @Test("Each new head is kept, and a ledger that goes on from it is as it should be")
    func goesOn() throws {
        let first = try BothProcesses(signerFolder: signer, networkFolder: network)
        let console = try first.signer.console()
        _ = try first.signerStatus { $0.witness == .none }
        let made = try console.createWallet("one", kdf: .pbkdf2)
        _ = try console.operate(
            .rename(made.id, name: "uno"),
            secrets: Person.fields([(.password, Person.password)]))
        let entries = try first.entries(beyond: 1)
        _ = try first.networkStatus { $0.witnessedEntries == entries }
        try first.stop()
        let kept = try Data(contentsOf: URL(fileURLWithPath: network.path + "/state/ledger-head"))
        #expect(kept.count == LedgerWitness.length)

        let second = try BothProcesses(signerFolder: signer, networkFolder: network)
        let status = try second.signerStatus { $0.witness != .unheard }
        #expect(status.witness == .agrees)
        #expect(status.problems == [])
        let answer = try second.signer.console().operate(.ledgerVerify)
        guard case .success(.ledgerHolds(_, _, let remarks)) = answer else {
            throw Missing(what: "a ledger that holds: \(answer)")
        }
        #expect(remarks.count == 1)
        let sentence = "goes on from entry \(entries)"
        #expect(remarks[0].contains(sentence))
    }

    @Test("Ledger, head and wallets put back together are noticed, told, entered, and stop nobody")
    func rolledBack() throws {
        let (_, new) = try rollBack()
        let both = try BothProcesses(signerFolder: signer, networkFolder: network)
        let status = try both.signerStatus { $0.witness != .unheard }
        #expect(status.witness == .differs)
        let told = status.problems.filter { $0.contains("set back") && $0.contains("\(new)") }
        #expect(told.count == 1)
        let console = try both.signer.console()
        guard case .failure(.ledgerBroken) = try console.operate(.ledgerVerify) else {
            throw Missing(what: "a ledger that does not hold")
        }
        // The person goes on.
        guard case .success(.vaults(let rows)) = try console.operate(.list) else {
            throw Missing(what: "a list")
        }
        let renamed = try console.operate(
            .rename(try #require(rows.first).id, name: "uno"),
            secrets: Person.fields([(.password, Person.password)]))
        guard case .success = renamed else { throw Missing(what: "a rename: \(renamed)") }
        // It was entered, once.
        guard
            case .success(.ledger(let entries, _)) = try console.operate(
                .ledgerList(from: 1, count: 100))
        else { throw Missing(what: "the ledger") }
        #expect(entries.count { $0.text.contains("network process kept") } == 1)
        // The witness did not go back with it.
        #expect(try both.networkStatus { $0.linkIsUp }.witnessedEntries == new)
        try both.stop()
    }

    @Test("With the network process's state gone as well, nothing is noticed, and that is said")
    func witnessLost() throws {
        _ = try rollBack()
        try files.removeItem(atPath: network.path + "/state/ledger-head")
        let both = try BothProcesses(signerFolder: signer, networkFolder: network)
        let status = try both.signerStatus { $0.witness != .unheard }
        #expect(status.witness == .none)
        #expect(status.problems == [])
        let answer = try both.signer.console().operate(.ledgerVerify)
        guard case .success(.ledgerHolds(_, _, let remarks)) = answer else {
            throw Missing(what: "a ledger that holds: \(answer)")
        }
        #expect(remarks[0].contains("No head of it was kept elsewhere"))
    }

    @Test(
        "A head that the ledger's key never signed costs a sentence and nothing else",
        arguments: ["noise", "huge counter", "another ledger"])
    func lie(_ kind: String) throws {
        let first = try BothProcesses(signerFolder: signer, networkFolder: network)
        _ = try first.signer.console().createWallet("one", kdf: .pbkdf2)
        let entries = try first.entries(beyond: 0)
        _ = try first.networkStatus { $0.witnessedEntries == entries }
        try first.stop()
        let file = URL(fileURLWithPath: network.path + "/state/ledger-head")
        var head = try Data(contentsOf: file)
        switch kind {
        case "noise": head = Data((0..<176).map { _ in UInt8.random(in: 0...255) })
        case "huge counter": for place in 32..<40 { head[place] = 255 }
        default: head[11] ^= 1
        }
        try head.write(to: file)

        let both = try BothProcesses(signerFolder: signer, networkFolder: network)
        let status = try both.signerStatus { $0.witness != .unheard }
        #expect(status.witness == .differs)
        #expect(status.problems.count == 1)
        #expect(status.problems[0].contains("no head of this ledger"))
        // The start is the only entry.
        #expect(status.ledgerEntries == entries + 1)
        let console = try both.signer.console()
        let answer = try console.operate(.ledgerVerify)
        guard case .success(.ledgerHolds(_, _, let remarks)) = answer else {
            throw Missing(what: "a ledger that holds: \(answer)")
        }
        #expect(remarks[0].contains("no head of this ledger"))
        _ = try console.createWallet("two", kdf: .pbkdf2)
    }

    @Test("A state that is empty where there was a ledger is noticed")
    func emptied() throws {
        let first = try BothProcesses(signerFolder: signer, networkFolder: network)
        _ = try first.signer.console().createWallet("one", kdf: .pbkdf2)
        _ = try first.networkStatus { $0.witnessedEntries > 0 }
        try first.stop()
        try files.removeItem(atPath: signer.path + "/state")
        try files.createDirectory(atPath: signer.path + "/state", withIntermediateDirectories: true)
        let both = try BothProcesses(signerFolder: signer, networkFolder: network)
        let status = try both.signerStatus { $0.witness != .unheard }
        #expect(status.witness == .differs)
        #expect(status.problems.contains { $0.contains("there is none here") })
        // A new ledger has a witness again.
        _ = try both.signer.console().createWallet("new", kdf: .pbkdf2)
        let entries = try both.entries(beyond: 0)
        _ = try both.networkStatus { $0.witnessedEntries == entries }
    }
}
