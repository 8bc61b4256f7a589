import Messages
import StateFiles
import Testing
import Vault

@Suite("Files that are missing, damaged or of another vault")
struct MissingFilesTests {
    private let other = "Another horse 2"

    private func withSecond() throws -> (MadeWallet, VaultID) {
        var made = try MadeWallet.copy()
        let second = try made.machine.create(name: "Other")
        return (made, second)
    }

    /// What is refused when a password is asked for; nothing of it may count or be written.
    private func refusal(_ machine: TestMachine, _ id: VaultID) -> VaultRefusal? {
        refusalOf { _ = try machine.count(.showPhrase(id)) }
    }

    @Test(
        "without a file nothing is opened, counted or made in its place; the sentence says what to do"
    )
    func missing() throws {
        let made = try MadeWallet.copy()
        let id = made.id
        let cases: [(StateFile, VaultRefusal, String)] = [
            (.deviceKey, .missing(.deviceKey), "bulkhead wallet adopt"),
            (.secretKey(id), .missing(.secretKey(id)), "bulkhead wallet adopt"),
            (.vault(id), .noSuchVault(id), "bulkhead wallet list"),
            (.attempts(id), .missing(.attempts(id)), "bulkhead wallet recover"),
        ]
        for (file, expected, advice) in cases {
            var machine = made.machine
            machine.state[file] = nil
            #expect(refusal(machine, id) == expected)
            #expect(expected.sentence.contains(advice))
        }
        var machine = made.machine
        for file in [StateFile.ledgerHead, .ledgerKey, .ledgerEntries] {
            machine.state[file] = nil
            let named = file == .ledgerEntries ? StateFile.ledgerKey : file
            #expect(refusal(machine, id) == .missing(named))
            #expect(VaultRefusal.missing(named).sentence.contains("bulkhead wallet adopt"))
        }
        #expect(throws: VaultRefusal.missing(.ledgerKey)) { try machine.create(name: "Other") }
    }

    @Test("a damaged file is refused before a password is read, and is no attempt")
    func damaged() throws {
        let made = try MadeWallet.copy()
        for file in [
            StateFile.secretKey(made.id), .vault(made.id), .attempts(made.id),
        ] {
            for place in stride(from: 0, to: made.machine.state[file]?.count ?? 0, by: 97) {
                var machine = made.machine
                machine.state[file]?[place] ^= 0x10
                let refusal = refusal(machine, made.id)
                switch refusal {
                case .damaged(let named, _): #expect(named == file)
                case .newerVersion(let named, _): #expect(named == file)
                case .wrongSecretKey, .wrongChain: #expect(file == .vault(made.id))
                default: Issue.record("\(file) at \(place): \(String(describing: refusal))")
                }
            }
        }
    }

    @Test("a file of another vault is refused as that")
    func swapped() throws {
        let (made, second) = try withSecond()
        let pairs: [(StateFile, StateFile)] = [
            (.secretKey(made.id), .secretKey(second)), (.vault(made.id), .vault(second)),
            (.attempts(made.id), .attempts(second)),
        ]
        for (own, others) in pairs {
            var machine = made.machine
            machine.state[own] = machine.state[others]
            guard case .damaged(own, let why) = refusal(machine, made.id) else {
                Issue.record("\(own)")
                continue
            }
            #expect(why.contains("another vault"))
        }
    }

    @Test("an index or a name of another wallet is noticed, and so is an edited one")
    func swappedIndex() throws {
        let (made, second) = try withSecond()
        var machine = made.machine
        machine.state[.index(made.id)] = machine.state[.index(second)]
        machine.state[.name(made.id)] = machine.state[.name(second)]
        #expect(throws: VaultRefusal.missing(.index(made.id))) { try machine.ask(.index(made.id)) }
        guard case .vaults(let rows) = try machine.ask(.list) else { return }
        let row = try #require(rows.first { $0.id == made.id })
        #expect(row.name.isEmpty)
        #expect(row.problem.contains("belongs to another vault"))
        #expect(rows.first { $0.id == second }?.problem.isEmpty == true)
        machine.state[.index(made.id)] = made.machine.state[.index(made.id)]
        machine.state[.index(made.id)]?[100] ^= 1
        #expect(throws: VaultRefusal.missing(.index(made.id))) { try machine.ask(.index(made.id)) }
    }

