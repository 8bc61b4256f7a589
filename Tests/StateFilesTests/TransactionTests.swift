import StateFiles
import TestSupport
import Testing

/// One operation's changes on a state that is there already.
struct Scenario: CustomStringConvertible, Sendable {
    let description: String
    let changes: [StateChange]

    private static let vault = StateFileTests.vault
    private static let other = StateFileTests.id(100) as VaultID
    private static let item = StateFileTests.item
    private static let ledger = StateFileTests.ledger
    private static let record: [StateChange] = [
        .append(.ledgerEntries, at: 40, Array(repeating: 7, count: 30)),
        .put(.ledgerHead, [2, 70]),
    ]

    static let all: [Scenario] = [
        Scenario(description: "count an attempt", changes: [.put(.attempts(vault), [2])]),
        Scenario(
            description: "reset the count and record it",
            changes: [.put(.attempts(vault), [0])] + record),
        Scenario(
            description: "create the first vault",
            changes: [
                .adopt(.deviceKey), .adopt(.indexKey), .put(.secretKey(other), [1]),
                .put(.vault(other), Array(repeating: 3, count: 300)), .put(.name(other), [4]),
                .put(.attempts(other), [0]), .put(.index(other), [5]),
            ] + record),
        Scenario(
            description: "change the password",
            changes: [.put(.vault(vault), [9, 9, 9, 9]), .put(.attempts(vault), [0])] + record),
        Scenario(
            description: "rename",
            changes: [.put(.name(vault), [8]), .put(.attempts(vault), [0])] + record),
        Scenario(
            description: "delete",
            changes: [
                .remove(.vault(vault)), .remove(.name(vault)), .remove(.attempts(vault)),
                .remove(.index(vault)), .remove(.secretKey(vault)), .remove(.item(vault, item)),
                .remove(.itemsLog(vault)), .remove(.itemsHead(vault)),
            ] + record),
        Scenario(
            description: "add an item",
            changes: [
                .adopt(.item(other, item)), .append(.itemsLog(other), at: 0, [1, 2, 3]),
                .put(.itemsHead(other), [3]), .put(.attempts(vault), [0]),
            ] + record),
        Scenario(
            description: "take the ledger aside",
            changes: [
                .copy(.ledgerKey, to: .importedLedgerKey(ledger)),
                .copy(.ledgerHead, to: .importedLedgerHead(ledger)),
                .copy(.ledgerEntries, to: .importedLedgerEntries(ledger)),
                .put(.ledgerKey, [6]), .put(.ledgerHead, [1, 3]), .put(.ledgerEntries, [1, 1, 1]),
                .put(.secretKey(vault), [7]), .adopt(.deviceKey),
            ]),
        Scenario(description: "remove one file", changes: [.remove(.index(vault))]),
        Scenario(
            description: "remove an item",
            changes: [
                .remove(.item(vault, item)), .put(.itemsLog(vault), [1, 4]),
                .put(.itemsHead(vault), [2]), .put(.attempts(vault), [0]),
            ] + record),
        Scenario(
            description: "restore a backup onto another vault's card",
            changes: [
                .put(.secretKey(other), [1]), .put(.vault(other), Array(repeating: 3, count: 300)),
                .put(.name(other), [4]), .put(.attempts(other), [0]), .put(.index(other), [5]),
                .adopt(.item(other, item)), .adopt(.itemsLog(other)), .put(.itemsHead(other), [32]),
                .put(.importedLedgerKey(ledger), [6]), .put(.importedLedgerHead(ledger), [7]),
                .adopt(.importedLedgerEntries(ledger)),
            ] + record),
        Scenario(
            description: "mend a vault from its backup",
            changes: [
                .put(.vault(vault), [2, 2]), .put(.index(vault), [2]), .adopt(.item(vault, item)),
            ]
                + record),
    ]

    /// A disk with a vault, an item, a ledger, and what the scenario has staged.
    func disk(leftBehind: [UInt8] = [9, 9, 9]) -> SimulatedDisk {
        let disk = SimulatedDisk()
        let files: [(StateFile, [UInt8])] = [
            (.vault(Self.vault), [1, 1, 1, 1]), (.name(Self.vault), [1]),
            (.attempts(Self.vault), [1]), (.index(Self.vault), [1]),
            (.secretKey(Self.vault), [1]), (.item(Self.vault, Self.item), [1, 2]),
            (.itemsLog(Self.vault), [1]), (.itemsHead(Self.vault), [1]), (.ledgerKey, [1]),
            (.ledgerHead, [1, 40]),
            // What an append left behind that never came to hold, before appends were undone.
            (.ledgerEntries, Array(repeating: 1, count: 40) + leftBehind),
        ]
        for (file, bytes) in files { disk.place(file.path, bytes) }
        for case .adopt(let file) in changes {
            disk.place(file.path + ".new", Array(repeating: 5, count: 32))
        }
        return disk
    }

