import JSON
import Messages
import StateFiles
import Testing
import Wire

@testable import ConsoleCore

@Suite("Answers about vaults, as people and programs read them")
struct VaultAnswerTests {
    private static func id(_ byte: UInt8) -> VaultID {
        guard let id = VaultID([UInt8](repeating: byte, count: 16)) else { preconditionFailure() }
        return id
    }

    private static let item: ItemID = {
        guard let id = ItemID([UInt8](repeating: 5, count: 16)) else { preconditionFailure() }
        return id
    }()
    private static let ledger: LedgerID = {
        guard let id = LedgerID([UInt8](repeating: 6, count: 16)) else { preconditionFailure() }
        return id
    }()
    private static let digest = Bytes32 { $0.copyBytes(from: [UInt8](repeating: 0xAB, count: 32)) }
    private static let evil = "a\u{1b}[2Jb\nc"
    private static let row = VaultRow(
        id: id(1), kind: .wallet, chain: .mainnet, createdAt: 1_764_460_800, name: evil,
        problem: evil)

    private static let answers: [VaultAnswer] = [
        .done(remarks: [evil]), .vaults([]), .vaults([row]),
        .index(fingerprint: "0011aabb", [IndexRow(title: evil, path: evil, value: evil)]),
        .made(
            id(2), fingerprint: "0011aabb", [IndexRow(title: "a", path: "b", value: "c")],
            remarks: [evil]),
        .ledger([LedgerRow(counter: 7, time: 9, vault: id(3), text: evil)], last: 8),
        .ledgerHolds(entries: 3, head: digest, remarks: ["a sentence"]),
        .restored(id(4), [RestoreRow(what: evil, effect: .kept, count: 2)], remarks: [evil]),
        .backedUp(bytes: 5, digest: digest, items: 6, remarks: [evil]),
        .itemAdded(item, bytes: 10), .written(11),
        .importedLedgers([]),
        .importedLedgers([
            ImportedLedgerRow(id: ledger, entries: 3, vaults: [id(1), id(2)])
        ]),
        .messageSigned(
            MessageSignature(
                row: IndexRow(title: evil, path: evil, value: evil), form: .bip322Full,
                digest: digest, signature: evil)),
    ]

    @Test("nothing from outside reaches a terminal as a command", arguments: answers)
    func visible(answer: VaultAnswer) {
        for line in answer.lines + answer.json.text.split(separator: "\n").map(String.init) {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        }
    }

    @Test(
        "every JSON answer names its schema, and reads back as it was written", arguments: answers)
    func schema(answer: VaultAnswer) throws {
        let read = try JSONReader.read(Array(answer.json.text.utf8))
        #expect(read == answer.json)
        let schema = try #require(read["schema"]?.string)
        #expect(schema.hasPrefix("bulkhead-") && schema.hasSuffix("-1"))
    }

    @Test("the list of vaults has id, name, kind, network, day and problem")
    func vaults() throws {
        let json = VaultAnswer.vaults([Self.row]).json
        guard case .array(let rows)? = json["vaults"], let row = rows.first else {
            Issue.record("no rows")
            return
        }
        #expect(row["id"]?.string == String(repeating: "01", count: 16))
        #expect(row["kind"]?.string == "wallet" && row["network"]?.string == "mainnet")
        #expect(row["createdAt"]?.integer == 1_764_460_800)
        #expect(row["problem"]?.string == Self.evil)
        let lines = VaultAnswer.vaults([Self.row]).lines
        #expect(lines.count == 3 && lines[1].contains("2025-11-30"))
    }

    @Test("of a hundred addresses of one kind people read the first one, and programs all")
    func keys() throws {
        var rows = [IndexRow(title: "BIP84", path: "m/84h/0h/0h", value: "xpub")]
        rows += (0..<100).map {
            IndexRow(title: "TRON address", path: "m/44h/195h/0h/0/\($0)", value: "T\($0).")
        }
        rows += (0..<3).map { IndexRow(title: "Solana", path: "m/\($0)", value: "S\($0).") }
        let answer = VaultAnswer.index(fingerprint: "0011aabb", rows)
        let text = answer.lines.joined(separator: "\n")
        #expect(text.contains("xpub") && text.contains("T0.") && !text.contains("T1."))
        #expect(text.contains("to m/44h/195h/0h/0/99") && text.contains("99 more in --json"))
        #expect((0..<3).allSatisfy { text.contains("S\($0).") })
        guard case .array(let all)? = answer.json["keys"] else {
            Issue.record("no keys")
            return
        }
        #expect(all.count == rows.count)
    }