    @Test("the password makes a missing index anew, and a missing index key with it")
    func rebuildIndex() throws {
        var made = try MadeWallet.copy()
        let rows = try made.machine.ask(.index(made.id)).index
        made.machine.state[.index(made.id)] = nil
        made.machine.state[.indexKey] = nil
        #expect(throws: VaultRefusal.missing(.indexKey)) {
            try made.machine.ask(.rename(made.id, name: "New"), [.password: TestMachine.password])
        }
        #expect(throws: VaultRefusal.wrongPassword(failures: 1, wait: 0)) {
            try made.machine.ask(.rebuildIndex(made.id), [.password: other])
        }
        #expect(made.machine.state[.indexKey] == nil)
        let answer = try made.machine.ask(
            .rebuildIndex(made.id), [.password: TestMachine.password])
        #expect(answer.index == rows)
        #expect(answer.remarks.count == 1)
        #expect(try made.machine.ask(.index(made.id)).index == rows)
        guard case .vaults(let list) = try made.machine.ask(.list) else { return }
        #expect(list.map(\.name) == ["vault \(made.id.description.prefix(8))"])
        #expect(list.map(\.problem) == [""])
    }

    @Test("the password of an items vault makes a missing index key anew, and the name with it")
    func rebuildItems() throws {
        var machine = TestMachine()
        let id = try machine.createItems()
        machine.state[.indexKey] = nil
        let password: TestMachine.Fields = [.password: TestMachine.password]
        #expect(throws: VaultRefusal.missing(.indexKey)) {
            try machine.ask(.rename(id, name: "Deeds"), password)
        }
        guard case .vaults(let lost) = try machine.ask(.list) else { return }
        #expect(lost[0].problem.contains("bulkhead wallet rebuild-index"))
        let answer = try machine.ask(.rebuildIndex(id), password)
        #expect(answer.index.isEmpty)
        #expect(answer.remarks.count == 1)
        #expect(machine.state[.index(id)] == nil)
        guard case .vaults(let list) = try machine.ask(.list) else { return }
        #expect(list.map(\.problem) == [""])
        try machine.ask(.rename(id, name: "Deeds"), password)
        guard case .vaults(let renamed) = try machine.ask(.list) else { return }
        #expect(renamed.map(\.name) == ["Deeds"])
    }

    @Test("a list shows every vault and what is wrong with it")
    func list() throws {
        let (made, second) = try withSecond()
        var machine = made.machine
        machine.state[.attempts(second)] = nil
        machine.state[.vault(made.id)]?[0] ^= 1
        guard case .vaults(let rows) = try machine.ask(.list) else { return }
        #expect(rows.count == 2)
        #expect(rows.first { $0.id == made.id }?.problem.contains("is damaged") == true)
        let row = try #require(rows.first { $0.id == second })
        #expect(row.name == "Other")
        #expect(row.problem.contains("count of failed attempts"))
    }

    @Test("a file that cannot be read is the trouble of its vault alone, and is told in its row")
    func unreadable() throws {
        let (made, second) = try withSecond()
        for file in [StateFile.vault(made.id), .name(made.id)] {
            var machine = made.machine
            machine.unreadable = [file: "it is no ordinary file"]
            guard case .vaults(let rows) = try machine.ask(.list) else { return }
            #expect(rows.count == 2)
            let row = try #require(rows.first { $0.id == made.id })
            #expect(row.problem.contains("The file \(file) is damaged: it is no ordinary file."))
            #expect(row.name == (file == .name(made.id) ? "" : "Savings"))
            #expect(rows.first { $0.id == second }?.problem == "")
            #expect(try machine.words(second) != made.words)
        }
        for file in [StateFile.vault(made.id), .secretKey(made.id), .attempts(made.id)] {
            var machine = made.machine
            machine.unreadable = [file: "Permission denied"]
            #expect(refusal(machine, made.id) == .damaged(file, "Permission denied"))
        }
        var machine = made.machine
        machine.unreadable = [.index(made.id): "it is no ordinary file"]
        #expect(throws: VaultRefusal.missing(.index(made.id))) { try machine.ask(.index(made.id)) }
        #expect(try machine.words(made.id) == made.words)
    }

    @Test("a vault of another network is named and not opened")
    func wrongChain() throws {
        var made = try MadeWallet.copy()
        made.machine.chain = .signet
        #expect(throws: VaultRefusal.wrongChain(.mainnet)) { try made.machine.words(made.id) }
        guard case .vaults(let rows) = try made.machine.ask(.list) else { return }
        #expect(rows.map(\.chain) == [.mainnet])
        #expect(rows[0].problem.contains("--network mainnet"))
    }

    // MARK: Ways back

    @Test("with a damaged or missing count only the kit opens, and begins the count anew")
    func damagedCount() throws {
        for isMissing in [false, true] {
            var made = try MadeWallet.copy()
            made.machine.state[.attempts(made.id)] = isMissing ? nil : [1, 2, 3]
            #expect(throws: VaultRefusal.self) { try made.machine.words(made.id) }
            #expect(throws: VaultRefusal.alreadyThere(made.id)) {
                try made.machine.ask(.adopt(made.id), [.secretKey: made.secretKey])
            }
            try made.machine.ask(
                .openWithCode(made.id, .argon2id), [.recoveryCode: made.code, .newPassword: other])
            #expect(try made.machine.count(.showPhrase(made.id)).failures == 0)
            #expect(try made.machine.words(made.id, password: other) == made.words)
        }
    }

    @Test("a state without its device key opens after the kit's secret key was typed")
    func adopt() throws {
        let (made, second) = try withSecond()
        var machine = made.machine
        machine.state[.deviceKey] = nil
        let old = machine.state
        #expect(throws: VaultRefusal.missing(.deviceKey)) { try machine.words(made.id) }
        let wrong = try MadeWallet.copy().machine.createOther()
        #expect(throws: VaultRefusal.wrongSecretKey) {
            try machine.ask(.adopt(made.id), [.secretKey: wrong])
        }
        #expect(machine.state == old)
        try machine.ask(.adopt(made.id), [.secretKey: made.secretKey])
        #expect(machine.state[.deviceKey]?.count == 32)
        #expect(machine.state[.vault(made.id)] == old[.vault(made.id)])
        #expect(machine.state[.index(made.id)] == old[.index(made.id)])
        #expect(try machine.words(made.id) == made.words)
        // The other wallet has a kit of its own; the old ledger lies aside as it was.
        #expect(throws: VaultRefusal.self) { try machine.words(second) }
        let aside = machine.state.filter { $0.key.path.hasPrefix("ledger/imported/") }
        #expect(
            Set(aside.values)
                == Set([
                    old[.ledgerKey] ?? [], old[.ledgerHead] ?? [], old[.ledgerEntries] ?? [],
                ]))
        #expect(try machine.ledger().first?.contains("take a vault onto this machine") == true)
    }

    @Test("a damaged ledger stops what it could not record; the kit's secret key begins another")
    func damagedLedger() throws {
        var made = try MadeWallet.copy()
        made.machine.state[.ledgerHead]?[60] ^= 1
        guard case .damaged(.ledgerHead, _) = refusal(made.machine, made.id) else {
            Issue.record("the ledger is not missed")
            return
        }
        let count = made.machine.state[.attempts(made.id)]
        try made.machine.ask(.adopt(made.id), [.secretKey: made.secretKey])
        #expect(made.machine.state[.attempts(made.id)] == count)
        #expect(try made.machine.words(made.id) == made.words)
    }
}

extension TestMachine {
    /// The secret key of a new wallet on a copy of this machine.
    fileprivate func createOther() throws -> String {
        var machine = self
        _ = try machine.create(name: "Third")
        return try machine.output[.secretKey] ?? ""
    }
}