    /// What the signer sees of its files: of a log as much as its head counts.
    func view(_ disk: SimulatedDisk) -> [StateFile: [UInt8]] {
        var view: [StateFile: [UInt8]] = [:]
        for (path, bytes) in disk.contents {
            guard let file = StateFile(path: path) else { continue }
            view[file] = bytes
        }
        let ends: [(log: StateFile, head: StateFile)] = [
            (.ledgerEntries, .ledgerHead), (.itemsLog(Self.other), .itemsHead(Self.other)),
        ]
        for (log, head) in ends {
            view[log] = view[head].flatMap { head in
                view[log].map { Array($0.prefix(Int(head.last ?? 0))) }
            }
        }
        return view
    }
}

@Suite("Transactions")
struct TransactionTests {
    /// The views before and after, and how many steps lie between.
    private func measure(
        _ scenario: Scenario
    ) throws -> (old: [StateFile: [UInt8]], new: [StateFile: [UInt8]], steps: Int) {
        let disk = scenario.disk()
        let store = StateStore(disk)
        let old = scenario.view(disk)
        try Transaction(scenario.changes).commit(to: disk)
        let steps = disk.steps
        let new = scenario.view(disk)
        #expect(old != new)
        #expect(!disk.contents.keys.contains { $0.hasSuffix(".new") || $0 == "journal" })
        var random = SeededGenerator(seed: 1)
        disk.restart(.nothing, using: &random)
        #expect(scenario.view(disk) == new, "what was committed survives any power cut")
        #expect(try store.recover() == StateRecovery())
        return (old, new, steps)
    }

