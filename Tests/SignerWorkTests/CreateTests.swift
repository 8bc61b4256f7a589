import Hashing
import Messages
import StateFiles
import Testing
import Vault
import Wire

@Suite("New wallets")
struct CreateTests {
    private let new = Messages.NewVault(name: "Savings", kdf: .pbkdf2)

    @Test("a new wallet has all its files, a kit, and words that its password shows again")
    func create() throws {
        let made = try MadeWallet.copy()
        var (machine, id) = (made.machine, made.id)
        #expect(
            Set(machine.state.keys) == [
                .deviceKey, .indexKey, .secretKey(id), .vault(id), .name(id), .attempts(id),
                .index(id), .ledgerKey, .ledgerHead, .ledgerEntries,
            ])
        #expect(made.kit[.vaultID] == id.description)
        #expect(made.words.split(separator: " ").count == 12)
        #expect(try machine.words(id) == made.words)
        #expect(try machine.output.keys.sorted { $0.rawValue < $1.rawValue } == [.words])
    }

    @Test("a second wallet shares the keys of the machine and nothing else")
    func second() throws {
        let made = try MadeWallet.copy()
        var machine = made.machine
        let other = try machine.create(name: "Travel", words: 24)
        #expect(machine.state[.deviceKey] == made.machine.state[.deviceKey])
        #expect(machine.state[.indexKey] == made.machine.state[.indexKey])
        let kit = try machine.output
        #expect(kit[.words]?.split(separator: " ").count == 24)
        #expect(kit[.secretKey] != made.kit[.secretKey])
        #expect(kit[.recoveryCode] != made.kit[.recoveryCode])
        #expect(try machine.words(made.id) == made.words)
        #expect(try machine.words(other) == kit[.words])
    }

    @Test("with dice the words follow from the digits shown and the rolls")
    func dice() throws {
        var machine = TestMachine()
        let rolls = String(repeating: "1526340", count: 10).filter { $0 != "0" }
        let id = try machine.ask(
            .create(new, words: 12, usesDice: true, hasPassphrase: false),
            [.newPassword: TestMachine.password, .dice: rolls]
        ).made
        let output = try machine.output
        let digits = try #require(output[.kernelEntropy])
        #expect(digits.utf8.count == 64)
        // As a person recomputes it: printf %s DIGITSROLLS | sha256sum, then BIP39.
        let entropy = SHA256.hash(Array((digits + rolls).utf8)).array.prefix(16)
        #expect(try machine.words(id) == phrase(of: Array(entropy)))
    }

    /// BIP39 of 16 bytes, over the list of words only.
    private func phrase(of entropy: [UInt8]) -> String {
        let bits = (entropy + [SHA256.hash(entropy).array[0]]).flatMap { byte in
            (0..<8).map { Int(byte >> (7 - $0) & 1) }
        }
        return (0..<12).map { word in
            Words.english[bits[word * 11..<word * 11 + 11].reduce(0) { $0 * 2 + $1 }]
        }.joined(separator: " ")
    }

    @Test("too few rolls, bad names, bad passwords and odd numbers of words are refused")
    func refusals() throws {
        var machine = TestMachine()
        let good: TestMachine.Fields = [.newPassword: TestMachine.password]
        func refusal(
            _ new: Messages.NewVault, words: UInt8 = 12, dice: Bool = false,
            passphrase: Bool = false, _ fields: TestMachine.Fields
        ) -> VaultRefusal? {
            refusalOf {
                try machine.ask(
                    .create(new, words: words, usesDice: dice, hasPassphrase: passphrase), fields)
            }
        }
        #expect(
            refusal(new, dice: true, good.merging([.dice: "123"]) { $1 })
                == .malformed(
                    .dice, place: 0,
                    "3 rolls of the dice, 50 needed: fewer do not carry the recovery phrase by "
                        + "themselves; roll on, or leave the dice out"))
        #expect(refusal(new, dice: true, good) == .missingField(.dice))
        #expect(refusal(new, passphrase: true, good) == .missingField(.passphrase))
        #expect(refusal(new, [:]) == .missingField(.newPassword))
        #expect(refusal(new, words: 15, good) == .wordCount(15))
        #expect(refusal(Messages.NewVault(name: ""), good) == .badName("a wallet needs a name"))
        #expect(
            refusal(new, [.newPassword: "short1A"])
                == .passwordRule("the password has 7 characters, 8 to 64 are needed"))
        #expect(machine.state.isEmpty)
    }

    @Test(
        "Argon2id without the memory is refused with PBKDF2 as the choice, before anything is made")
    func littleMemory() throws {
        var machine = TestMachine()
        machine.freeMemory = 128 << 20
        let refusal = refusalOf { _ = try machine.create() }
        #expect(refusal == .littleMemory(needed: 160, free: 128))
        #expect(refusal?.sentence.contains("--kdf pbkdf2") == true)
        #expect(machine.state.isEmpty)
        _ = try machine.create(kdf: .pbkdf2)
        machine.freeMemory = 160 << 20
        _ = try machine.create(name: "Other")
    }

    @Test("a password that keyboards write in different ways is taken with a warning")
    func composed() throws {
        var machine = TestMachine()
        let password = "Cafe\u{301} 2026"
        let answer = try machine.ask(
            .create(new, words: 12, usesDice: false, hasPassphrase: false),
            [.newPassword: password])
        #expect(answer.remarks.count == 1)
        let id = try answer.made
        #expect(throws: VaultRefusal.wrongPassword(failures: 1, wait: 0)) {
            try machine.words(id, password: "Caf\u{E9} 2026")
        }
        #expect(try machine.words(id, password: password).isEmpty == false)
    }

    @Test("a vault for items has no index and no words")
    func items() throws {
        var machine = TestMachine()
        let id = try machine.createItems()
        let output = try machine.output
        #expect(Set(output.keys) == [.vaultID, .secretKey, .recoveryCode])
        #expect(machine.state[.index(id)] == nil)
        #expect(throws: VaultRefusal.wrongKind(id, .items)) { try machine.ask(.index(id)) }
        #expect(throws: VaultRefusal.wrongKind(id, .items)) { try machine.words(id) }
    }
}
