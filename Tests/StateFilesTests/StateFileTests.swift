import StateFiles
import Testing
import Wire

@Suite("The signer's files")
struct StateFileTests {
    static let vault = id(0) as VaultID
    static let item = id(16) as ItemID
    static let ledger = id(32) as LedgerID

    /// The id of 16 bytes that count from `first`.
    static func id<Named>(_ first: UInt8) -> Identifier<Named> {
        guard let id = Identifier<Named>(Array(first..<first + 16)) else {
            preconditionFailure("16 bytes make an id")
        }
        return id
    }

    /// One of every case; the switch fails to compile when a case is new.
    static let all: [StateFile] = {
        let files: [StateFile] = [
            .deviceKey, .indexKey, .secretKey(vault), .vault(vault), .name(vault),
            .attempts(vault), .index(vault), .itemsLog(vault), .itemsHead(vault),
            .item(vault, item), .ledgerKey, .ledgerHead, .ledgerEntries,
            .importedLedgerKey(ledger), .importedLedgerHead(ledger),
            .importedLedgerEntries(ledger),
        ]
        for file in files {
            switch file {
            case .deviceKey, .indexKey, .secretKey, .vault, .name, .attempts, .index, .itemsLog,
                .itemsHead, .item, .ledgerKey, .ledgerHead, .ledgerEntries, .importedLedgerKey,
                .importedLedgerHead, .importedLedgerEntries:
                break
            }
        }
        return files
    }()

    @Test("Every file is found by its path, and no two share one")
    func paths() {
        #expect(Set(Self.all.map(\.path)).count == 16)
        for file in Self.all {
            #expect(StateFile(path: file.path) == file)
            #expect(file.path.hasPrefix(file.directory))
        }
    }

    @Test("A path that is not exactly a file's is nobody's")
    func otherPaths() {
        let id = Self.vault.description
        var paths = [
            "", "/", ".", "..", "journal", "device.key.new", "/device.key", "device.key/",
            "./device.key", "ledger//key", "vaults/../device.key", "vaults/\(id)",
            "vaults/\(id).vault.new", "vaults/\(id.uppercased()).vault", "vaults/0\(id).vault",
            "index/\(id).vault", "items/\(id)/", "items/\(id)/\(id).vault", "items/log",
            "ledger/other/\(id)/key", "ledger/imported/\(id)/", "ledger/imported/\(id)/other",
            "vaults/\(id).vault\0", "items/\(id)/\(id).item/x",
        ]
        // Every file's path with one character away, or one too many.
        for path in Self.all.map(\.path) {
            for index in path.indices {
                var short = path
                short.remove(at: index)
                var long = path
                long.insert("é", at: index)
                paths += [short, long]
            }
        }
        #expect(paths.count > 800)
        for path in paths { #expect(StateFile(path: path) == nil, "\(path)") }
    }

    @Test("An id is 16 bytes and 32 digits, and nothing else")
    func ids() {
        #expect(Self.vault.description == "000102030405060708090a0b0c0d0e0f")
        #expect(VaultID(text: Self.vault.description) == Self.vault)
        #expect(Self.vault.bytes == Array(0..<16))
        #expect(VaultID([1]) == nil)
        #expect(VaultID(Array(0..<17)) == nil)
        #expect(VaultID(text: "00") == nil)
        #expect(VaultID(text: String(repeating: "g", count: 32)) == nil)
        #expect(VaultID(text: String(repeating: "A", count: 32)) == nil)
    }

    @Test("Every change comes back as it was written, and no shorter")
    func changes() throws {
        let samples: [StateChange] = [
            .put(.name(Self.vault), [1, 2, 3]), .put(.indexKey, []), .remove(.ledgerKey),
            .append(.ledgerEntries, at: 1 << 40, [9]),
            .adopt(.item(Self.vault, Self.item)),
            .copy(.ledgerKey, to: .importedLedgerKey(Self.ledger)),
        ]
        for sample in samples {
            var writer = Writer()
            sample.encode(into: &writer)
            var reader = Reader(writer.bytes)
            #expect(try StateChange(from: &reader) == sample)
            #expect(reader.isAtEnd)
            for count in 0..<writer.bytes.count {
                var reader = Reader(Array(writer.bytes[..<count]))
                #expect(throws: WireError.self) { try StateChange(from: &reader) }
            }
        }
    }

    @Test("Waits follow both schedules")
    func schedules() {
        let standard = (0...14).map { AttemptSchedule.standard.wait(after: UInt32($0)) }
        #expect(standard == [0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        let strict = (0...12).map { AttemptSchedule.strict.wait(after: UInt32($0)) }
        #expect(strict == [0, 0, 0, 0, 0, 0, 30, 60, 300, 900, 3600, 3600, 3600])
        for schedule in AttemptSchedule.allCases {
            #expect(schedule.wait(after: .max) >= 300)
            #expect(AttemptSchedule(name: "\(schedule)") == schedule)
        }
    }
}
