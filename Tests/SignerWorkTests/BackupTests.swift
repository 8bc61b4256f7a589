import Messages
import StateFiles
import Testing
import Vault

@Suite("Backup and restore")
struct BackupTests {
    /// A backup of the wallet, and the machine after it.
    private func backedUp() throws -> (MadeWallet, [UInt8]) {
        var made = try MadeWallet.copy()
        try made.machine.ask(.backup(made.id), [.password: TestMachine.password])
        return (made, made.machine.written)
    }

    @Test("a new card gets the vault, its name, its index and its part of the ledger")
    func newCard() throws {
        let (made, backup) = try backedUp()
        var card = TestMachine()
        let answer = try card.ask(
            .restore(made.id), [.secretKey: made.secretKey], input: backup)
        guard case .restored(made.id, let rows, let remarks) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(
            rows == [
                RestoreRow(what: "vault", effect: .added),
                RestoreRow(what: "entries of the ledger", effect: .added),
            ])
        #expect(remarks.isEmpty)
        #expect(card.state[.vault(made.id)] == made.machine.state[.vault(made.id)])
        #expect(card.state[.deviceKey] != made.machine.state[.deviceKey])
        #expect(try card.ask(.index(made.id)) == made.machine.askCopy(.index(made.id)))
        guard case .vaults(let list) = try card.ask(.list) else { return }
        #expect(list.map(\.name) == ["Savings"])
        #expect(list.map(\.problem) == [""])
        #expect(try card.words(made.id) == made.words)
        let imported = card.state.keys.filter { $0.path.hasPrefix("ledger/imported/") }
        #expect(imported.count == 3)
        #expect(try card.ledger().first?.contains("was restored") == true)
    }

    @Test("a check says what a restore would do, and changes nothing")
    func check() throws {
        let (made, backup) = try backedUp()
        var card = TestMachine()
        let fields: TestMachine.Fields = [.secretKey: made.secretKey]
        let checked = try card.ask(.restoreCheck(made.id), fields, input: backup)
        #expect(card.state.isEmpty)
        #expect(try card.ask(.restore(made.id), fields, input: backup) == checked)
    }

