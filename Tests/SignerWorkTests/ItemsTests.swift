import Messages
import StateFiles
import TestSupport
import Testing
import Vault

@Suite("Items of a vault")
struct ItemsTests {
    private let password: TestMachine.Fields = [.password: TestMachine.password]

    /// A machine with an items vault, made once.
    private static let made = Result {
        var machine = TestMachine()
        let id = try machine.createItems()
        return (machine: machine, id: id)
    }

    private func items() throws -> (machine: TestMachine, id: VaultID) { try Self.made.get() }

    private func add(
        _ machine: inout TestMachine, _ id: VaultID, _ name: String, _ bytes: [UInt8]
    ) throws -> ItemID {
        let answer = try machine.ask(
            .itemsAdd(id),
            password.merging([
                .itemName: name, .itemType: "text/plain", .itemDate: "1234",
                .itemSize: "\(bytes.count)",
            ]) { $1 },
            input: bytes)
        guard case .itemAdded(let item, let count) = answer else {
            throw VaultRefusal.workerFailed("\(answer)")
        }
        #expect(count == UInt64(bytes.count))
        return item
    }

    @Test("an item comes back as it was, whatever its size")
    func addAndGet() throws {
        var (machine, id) = try items()
        for count in [0, 1, 4096, 65_516, 65_517, 300_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
            let item = try add(&machine, id, "file \(count)", bytes)
            #expect(machine.state[.item(id, item)]?.count ?? 0 > count)
            try machine.ask(.itemsGet(id, item), password)
            #expect(machine.written == bytes)
        }
        try machine.ask(.itemsList(id), password)
        let lines = try machine.text.split(separator: "\n").map {
            try JSON(parsing: Array($0.utf8), name: "list")
        }
        #expect(try lines.map { try $0["size"].int } == [0, 1, 4096, 65_516, 65_517, 300_000])
        #expect(try lines[1]["name"].string == "file 1")
        #expect(try lines[1]["type"].string == "text/plain")
        #expect(try lines[1]["modified"].int == 1234)
        #expect(try lines[1]["added"].int == Int(machine.time))
    }

