import SecretMemory
import StateFiles
import Testing
import Wire

@testable import Vault

@Suite("Items")
struct ItemsTests {
    private static let vault: VaultID = identifier(0x11)

    private static func record(_ byte: UInt8, name: String = "Passport.pdf") -> ItemRecord {
        ItemRecord(
            header: StreamHeader(.item(identifier(byte)), of: vault, using: .fixed("\(byte)")),
            name: name, type: "application/pdf", size: 70_000, modifiedAt: 1_600_000_000)
    }

    private static func master() -> MasterKey {
        MasterKey(secret([UInt8](repeating: 3, count: 32)))
    }

    /// The catalogue that a log of these events makes.
    private static func catalogue(_ events: [ItemsEvent]) throws -> ItemsCatalogue {
        let key = master().itemsLogKey(of: vault)
        let log = try key.append(
            events.map { $0.logRecord(of: vault) }, time: 5, after: nil, using: .fixed("items"))
        var reader = LogReader(key.name, publicKey: key.publicKey)
        var catalogue = ItemsCatalogue()
        try log.entries.withUnsafeBytes { bytes in
            try reader.append(bytes, keys: key) { entry, record in
                try catalogue.apply(try #require(record), of: entry)
            }
        }
        #expect(reader.finish(head: log.head) == [])
        return catalogue
    }

    @Test("the log tells which items are there, under which names")
    func catalogue() throws {
        let catalogue = try Self.catalogue([
            .added(Self.record(1)), .added(Self.record(2)), .added(Self.record(3)),
            .renamed(identifier(3), name: "Will.pdf"), .removed(identifier(2)),
            .added(Self.record(4, name: "")),
        ])
        #expect(catalogue.count == 3)
        #expect(catalogue.items.map(\.record.id) == [identifier(1), identifier(3), identifier(4)])
        #expect(catalogue.items.map(\.name) == ["Passport.pdf", "Will.pdf", ""])
        #expect(catalogue[identifier(3)]?.record == Self.record(3))
        #expect(catalogue[identifier(3)]?.addedAt == 5)
        #expect(catalogue[identifier(2)] == nil)
    }

    @Test("entries that contradict the ones before are told")
    func contradictions() throws {
        let wrong: [[ItemsEvent]] = [
            [.added(Self.record(1)), .added(Self.record(1))], [.removed(identifier(1))],
            [.renamed(identifier(1), name: "x")],
            [.added(Self.record(1)), .removed(identifier(1)), .removed(identifier(1))],
        ]
        for events in wrong {
            #expect(throws: ItemsCatalogue.Failure.contradiction(entry: UInt64(events.count))) {
                try Self.catalogue(events)
            }
        }
    }

    @Test("events come back as they were, and cut ones are refused")
    func events() throws {
        for event in [
            ItemsEvent.added(Self.record(1)), .removed(identifier(1)),
            .renamed(identifier(1), name: "Ä"),
        ] {
            let bytes = event.logRecord(of: Self.vault).bytes
            #expect(try ItemsEvent(bytes) == event)
            for count in bytes.indices {
                #expect(throws: WireError.self) { try ItemsEvent(Array(bytes[..<count])) }
            }
            #expect(throws: WireError.self) { try ItemsEvent(bytes + [0]) }
        }
        #expect(throws: WireError.self) { try ItemsEvent([4]) }
    }

    @Test("an item's file is known by its header, so that no other one takes its place")
    func headers() {
        let record = Self.record(1)
        let own = StreamHeader(.item(identifier(1)), of: Self.vault, using: .fixed("1"))
        let other = StreamHeader(.item(identifier(1)), of: Self.vault, using: .fixed("2"))
        #expect(record.belongs(own) && !record.belongs(other))
    }

    @Test("each item and each vault has a key of its own")
    func keys() {
        let master = Self.master()
        let a = master.itemKey(identifier(1)).revealed()
        let b = master.itemKey(identifier(2)).revealed()
        #expect(a != b)
        let log = master.itemsLogKey(of: Self.vault).publicKey
        let other = master.itemsLogKey(of: identifier(0x12)).publicKey
        #expect(log != other)
    }
}