    @Test("each refusal has a code of its own for programs")
    func refusals() {
        let refusals: [VaultRefusal] = [
            .noSuchVault(Self.id(1)), .wrongKind(Self.id(1), .items), .wrongChain(.regtest),
            .alreadyThere(Self.id(1)), .badName("x"), .badAddress("x"), .badRange, .wrongName,
            .wordCount(13),
            .missingField(.password), .malformed(.words, place: 1, "x"), .notHandedOver(.input),
            .passwordRule("x"), .outputFailed, .badInput("x"), .tooLarge(found: 1, allowed: 0),
            .passphraseIsFixed, .wrongPassword(failures: 1, wait: 0), .mustWait(3), .wrongCode,
            .wrongSecretKey, .damaged(.deviceKey, "x"), .newerVersion(.deviceKey, 2),
            .missing(.deviceKey), .unsafeKey(.deviceKey, "x"), .ledgerBroken(1, "x"),
            .littleMemory(needed: 2, free: 1), .diskFailed("x"), .diskUnread("x"),
            .diskUncertain("x"), .busy,
            .workerFailed("x"),
        ]
        #expect(Set(refusals.map(\.code)).count == refusals.count)
        #expect(refusals.allSatisfy { !$0.sentence.isEmpty })
    }

    @Test("a vault is meant by name, by id, or by being the only one")
    func choice() throws {
        func row(_ byte: UInt8, _ kind: VaultKind, _ name: String) -> VaultRow {
            VaultRow(id: Self.id(byte), kind: kind, chain: .mainnet, createdAt: 0, name: name)
        }
        let rows = [
            row(1, .wallet, "Savings"), row(2, .items, "Papers"), row(3, .wallet, "Twin"),
            row(4, .wallet, "Twin"),
        ]
        func find(_ name: String?, _ kind: VaultKind?, _ rows: [VaultRow]) -> VaultID? {
            (try? VaultChoice.find(name, kind: kind, in: rows))?.id
        }
        #expect(find("Savings", .wallet, rows) == Self.id(1))
        #expect(find(Self.id(4).description, nil, rows) == Self.id(4))
        // A vault that was given another one's id as its name is in nobody's way.
        let squatter = row(5, .items, Self.id(4).description)
        #expect(find(Self.id(4).description, nil, [squatter] + rows) == Self.id(4))
        #expect(find(nil, .items, rows) == Self.id(2))
        #expect(find(nil, .wallet, rows) == nil && find("Twin", nil, rows) == nil)
        #expect(throws: VaultChoice.Problem.unknown("Saving", nearest: "Savings")) {
            try VaultChoice.find("Saving", kind: nil, in: rows)
        }
        #expect(throws: VaultChoice.Problem.none(.wallet)) {
            try VaultChoice.find(nil, kind: .wallet, in: [])
        }
    }

    @Test("where the name of a vault can be taken for another one's, its id stands beside it")
    func titles() {
        func row(_ byte: UInt8, _ name: String) -> VaultRow {
            VaultRow(id: Self.id(byte), kind: .wallet, chain: .mainnet, createdAt: 0, name: name)
        }
        let rows = [row(1, "Savings"), row(2, "SAVINGS"), row(3, "Papers"), row(4, ""), row(5, "")]
        let titles = rows.map { rows.title(of: $0) }
        let ids = rows.map(\.id.description)
        #expect(
            titles == [
                "Savings (vault \(ids[0]))", "SAVINGS (vault \(ids[1]))", "Papers",
                "vault \(ids[3])", "vault \(ids[4])",
            ])
    }

    @Test("a list of items is read line by line, and an item is meant by its only name")
    func items() throws {
        let id = String(repeating: "0a", count: 16)
        let text = [
            "{\"id\":\"\(id)\",\"name\":\"will.pdf\",\"type\":\"\",\"size\":10,\"modified\":86400}",
            "{\"id\":\"\(String(repeating: "0b", count: 16))\",\"name\":\"twin\"}",
            "{\"id\":\"\(String(repeating: "0c", count: 16))\",\"name\":\"twin\"}",
        ].joined(separator: "\n")
        let items = try ItemList.items(in: Array(text.utf8))
        #expect(items.count == 3)
        #expect(try ItemList.find("will.pdf", in: items).description == id)
        #expect(throws: ItemList.Problem.unknown("wil.pdf", nearest: "will.pdf")) {
            try ItemList.find("wil.pdf", in: items)
        }
        #expect(throws: ItemList.Problem.self) { try ItemList.find("twin", in: items) }
        #expect(ItemList.lines(of: items)[1].contains("1970-01-02"))
        #expect(throws: JSONError.self) { try ItemList.items(in: Array("{".utf8)) }
    }
}