    @Test("a removed item is gone, with its file, and stays in the log as removed")
    func remove() throws {
        var (machine, id) = try items()
        let first = try add(&machine, id, "one", [1])
        let second = try add(&machine, id, "two", [2])
        try machine.ask(.itemsRemove(id, first), password)
        #expect(machine.state[.item(id, first)] == nil)
        #expect(throws: VaultRefusal.noSuchItem(first)) {
            try machine.ask(.itemsRemove(id, first), password)
        }
        try machine.ask(.itemsList(id), password)
        #expect(machine.text.split(separator: "\n").count == 1)
        try machine.ask(.itemsGet(id, second), password)
        #expect(machine.written == [2])
        #expect(try machine.ledger().contains { $0.contains("was removed") })
    }

    @Test("a wallet holds no items, and a name and a password are needed")
    func refusals() throws {
        var made = try MadeWallet.copy()
        #expect(throws: VaultRefusal.wrongKind(made.id, .wallet)) {
            try made.machine.ask(
                .itemsAdd(made.id), password.merging([.itemName: "x"]) { $1 }, input: [1])
        }
        var (machine, id) = try items()
        #expect(throws: VaultRefusal.missingField(.itemName)) {
            try machine.ask(.itemsAdd(id), password, input: [1])
        }
        #expect(throws: VaultRefusal.notHandedOver(.input)) {
            try machine.ask(
                .itemsAdd(id), password.merging([.itemName: "x", .itemSize: "1"]) { $1 })
        }
        #expect(throws: VaultRefusal.wrongPassword(failures: 1, wait: 0)) {
            try machine.ask(
                .itemsAdd(id), [.password: "Wrong horse 1", .itemName: "x"], input: [1])
        }
        #expect(machine.state.keys.filter { $0.path.hasPrefix("items/") } == [.itemsHead(id)])
    }

    @Test("an input of another size than was said is not sealed, for its writer may have died")
    func otherSize() throws {
        var (machine, id) = try items()
        let before = machine.state
        for size in ["0", "69999", "70001", "18446744073709551615"] {
            let refusal = refusalOf {
                try machine.ask(
                    .itemsAdd(id), password.merging([.itemName: "x", .itemSize: size]) { $1 },
                    input: [UInt8](repeating: 7, count: 70_000))
            }
            #expect(refusal == .badInput("70000 bytes came instead of \(size)"))
        }
        for (size, expected) in [
            ("70000 ", VaultRefusal.malformed(.itemSize, place: 0, "it is no number of bytes")),
            (nil, .missingField(.itemSize)),
        ] {
            var fields = password
            fields[.itemName] = "x"
            fields[.itemSize] = size
            #expect(throws: expected) { try machine.ask(.itemsAdd(id), fields, input: [7]) }
        }
        #expect(machine.state.keys.filter { $0.path.hasPrefix("items/") } == [.itemsHead(id)])
        #expect(machine.state[.itemsHead(id)] == before[.itemsHead(id)])
    }

    @Test("an item that was changed, cut, swapped or set back is refused as that")
    func damaged() throws {
        var (machine, id) = try items()
        let bytes = [UInt8](repeating: 7, count: 100_000)
        let first = try add(&machine, id, "one", bytes)
        let second = try add(&machine, id, "two", bytes)
        let whole = try #require(machine.state[.item(id, first)])
        func refused(_ file: [UInt8]?) throws {
            machine.state[.item(id, first)] = file
            let refusal = refusalOf {
                try machine.ask(.itemsGet(id, first), password)
            }
            switch refusal {
            case .damaged(.item(id, first), _), .missing(.item(id, first)),
                .newerVersion(.item(id, first), _):
                break
            default: Issue.record("\(String(describing: refusal))")
            }
        }
        for place in stride(from: 0, to: whole.count, by: 6007) {
            var file = whole
            file[place] ^= 0x80
            try refused(file)
        }
        try refused(Array(whole.dropLast()))
        try refused(Array(whole[..<50]))
        try refused(machine.state[.item(id, second)])
        try refused(nil)
    }

    @Test("a log whose entries were cut off or set back is found before anything is added to it")
    func log() throws {
        var (machine, id) = try items()
        _ = try add(&machine, id, "one", [1])
        let one = machine.state
        _ = try add(&machine, id, "two", [2])
        machine.state[.itemsLog(id)] = one[.itemsLog(id)]
        let refusal = refusalOf {
            try machine.ask(.itemsList(id), password)
        }
        guard case .damaged(.itemsLog(id), let why) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(why.contains("cut off"))
        machine.state[.itemsHead(id)] = nil
        #expect(throws: VaultRefusal.missing(.itemsHead(id))) {
            try machine.ask(.itemsList(id), password)
        }
    }
    @Test("a log that was taken away or set back together with its head is missed")
    func setBack() throws {
        var (machine, id) = try items()
        let empty = machine.state
        _ = try add(&machine, id, "one", [1])
        let one = machine.state
        _ = try add(&machine, id, "two", [2])
        try machine.ask(.ledgerVerify)
        machine.state[.itemsHead(id)] = nil
        machine.state[.itemsLog(id)] = nil
        #expect(throws: VaultRefusal.missing(.itemsHead(id))) {
            try machine.ask(.itemsList(id), password)
        }
        for old in [empty, one] {
            machine.state[.itemsHead(id)] = old[.itemsHead(id)]
            machine.state[.itemsLog(id)] = old[.itemsLog(id)]
            let refusal = refusalOf { try machine.ask(.ledgerVerify) }
            guard case .ledgerBroken(_, let why) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(why.contains("were set back"))
        }
    }

    @Test("every bit of a small item, of the log and of its head, flipped, is refused")
    func flippedBits() throws {
        var (machine, id) = try items()
        let item = try add(&machine, id, "one", [1, 2, 3])
        let whole = machine.state
        var generator = SeededGenerator(seed: 7)
        for file in [StateFile.item(id, item), .itemsLog(id), .itemsHead(id)] {
            let bytes = try #require(whole[file])
            // The password costs a derivation each time; every bit is flipped in VaultTests.
            for _ in 0..<6 {
                let bit = Int.random(in: 0..<bytes.count * 8, using: &generator)
                machine.state[file]?[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(throws: VaultRefusal.self, "\(file) bit \(bit)") {
                    try machine.ask(.itemsGet(id, item), password)
                }
                #expect(machine.written.isEmpty)
                machine.state[file] = bytes
            }
        }
        try machine.ask(.itemsGet(id, item), password)
        #expect(machine.written == [1, 2, 3])
    }
}
