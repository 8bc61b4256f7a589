import Messages
import StateFiles
import Testing
import Vault

@Suite("Operations that ask for the password")
struct PasswordTests {
    private let other = "Another horse 2"

    /// Where the slots of a vault file stand.
    private let passwordSlot = 64..<240
    private let recoverySlot = 240..<416

    private func vault(_ made: MadeWallet) throws -> [UInt8] {
        try #require(made.machine.state[.vault(made.id)])
    }

    /// The places where two files of one length differ.
    private func differences(_ left: [UInt8], _ right: [UInt8]) -> [Int] {
        #expect(left.count == right.count)
        return zip(left, right).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    }

    @Test("a wrong password shows nothing, counts once and is in the ledger")
    func wrongPassword() throws {
        var made = try MadeWallet.copy()
        let before = made.machine.state
        for failures: UInt32 in 1...5 {
            let wait: UInt32 = failures == 5 ? 2 : 0
            #expect(throws: VaultRefusal.wrongPassword(failures: failures, wait: wait)) {
                try made.machine.words(made.id, password: other)
            }
            #expect(made.machine.written.isEmpty)
        }
        let count = try made.machine.count(.showPhrase(made.id))
        #expect(count.failures == 5)
        #expect(count.wait == 2)
        #expect(
            Set(made.machine.state.filter { before[$0.key] != $0.value }.keys) == [
                .attempts(made.id), .ledgerHead, .ledgerEntries,
            ])
        #expect(try made.machine.ledger().last?.contains("a wrong password, 5 in a row") == true)
        #expect(try made.machine.words(made.id) == made.words)
        #expect(try made.machine.count(.showPhrase(made.id)).failures == 0)
    }

    @Test("the strict schedule waits longer, and no other schedule shortens a wait that was set")
    func schedules() throws {
        var made = try MadeWallet.copy()
        made.machine.schedule = .strict
        for _ in 1...6 { _ = try? made.machine.words(made.id, password: other) }
        #expect(try made.machine.count(.showPhrase(made.id)).wait == 30)
        made.machine.schedule = .standard
        #expect(throws: VaultRefusal.wrongPassword(failures: 7, wait: 30)) {
            try made.machine.words(made.id, password: other)
        }
    }

    @Test("counting reads no password and keeps nothing by itself")
    func counting() throws {
        let made = try MadeWallet.copy()
        let first = try made.machine.count(.showPhrase(made.id))
        let second = try made.machine.count(.showPhrase(made.id))
        #expect(first.failures == 0 && second.failures == 0)
        #expect(first.next.count == second.next.count)
    }

    @Test("a change of the password or of its derivation rewrites one slot; the kit still opens")
    func changePassword() throws {
        var made = try MadeWallet.copy()
        let start = try vault(made)
        try made.machine.ask(
            .changePassword(made.id, .pbkdf2),
            [.password: TestMachine.password, .newPassword: other])
        let changed = try vault(made)
        #expect(differences(start, changed).allSatisfy(passwordSlot.contains))
        #expect(differences(start, changed).count > 100)
        #expect(throws: VaultRefusal.wrongPassword(failures: 1, wait: 0)) {
            try made.machine.words(made.id)
        }
        try made.machine.ask(
            .changePassword(made.id, .argon2id),
            [.password: other, .newPassword: TestMachine.password])
        #expect(differences(start, try vault(made)).allSatisfy(passwordSlot.contains))
        #expect(try made.machine.words(made.id) == made.words)
        try made.machine.ask(
            .openWithCode(made.id, .argon2id), [.recoveryCode: made.code, .newPassword: other])
        #expect(try made.machine.words(made.id, password: other) == made.words)
    }

    @Test("a right password begins the count anew, also where the new one breaks a rule")
    func newPasswordRules() throws {
        var made = try MadeWallet.copy()
        let before = try vault(made)
        _ = try? made.machine.words(made.id, password: other)
        #expect(
            throws: VaultRefusal.passwordRule(
                "the password needs three of these: upper case, lower case, digits, symbols; it has "
                    + "no upper-case letter and no digit and no symbol")
        ) {
            try made.machine.ask(
                .changePassword(made.id, .argon2id),
                [.password: TestMachine.password, .newPassword: "onlysmallletters"])
        }
        #expect(try vault(made) == before)
        #expect(try made.machine.count(.showPhrase(made.id)).failures == 0)
    }

    @Test("the passphrase of a wallet cannot be changed, and the refusal says why")
    func passphrase() throws {
        var made = try MadeWallet.copy()
        let before = try vault(made)
        let refusal = refusalOf {
            try made.machine.ask(
                .changePassword(made.id, .argon2id),
                [.password: TestMachine.password, .newPassword: other, .passphrase: "new"])
        }
        #expect(refusal == .passphraseIsFixed)
        #expect(refusal?.sentence.contains("it is another wallet") == true)
        #expect(try vault(made) == before)
    }

    @Test("a new name changes no byte of the vault; the kit still opens")
    func rename() throws {
        var made = try MadeWallet.copy()
        let before = try vault(made)
        try made.machine.ask(
            .rename(made.id, name: "Savings & loans"), [.password: TestMachine.password])
        #expect(try vault(made) == before)
        guard case .vaults(let rows) = try made.machine.ask(.list) else { return }
        #expect(rows.map(\.name) == ["Savings & loans"])
        #expect(rows.map(\.problem) == [""])
        try made.machine.ask(
            .openWithCode(made.id, .argon2id), [.recoveryCode: made.code, .newPassword: other])
        #expect(throws: VaultRefusal.badName("the name starts or ends with a space")) {
            _ = try made.machine.count(.rename(made.id, name: " x"))
        }
    }

    @Test("a wallet is deleted with its password and its exact name, and with nothing less")
    func delete() throws {
        var made = try MadeWallet.copy()
        let before = try vault(made)
        #expect(throws: VaultRefusal.wrongName) {
            try made.machine.ask(
                .delete(made.id, name: "savings"), [.password: TestMachine.password])
        }
        #expect(throws: VaultRefusal.wrongPassword(failures: 1, wait: 0)) {
            try made.machine.ask(.delete(made.id, name: "Savings"), [.password: other])
        }
        #expect(try vault(made) == before)
        try made.machine.ask(
            .delete(made.id, name: "Savings"), [.password: TestMachine.password])
        #expect(
            Set(made.machine.state.keys) == [
                .deviceKey, .indexKey, .ledgerKey, .ledgerHead, .ledgerEntries,
            ])
        #expect(throws: VaultRefusal.noSuchVault(made.id)) { try made.machine.ask(.index(made.id)) }
        #expect(
            try made.machine.ledger().last?.hasPrefix("done: delete a vault, \"Savings\"") == true)
    }

    @Test("after a deletion it is said what still opens: backups that are known, and else none")
    func whatADeletedVaultLeaves() throws {
        let passwords: TestMachine.Fields = [.password: TestMachine.password]
        func left(by made: inout MadeWallet) throws -> [String] {
            try made.machine.ask(.delete(made.id, name: "Savings"), passwords).remarks
        }
        var alone = try MadeWallet.copy()
        let none = try left(by: &alone)
        #expect(none.count == 2)
        #expect(none[0].hasPrefix("The ledger knows of no backup of it. Its recovery words, if"))
        #expect(none[0].contains("the kit alone does not") && none[0].contains("may keep blocks"))
        // And that the network process watches its addresses still.
        #expect(none[1].contains("bulkhead watch remove"))

        var copied = try MadeWallet.copy()
        let backup = try copied.machine.ask(.backup(copied.id), passwords)
        guard case .backedUp(_, let digest, _, _) = backup else { return }
        let file = copied.machine.written
        // A backup of another vault opens nothing of this one.
        var other = copied.machine
        let papers = try other.createItems()
        try other.ask(.backup(papers), passwords)
        copied.machine = other
        let one = try left(by: &copied)
        #expect(one.count == 3 && one[0].contains("these backups with a kit's secret key"))
        #expect(one[1].contains(digest.description))

        // However often it was restored, it is one backup.
        for _ in 1...2 {
            try copied.machine.ask(
                .restore(copied.id), [.secretKey: copied.secretKey], input: file)
            let again = try left(by: &copied)
            #expect(again.count == 3 && again[1].contains("bytes, SHA-256 \(digest)"))
        }
        var fresh = TestMachine()
        try fresh.ask(.restore(copied.id), [.secretKey: copied.secretKey], input: file)
        let there = try fresh.ask(.delete(copied.id, name: "Savings"), passwords).remarks
        #expect(there.contains { $0.contains("restored here, SHA-256 \(digest)") }, "\(there)")
        let items = try copied.machine.ask(.delete(papers, name: "Papers"), passwords).remarks
        #expect(items.count == 2 && items[0].hasPrefix("These backups open"), "\(items)")
    }

    @Test("a new kit rewrites one slot, kills the code before and leaves password and secret key")
    func newKit() throws {
        var made = try MadeWallet.copy()
        let before = try vault(made)
        let answer = try made.machine.ask(.newKit(made.id), [.password: TestMachine.password])
        let kit = try made.machine.output
        #expect(answer.remarks.count == 1)
        #expect(answer.remarks[0].contains("still open with it"))
        #expect(kit[.secretKey] == made.secretKey)
        #expect(kit[.vaultID] == made.id.description)
        #expect(differences(before, try vault(made)).allSatisfy(recoverySlot.contains))
        #expect(throws: VaultRefusal.wrongCode) {
            try made.machine.ask(
                .openWithCode(made.id, .argon2id), [.recoveryCode: made.code, .newPassword: other])
        }
        #expect(try made.machine.ledger().last?.contains("wrong-code") == true)
        #expect(try made.machine.words(made.id) == made.words)
        let code = try #require(kit[.recoveryCode])
        try made.machine.ask(
            .openWithCode(made.id, .argon2id), [.recoveryCode: code, .newPassword: other])
        #expect(try made.machine.words(made.id, password: other) == made.words)
    }

    @Test("a new kit lists the backups that the old one still opens, the newest first")
    func newKitAndBackups() throws {
        var made = try MadeWallet.copy()
        var digests: [String] = []
        for _ in 1...2 {
            let answer = try made.machine.ask(
                .backup(made.id), [.password: TestMachine.password])
            guard case .backedUp(_, let digest, _, _) = answer else { return }
            digests.append(digest.description)
        }
        let remarks = try made.machine.ask(
            .newKit(made.id), [.password: TestMachine.password]
        ).remarks
        #expect(remarks.count == 3)
        #expect(remarks[1].contains(digests[1]))
        #expect(remarks[2].contains(digests[0]))
    }

    @Test("a slip in the recovery code is named by its group and is no attempt")
    func slip() throws {
        var made = try MadeWallet.copy()
        var typed = Array(made.code)
        let place = 7
        typed[place] = typed[place] == "7" ? "8" : "7"
        let refusal = refusalOf {
            try made.machine.ask(
                .openWithCode(made.id, .argon2id),
                [.recoveryCode: String(typed), .newPassword: other])
        }
        guard case .malformed(.recoveryCode, place: 2, _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(try made.machine.ledger().count == 1)
    }
}
