import Messages
import StateFiles
import TestSupport
import Testing
import Vault

@Suite("The ledger of operations")
struct LedgerTests {
    @Test("a reader who goes away before the end leaves an entry that says what was asked for")
    func earlyEnd() throws {
        var made = try MadeWallet.copy()
        let id = made.id
        made.machine.outputLimit = 40
        #expect(throws: VaultRefusal.outputFailed) { try made.machine.words(id) }
        made.machine.outputLimit = .max
        let text = try #require(try made.machine.ledger().last)
        #expect(text.contains("An attempt to show a recovery phrase ended early"))
        #expect(text.contains("something may have been shown"))
        #expect(throws: VaultRefusal.wrongPassword(failures: 1, wait: 0)) {
            try made.machine.words(id, password: "Another horse 2")
        }
    }

    @Test("every operation on a wallet has one entry that says what was done and by whom")
    func entries() throws {
        var made = try MadeWallet.copy()
        let password: TestMachine.Fields = [.password: TestMachine.password]
        let id = made.id
        let steps: [(VaultRequest, TestMachine.Fields, String)] = [
            (.showPhrase(id), password, "show a recovery phrase, \"Savings\""),
            (.rename(id, name: "Cold"), password, "rename a vault, \"Cold\""),
            (
                .changePassword(id, .argon2id),
                password.merging([.newPassword: "Next horse 3"]) { $1 },
                "change a password, \"Cold\""
            ),
            (
                .openWithCode(id, .argon2id),
                [.recoveryCode: made.code, .newPassword: TestMachine.password],
                "open a vault with the recovery code"
            ),
            (.rebuildIndex(id), password, "rebuild a public index"),
            (.newKit(id), password, "make a new recovery kit"),
            (.backup(id), password, "a backup of"),
        ]
        for (number, step) in steps.enumerated() {
            made.machine.time += 60
            try made.machine.ask(step.0, step.1)
            let texts = try made.machine.ledger()
            #expect(texts.count == number + 2)
            #expect(texts.last?.contains(step.2) == true, "\(texts.last ?? "")")
            #expect(texts.last?.hasSuffix("(user 1000)") == true)
        }
        guard case .ledgerHolds(let count, _, _) = try made.machine.ask(.ledgerVerify) else {
            return
        }
        #expect(count == UInt64(steps.count) + 1)
    }

    @Test("where nothing was kept yet the ledger is empty, and where a vault is it is missed")
    func empty() throws {
        var machine = TestMachine()
        #expect(try machine.ask(.ledgerList(from: 1, count: 9)) == .ledger([], last: 0))
        #expect(
            try machine.ask(.ledgerVerify) == .ledgerHolds(entries: 0, head: .zero, remarks: []))
        #expect(try machine.ask(.ledgerExport) == .written(0))
        var made = try MadeWallet.copy()
        made.machine.state[.ledgerKey] = nil
        #expect(throws: VaultRefusal.missing(.ledgerKey)) { try made.machine.ask(.ledgerVerify) }
    }

    @Test("what only looks at public data is not recorded")
    func looks() throws {
        var made = try MadeWallet.copy()
        let before = made.machine.state
        try made.machine.ask(.list)
        try made.machine.ask(.index(made.id))
        try made.machine.ask(.ledgerVerify)
        #expect(made.machine.state == before)
    }

    @Test("a list gives the entries from a number on, as many as were asked for")
    func list() throws {
        var made = try MadeWallet.copy()
        for _ in 1...4 { _ = try made.machine.words(made.id) }
        guard case .ledger(let rows, 5) = try made.machine.ask(.ledgerList(from: 2, count: 3))
        else {
            Issue.record("no rows")
            return
        }
        #expect(rows.map(\.counter) == [2, 3, 4])
        #expect(rows.allSatisfy { $0.vault == made.id && $0.time == made.machine.time })
    }

    @Test("an entry that was changed, cut off or put back is found and named")
    func broken() throws {
        var made = try MadeWallet.copy()
        let one = made.machine.state
        for _ in 1...2 { _ = try made.machine.words(made.id) }
        let whole = try #require(made.machine.state[.ledgerEntries])
        let first = one[.ledgerEntries]?.count ?? 0
        var machine = made.machine
        machine.state[.ledgerEntries]?[first + 100] ^= 1
        #expect(throws: VaultRefusal.ledgerBroken(2, "entry 2 was changed, and 1 more")) {
            try machine.ask(.ledgerVerify)
        }
        machine.state[.ledgerEntries] = Array(whole[..<first])
        #expect(
            throws: VaultRefusal.ledgerBroken(
                1, "the newest entries were cut off: the last is 1, the head counts 3")
        ) {
            try machine.ask(.ledgerVerify)
        }
        machine.state[.ledgerEntries] = whole
        machine.state[.ledgerHead] = one[.ledgerHead]
        #expect(
            throws: VaultRefusal.ledgerBroken(
                3, "there are entries up to 3, but the head counts 1")
        ) {
            try machine.ask(.ledgerVerify)
        }
    }

    @Test("a ledger that was cut is set aside by the kit's secret key, and one that holds is not")
    func renewed() throws {
        var made = try MadeWallet.copy()
        for _ in 1...2 { _ = try made.machine.words(made.id) }
        var machine = made.machine
        let whole = try #require(machine.state[.ledgerEntries])
        #expect(throws: VaultRefusal.alreadyThere(made.id)) {
            try machine.ask(.adopt(made.id), [.secretKey: made.secretKey])
        }
        #expect(machine.state[.ledgerEntries] == whole)
        #expect(machine.state.keys.filter { $0.isImportedLedger }.isEmpty)
        made.machine.state[.ledgerEntries] = Array(whole.dropLast(10))
        try made.machine.ask(.adopt(made.id), [.secretKey: made.secretKey])
        guard case .ledgerHolds(entries: 1, _, _) = try made.machine.ask(.ledgerVerify) else {
            Issue.record("the new ledger has another number of entries")
            return
        }
        let aside = made.machine.state.filter { $0.key.isImportedLedger }
        #expect(aside.count == 3)
        #expect(aside.values.contains(Array(whole.dropLast(10))))
        _ = try made.machine.words(made.id)
    }

    @Test("an export has a line for the ledger, one for each entry and one for the head")
    func export() throws {
        var made = try MadeWallet.copy()
        _ = try made.machine.words(made.id)
        guard case .written(let count) = try made.machine.ask(.ledgerExport) else { return }
        #expect(count == UInt64(made.machine.written.count))
        let lines = made.machine.text.split(separator: "\n")
        #expect(lines.count == 4)
        let rows = try lines.map { try JSON(parsing: Array($0.utf8), name: "export") }
        #expect(try rows[0]["bulkheadLedger"].int == 1)
        #expect(try rows[2]["text"].string.contains("show a recovery phrase") == true)
        #expect(try rows[3]["head"].hex == made.machine.state[.ledgerHead])
    }

    @Test("a start checks the whole ledger, enters what it found and tells it")
    func start() throws {
        var made = try MadeWallet.copy()
        #expect(try made.machine.start().isEmpty)
        #expect(try made.machine.ledger().last?.contains("the signer started") == true)
        made.machine.state[.ledgerEntries]?[100] ^= 1
        let found = try made.machine.start()
        #expect(found.first == "The ledger does not hold at entry 1: entry 1 was changed.")
        #expect(try made.machine.ledger().last?.contains("damage was found") == true)
        made.machine.state[.ledgerKey]?[100] ^= 1
        #expect(throws: VaultRefusal.self) { try made.machine.start() }
    }
}