    @Test(
        "A power cut at any step leaves the old state or the new one, whatever the disk kept",
        arguments: Scenario.all)
    func powerCuts(scenario: Scenario) throws {
        let (old, new, steps) = try measure(scenario)
        var points = 0
        var ends: Set<Bool> = []
        for step in 0...steps {
            for seed in 0..<10 as Range<UInt64> {
                var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(step))
                let disk = scenario.disk()
                disk.fault = (step, .powerCut)
                try? Transaction(scenario.changes).commit(to: disk)
                disk.restart(survival(seed), using: &random)
                try recover(disk, cutAgain: seed >= 7, using: &random)
                let view = scenario.view(disk)
                let isNew = view == new
                let isWhole = isNew || view == old
                #expect(isWhole, "step \(step), seed \(seed)")
                #expect(step < steps || isNew)
                ends.insert(isNew)
                let isClean = !disk.contents.keys.contains {
                    $0.hasSuffix(".new") || $0 == "journal"
                }
                #expect(isClean)
                points += 1
            }
        }
        #expect(points == 10 * (steps + 1))
        #expect(ends == [true, false], "both ends are met")
    }

    private func survival(_ seed: UInt64) -> SimulatedDisk.Survival {
        switch seed % 7 {
        case 0: .nothing
        case 1: .everything
        default: .chance
        }
    }

    /// Recovers, with the power gone at some steps of that too.
    private func recover(
        _ disk: SimulatedDisk, cutAgain: Bool, using random: inout SeededGenerator
    ) throws {
        if cutAgain {
            for step in 0..<6 {
                disk.fault = (step, .powerCut)
                _ = try? StateStore(disk).recover()
                disk.restart(.chance, using: &random)
            }
        }
        try StateStore(disk).recover()
    }

    @Test(
        "A failure at any step says truly whether all is as before, and is got over",
        arguments: Scenario.all)
    func failures(scenario: Scenario) throws {
        let (old, new, steps) = try measure(scenario)
        let failures: [DiskFailure] = [.noSpace, .failed(path: "x", "the device failed (EIO)")]
        for step in 0..<steps {
            for failure in failures {
                for lasts in [false, true] {
                    let disk = scenario.disk()
                    disk.fault = (step, lasts ? .brokenFrom(failure) : .failure(failure))
                    try check(scenario, disk, old, new)
                }
            }
        }
    }

    private func check(
        _ scenario: Scenario, _ disk: SimulatedDisk, _ old: [StateFile: [UInt8]],
        _ new: [StateFile: [UInt8]]
    ) throws {
        var isUnchanged = false
        var isDone = false
        do throws(Transaction.Failure) {
            try Transaction(scenario.changes).commit(to: disk)
            isDone = true
        } catch {
            if case .unchanged = error { isUnchanged = true }
        }
        if isUnchanged { #expect(scenario.view(disk) == old) }
        if isDone { #expect(scenario.view(disk) == new) }
        var random = SeededGenerator(seed: 3)
        disk.restart(.chance, using: &random)
        try StateStore(disk).recover()
        let view = scenario.view(disk)
        #expect(view == old || view == new)
        if isUnchanged { #expect(view == old) }
        if isDone { #expect(view == new) }
    }

    @Test("The enumeration is as large as it says")
    func size() throws {
        let steps = try Scenario.all.map { try measure($0).steps }
        #expect(steps.reduce(0, +) * 10 > 1500, "\(steps)")
    }

    @Test("The folder of a deleted vault's items goes with it, and with no other change")
    func emptyFolder() throws {
        let folder = "items"
        for scenario in Scenario.all {
            let disk = scenario.disk()
            try Transaction(scenario.changes).commit(to: disk)
            let isThere = try disk.names(in: folder).contains(StateFileTests.vault.description)
            #expect(isThere == (scenario.description != "delete"), "\(scenario)")
            var random = SeededGenerator(seed: 1)
            disk.restart(.nothing, using: &random)
            let isThereLater = try disk.names(in: folder)
                .contains(StateFileTests.vault.description)
            #expect(isThereLater == isThere, "\(scenario)")
        }
    }

    @Test("What stands in the place of one vault's folder hides that vault's files and no others")
    func fileForFolder() throws {
        let disk = Scenario.all[0].disk()
        let whole = try StateStore(disk).files()
        disk.place("items/\(StateFileTests.id(100) as VaultID)", [1])
        disk.place("ledger/imported/\(StateFileTests.ledger)", [1])
        let store = StateStore(disk)
        #expect(try store.recover() == StateRecovery())
        #expect(try store.files() == whole)
        disk.place("vaults", [1])
        #expect(throws: DiskFailure.wrongKind(path: "vaults")) { try store.files() }
    }

    @Test("After a failure that left all open, nothing is done before a recovery")
    func unsettled() throws {
        let scenario = Scenario.all[1]
        let (_, new, steps) = try measure(scenario)
        let disk = scenario.disk()
        let store = StateStore(disk)
        try store.recover()
        // The journal is in place, and everything after that fails.
        disk.fault = (steps - 4, .brokenFrom(.noSpace))
        #expect(throws: Transaction.Failure.unsettled(.noSpace)) {
            try store.commit(scenario.changes)
        }
        #expect(throws: Transaction.Failure.unchanged(.noSpace)) {
            try store.commit([.put(.index(StateFileTests.id(200)), [1])])
        }
        var random = SeededGenerator(seed: 3)
        disk.restart(.everything, using: &random)
        try store.commit([.put(.index(StateFileTests.id(200)), [1])])
        var view = scenario.view(disk)
        view[.index(StateFileTests.id(200))] = nil
        #expect(view == new)
    }

    @Test("Two changes of one file are refused, and what does not fit changes nothing")
    func contradictions() throws {
        let vault = StateFileTests.vault
        #expect(throws: Transaction.Failure.contradiction(.name(vault))) {
            try Transaction([.put(.name(vault), [1]), .remove(.name(vault))])
        }
        let scenario = Scenario.all[0]
        let impossible: [StateChange] = [
            .put(.attempts(vault), Array(repeating: 0, count: 1025)),
            .append(.ledgerEntries, at: 44, [1]), .append(.ledgerEntries, at: .max, [1]),
            .append(.index(StateFileTests.id(100)), at: 1, [1]),
            .adopt(.index(StateFileTests.id(200))),
            .copy(.index(StateFileTests.id(100)), to: .index(StateFileTests.id(200))),
        ]
        for change in impossible {
            let disk = scenario.disk()
            let before = disk.contents
            do throws(Transaction.Failure) {
                try Transaction([.put(.name(vault), [5]), change]).commit(to: disk)
                Issue.record("\(change) was made")
            } catch {
                guard case .unchanged = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
            #expect(disk.contents == before)
        }
    }

    @Test("A journal that is none is taken away, and files of others stay where they are")
    func damagedJournal() throws {
        let disk = Scenario.all[0].disk()
        disk.place("journal", Array("BHJRNL1\nsomething else".utf8))
        disk.place("vaults/\(StateFileTests.vault).vault.new", [1])
        disk.place("notes.new", [1])
        disk.place("vaults/notes.txt", [1])
        let recovery = try StateStore(disk).recover()
        #expect(recovery.journalWasDamaged)
        #expect(!recovery.carriedOut)
        #expect(recovery.discarded == 1)
        #expect(disk.contents["journal"] == nil)
        #expect(disk.contents["notes.new"] == [1])
        #expect(disk.contents["vaults/notes.txt"] == [1])
        #expect(try StateStore(disk).files().count == 11)
    }
}