    @Test("a backup that is damaged, cut or of another vault changes nothing")
    func damaged() throws {
        let (made, backup) = try backedUp()
        let fields: TestMachine.Fields = [.secretKey: made.secretKey]
        var card = TestMachine()
        func refused(_ input: [UInt8], _ fields: TestMachine.Fields) {
            #expect(throws: VaultRefusal.self) {
                try card.ask(.restore(made.id), fields, input: input)
            }
            #expect(card.state.isEmpty)
        }
        for place in stride(from: 0, to: backup.count, by: 211) {
            var input = backup
            input[place] ^= 4
            refused(input, fields)
        }
        for count in [0, 79, 80, 4096, backup.count - 1] {
            refused(Array(backup[..<count]), fields)
        }
        refused(backup + [0], fields)
        var other = made.machine
        _ = try other.create(name: "Other")
        let key = try #require(try other.output[.secretKey])
        #expect(throws: VaultRefusal.wrongSecretKey) {
            try card.ask(.restore(made.id), [.secretKey: key], input: backup)
        }
        card.chain = .signet
        #expect(throws: VaultRefusal.wrongChain(.mainnet)) {
            try card.ask(.restore(made.id), fields, input: backup)
        }
    }

    @Test("an older vault never comes over a newer one, and the count of failures stays")
    func older() throws {
        var (made, backup) = try backedUp()
        try made.machine.ask(
            .changePassword(made.id, .argon2id),
            [.password: TestMachine.password, .newPassword: "Another horse 2"])
        _ = try? made.machine.words(made.id)
        let before = made.machine.state
        let answer = try made.machine.ask(
            .restore(made.id), [.secretKey: made.secretKey], input: backup)
        guard case .restored(_, let rows, let remarks) = answer else { return }
        #expect(rows.map(\.effect) == [.kept, .kept])
        #expect(remarks.count == 1)
        for file in [StateFile.vault(made.id), .attempts(made.id), .secretKey(made.id)] {
            #expect(made.machine.state[file] == before[file])
        }
        // A wrong kit is noticed here before the input is read.
        backup = []
        #expect(throws: VaultRefusal.badInput("\(StreamError.notAStream)")) {
            try made.machine.ask(
                .restore(made.id), [.secretKey: made.secretKey], input: backup)
        }
    }

    @Test("a damaged vault is mended from its backup; its count of failures stays")
    func mends() throws {
        var (made, backup) = try backedUp()
        let count = made.machine.state[.attempts(made.id)]
        made.machine.state[.vault(made.id)]?[300] ^= 1
        #expect(throws: VaultRefusal.self) { try made.machine.words(made.id) }
        let answer = try made.machine.ask(
            .restore(made.id), [.secretKey: made.secretKey], input: backup)
        guard case .restored(_, let rows, _) = answer else { return }
        #expect(rows.first?.effect == .replaced)
        #expect(made.machine.state[.attempts(made.id)] == count)
        #expect(try made.machine.words(made.id) == made.words)
        backup = []
    }

    @Test("backups of two machines come onto one card, each with its ledger")
    func twoMachines() throws {
        let (first, backup) = try backedUp()
        var second = TestMachine()
        let id = try second.create(name: "Second")
        let kit = try second.output
        try second.ask(.backup(id), [.password: TestMachine.password])
        let other = second.written
        var card = TestMachine()
        try card.ask(.restore(first.id), [.secretKey: first.secretKey], input: backup)
        try card.ask(.restore(id), [.secretKey: kit[.secretKey] ?? ""], input: other)
        #expect(try card.words(first.id) == first.words)
        #expect(try card.words(id) == kit[.words])
        #expect(card.state.keys.filter { $0.path.hasSuffix("/entries") }.count == 3)
    }

    @Test("two vaults of one lost machine: each brings its key of the ledger, and both are read")
    func twoVaults() throws {
        var lost = TestMachine()
        let first = try lost.create(name: "First")
        let firstKey = try #require(try lost.output[.secretKey])
        let second = try lost.create(name: "Second")
        let secondKey = try #require(try lost.output[.secretKey])
        let password: TestMachine.Fields = [.password: TestMachine.password]
        try lost.ask(.backup(first), password)
        let firstBackup = lost.written
        try lost.ask(.backup(second), password)
        let secondBackup = lost.written
        // In either order: the entries of the newer backup hold those of the older one.
        for order in [[0, 1], [1, 0], [0, 1, 0, 1]] {
            var card = TestMachine()
            for place in order {
                try card.ask(
                    .restore([first, second][place]),
                    [.secretKey: [firstKey, secondKey][place]],
                    input: [firstBackup, secondBackup][place])
            }
            guard case .importedLedgers(let ledgers) = try card.ask(.importedLedgers),
                let ledger = ledgers.first
            else {
                Issue.record("no ledger was imported")
                return
            }
            #expect(ledgers.count == 1 && ledger.entries == 3)
            #expect(Set(ledger.vaults) == [first, second])
            guard
                case .ledger(let rows, 3) = try card.ask(
                    .importedLedger(ledger.id, .list(from: 1, count: 9)))
            else {
                Issue.record("no entries")
                return
            }
            #expect(rows.map(\.vault) == [first, second, first])
            #expect(rows[0].text.contains("create a vault, \"First\""))
            #expect(rows[1].text.contains("create a vault, \"Second\""))
            #expect(rows[2].text.contains("a backup of"))
            guard
                case .ledgerHolds(3, _, _) = try card.ask(.importedLedger(ledger.id, .verify))
            else {
                Issue.record("it does not hold")
                return
            }
            try card.ask(.importedLedger(ledger.id, .export))
            let lines = card.text.split(separator: "\n")
            #expect(lines.count == 5 && lines[1...3].allSatisfy { $0.contains("\"text\"") })
            #expect(try card.words(first) == lost.words(first))
        }
    }

    @Test("an imported ledger that was changed, or that no key opens, is told of as what it is")
    func importedDamage() throws {
        let (made, backup) = try backedUp()
        var card = TestMachine()
        try card.ask(.restore(made.id), [.secretKey: made.secretKey], input: backup)
        guard case .importedLedgers(let ledgers) = try card.ask(.importedLedgers),
            let id = ledgers.first?.id
        else {
            Issue.record("no ledger was imported")
            return
        }
        var changed = card
        let count = try #require(changed.state[.importedLedgerEntries(id)]?.count)
        changed.state[.importedLedgerEntries(id)]?[count - 3] ^= 1
        guard
            case .ledgerBroken = refusalOf({
                try changed.ask(.importedLedger(id, .verify))
            })
        else {
            Issue.record("a change was not found")
            return
        }
        var other = card
        other.state[.importedLedgerKey(id)]?[100] ^= 1
        guard
            case .ledger(let rows, _) = try other.ask(
                .importedLedger(id, .list(from: 1, count: 9)))
        else { return }
        #expect(rows.allSatisfy { $0.text == "an entry that no key on this machine opens" })
        for damage in [[], [UInt8](repeating: 1, count: 140), Array(repeating: 1, count: 141)] {
            other.state[.importedLedgerKey(id)] = damage
            guard
                case .damaged(.importedLedgerKey(id), _) = refusalOf({
                    try other.ask(.importedLedger(id, .verify))
                })
            else {
                Issue.record("\(damage.count) bytes were taken for keys")
                return
            }
        }
        let keys = try #require(card.state[.importedLedgerKey(id)])
        other.state[.importedLedgerKey(id)] = keys + keys
        #expect(throws: VaultRefusal.self) { try other.ask(.importedLedger(id, .verify)) }
    }

    @Test("an item that was removed here does not come back from an older backup; a lost one does")
    func removedItem() throws {
        let (made, id, items, secretKey, backup) = try backedUpItems()
        let key: TestMachine.Fields = [.secretKey: secretKey]
        var machine = made
        try machine.ask(.itemsRemove(id, items[0]), [.password: TestMachine.password])
        machine.state[.item(id, items[1])] = nil
        let checked = try machine.ask(.restoreCheck(id), key, input: backup)
        guard case .restored(_, let rows, _) = checked else { return }
        #expect(rows.contains(RestoreRow(what: "items that were removed here", effect: .kept)))
        #expect(rows.contains(RestoreRow(what: "items", effect: .added)))
        #expect(try machine.ask(.restore(id), key, input: backup) == checked)
        #expect(machine.state[.item(id, items[0])] == nil)
        #expect(machine.state[.item(id, items[1])] == made.state[.item(id, items[1])])
        // Where the list comes from the backup, all of its items do.
        try machine.ask(.delete(id, name: "Papers"), [.password: TestMachine.password])
        try machine.ask(.restore(id), key, input: backup)
        for item in items {
            #expect(machine.state[.item(id, item)] == made.state[.item(id, item)])
        }
    }

    @Test("a wrong secret key is entered by a check too, where there is a ledger")
    func wrongKeyOfCheck() throws {
        var (made, backup) = try backedUp()
        let id = try made.machine.create(name: "Other")
        let wrong: TestMachine.Fields = [
            .secretKey: try #require(try made.machine.output[.secretKey])
        ]
        #expect(id != made.id)
        let before = try made.machine.ledger().count
        #expect(
            refusalOf { try made.machine.ask(.restoreCheck(made.id), wrong, input: backup) }
                == .wrongSecretKey)
        let texts = try made.machine.ledger()
        #expect(texts.count == before + 1)
        #expect(texts.last?.contains("was refused: wrong-secret-key") == true)
        var card = TestMachine()
        #expect(
            refusalOf { try card.ask(.restoreCheck(made.id), wrong, input: backup) }
                == .wrongSecretKey)
        #expect(card.state.isEmpty)
        backup = []
    }

    @Test("the items of a vault come along, and open with its password")
    func items() throws {
        var machine = TestMachine()
        let id = try machine.createItems()
        let secretKey = try #require(try machine.output[.secretKey])
        let document = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        for name in ["one", "two"] {
            try machine.ask(
                .itemsAdd(id),
                [
                    .password: TestMachine.password, .itemName: name,
                    .itemSize: "\(document.count)",
                ], input: document)
        }
        let answer = try machine.ask(.backup(id), [.password: TestMachine.password])
        guard case .backedUp(_, _, 2, _) = answer else {
            Issue.record("\(answer)")
            return
        }
        let backup = machine.written
        var card = TestMachine()
        guard
            case .restored(_, let rows, _) = try card.ask(
                .restore(id), [.secretKey: secretKey], input: backup)
        else { return }
        #expect(rows.last == RestoreRow(what: "items", effect: .added, count: 2))
        try card.ask(.itemsList(id), [.password: TestMachine.password])
        #expect(card.text.split(separator: "\n").count == 2)
        let item = try #require(
            card.state.keys.compactMap { file -> ItemID? in
                if case .item(_, let item) = file { item } else { nil }
            }.first)
        try card.ask(.itemsGet(id, item), [.password: TestMachine.password])
        #expect(card.written == document)
        // An item whose file is lost is told of; a log that does not hold makes no backup.
        machine.state[.item(id, item)] = nil
        let second = try machine.ask(.backup(id), [.password: TestMachine.password])
        #expect(second.remarks.count == 1 && second.remarks[0].contains(item.description))
        machine.state[.itemsLog(id)]?[200] ^= 1
        let refusal = refusalOf {
            try machine.ask(.backup(id), [.password: TestMachine.password])
        }
        guard case .damaged(.itemsLog(id), _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    /// A vault with two items of some length, their ids in order, its secret key and a backup.
    private func backedUpItems() throws -> (TestMachine, VaultID, [ItemID], String, [UInt8]) {
        var machine = TestMachine()
        let id = try machine.createItems()
        let secretKey = try #require(try machine.output[.secretKey])
        for name in ["one", "two"] {
            try machine.ask(
                .itemsAdd(id),
                [.password: TestMachine.password, .itemName: name, .itemSize: "150000"],
                input: Array(repeating: 5, count: 150_000))
        }
        try machine.ask(.backup(id), [.password: TestMachine.password])
        let items = machine.state.keys.compactMap { file -> ItemID? in
            if case .item(_, let item) = file { item } else { nil }
        }
        return (machine, id, items.sorted(), secretKey, machine.written)
    }

    @Test("a damaged item is named and left out of a backup, and an older backup mends it")
    func damagedItem() throws {
        let (made, id, items, secretKey, backup) = try backedUpItems()
        let size = try #require(made.state[.item(id, items[0])]?.count)
        for place in [3, 50, 79, 80, 70_000, size - 1, size] {
            for item in items {
                var machine = made
                if place < size {
                    machine.state[.item(id, item)]?[place] ^= 1
                } else {
                    machine.state[.item(id, item)]?.removeLast()
                }
                let answer = try machine.ask(.backup(id), [.password: TestMachine.password])
                guard case .backedUp(_, _, 1, let remarks) = answer else {
                    Issue.record("\(place): \(answer)")
                    continue
                }
                #expect(remarks.count == 1 && remarks[0].contains(item.description))
                let withoutIt = machine.written
                let key: TestMachine.Fields = [.secretKey: secretKey]
                let kept = machine.state[.item(id, item)]
                try machine.ask(.restore(id), key, input: withoutIt)
                #expect(machine.state[.item(id, item)] == kept)
                let checked = try machine.ask(.restoreCheck(id), key, input: backup)
                guard case .restored(_, let rows, _) = checked else { continue }
                #expect(rows.contains(RestoreRow(what: "items", effect: .replaced)))
                #expect(rows.contains(RestoreRow(what: "items", effect: .unchanged)))
                #expect(try machine.ask(.restore(id), key, input: backup) == checked)
                for item in items {
                    #expect(machine.state[.item(id, item)] == made.state[.item(id, item)])
                }
            }
        }
    }

    @Test("a damaged list of items is mended, and it is said what an older one lacks")
    func damagedList() throws {
        let (made, id, _, secretKey, backup) = try backedUpItems()
        let key: TestMachine.Fields = [.secretKey: secretKey]
        var newer = made
        try newer.ask(
            .itemsAdd(id),
            [.password: TestMachine.password, .itemName: "three", .itemSize: "1"], input: [1])
        let head = newer.state[.itemsHead(id)]
        try newer.ask(.restore(id), key, input: backup)
        #expect(newer.state[.itemsHead(id)] == head)
        for (machine, isOlder) in [(made, false), (newer, true)] {
            let count = try #require(machine.state[.itemsLog(id)]?.count)
            for change in 0..<4 {
                var machine = machine
                switch change {
                case 0: machine.state[.itemsLog(id)]?[count - 5] ^= 1
                case 1: machine.state[.itemsLog(id)]?.removeLast(9)
                case 2: machine.state[.itemsLog(id)] = nil
                default: machine.state[.itemsHead(id)]?[60] ^= 1
                }
                #expect(throws: VaultRefusal.self) {
                    try machine.ask(.itemsList(id), [.password: TestMachine.password])
                }
                let answer = try machine.ask(.restore(id), key, input: backup)
                guard case .restored(_, let rows, let remarks) = answer else { continue }
                #expect(rows.contains(RestoreRow(what: "list of items", effect: .replaced)))
                if isOlder {
                    #expect(remarks.count == 1 && remarks[0].contains("after the backup"))
                }
                try machine.ask(.itemsList(id), [.password: TestMachine.password])
                #expect(machine.text.split(separator: "\n").count == 2)
            }
        }
    }

    @Test("an items vault that is empty comes back empty, and takes items")
    func emptyItems() throws {
        var machine = TestMachine()
        let id = try machine.createItems()
        let secretKey = try #require(try machine.output[.secretKey])
        try machine.ask(.backup(id), [.password: TestMachine.password])
        let backup = machine.written
        var card = TestMachine()
        try card.ask(.restore(id), [.secretKey: secretKey], input: backup)
        try card.ask(.itemsList(id), [.password: TestMachine.password])
        #expect(card.text.isEmpty)
        try card.ask(
            .itemsAdd(id),
            [.password: TestMachine.password, .itemName: "one", .itemSize: "1"], input: [1])
        try card.ask(.itemsList(id), [.password: TestMachine.password])
        #expect(card.text.split(separator: "\n").count == 1)
    }
}

extension TestMachine {
    /// The answer to a request that changes nothing.
    fileprivate func askCopy(_ request: VaultRequest) throws -> VaultAnswer {
        var copy = self
        return try copy.ask(request)
    }
}
