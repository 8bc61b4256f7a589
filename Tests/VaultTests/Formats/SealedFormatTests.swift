import Foundation
import SecretMemory
import StateFiles
import Testing
import Wire

@testable import Vault

/// JSON's null among the fields of a record.
enum NoValue {
    static var null: Any { NSNull() }
}

/// Vectors of streams, logs and backups, and what is exchanged with the second implementation.
@Suite("Vectors of streams and logs")
struct SealedFormatVectorTests {
    static let events: [LedgerEvent] = [
        .started(version: "1.0.0"),
        .approved(
            LedgerApproval(
                txid: Bytes32 { $0.copyBytes(from: fixedBytes("txid", count: 32)) },
                sent: 2_100_000_000_000_000, fee: 141,
                destinations: [
                    .init(amount: 546, address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")
                ],
                file: Bytes32 { $0.copyBytes(from: fixedBytes("file", count: 32)) },
                report: Bytes32 { $0.copyBytes(from: fixedBytes("report", count: 32)) },
                origin: .link)),
        .approved(
            LedgerApproval(
                txid: .zero, sent: 0, fee: nil, destinations: [], file: .zero, report: .zero,
                origin: .console)),
        .refused(LedgerRefusal(origin: .link, code: "rate", count: 70_000, first: 5, last: 9)),
        .passwordFailed(.sign, failures: 3), .operation(.rename, name: "Ersparnisse für Zoë"),
        .backedUp(bytes: 1 << 33, digest: .zero), .restored(madeAt: 7, digest: .zero),
        .registered(name: "2 of 3", digest: .zero), .item(.added, identifier(9), logCounter: 3),
        .damageFound("entry 7 was changed"),
        .messageSigned(address: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", digest: .zero),
        .rejected(file: .zero, reason: "nicht von mir"),
        .undelivered(file: .zero, reason: "Die Konsole war schon fort."),
    ]

    static var items: [ItemsEvent] {
        let header = StreamHeader(
            .item(identifier(0x1D)), of: .fixed("items"),
            using: .scripted([fixedBytes("salt", count: 32)]))
        return [
            .added(
                ItemRecord(
                    header: header, name: "Reisepass.pdf", type: "application/pdf", size: 70_000,
                    modifiedAt: 1_600_000_000)), .renamed(identifier(0x1D), name: "Pass ☂"),
            .removed(identifier(0x1D)),
        ]
    }

    static func ledger(from bytes: (String, Int) -> [UInt8]) throws -> FormatCase {
        let scopes: [LogScope] = [.machine, .vault(LogFormats.wallet)]
        let records = events.enumerated().map { number, event in
            LedgerRecord(event, scope: scopes[number % 2]).logRecord
        }
        return try LogFormats.log(
            .ledger(LogFormats.ledger), records, title: "ledger", from: bytes)
    }

    static func itemsLog(from bytes: (String, Int) -> [UInt8]) throws -> FormatCase {
        try LogFormats.log(
            .items(.fixed("items")), items.map { $0.logRecord(of: .fixed("items")) },
            title: "items log", from: bytes)
    }

    @Test("items and backups are what they were when the vectors were written")
    func streams() throws {
        let cases = [
            try StreamFormats.item([], name: "empty item", from: fixedBytes),
            try StreamFormats.item(
                fixedBytes("content", count: 4097), name: "item", from: fixedBytes),
            try StreamFormats.backup(
                {
                    StreamFormats.parts(
                        $0, items: [[5], [6, 7]].map { $0 + fixedBytes("x", count: 80) })
                },
                name: "backup", from: fixedBytes),
        ]
        #expect(try FormatVectors.hold(cases, in: "streams.json"))
    }

    @Test("logs, keys and records are what they were when the vectors were written")
    func logs() throws {
        let actor = LedgerActor(user: 1000, terminal: "/dev/pts/1")
        let records =
            Self.events.map { LogFormats.record($0, by: actor) }
            + [LogFormats.record(Self.events[0], by: nil)] + Self.items.map(LogFormats.record)
        let cases =
            [
                try Self.ledger(from: fixedBytes), try Self.itemsLog(from: fixedBytes),
                try LogFormats.ledgerKey(isWhole: true, from: fixedBytes),
                try LogFormats.ledgerKey(isWhole: false, from: fixedBytes),
                try LogFormats.importedKeys(from: fixedBytes),
            ] + records
        #expect(cases.count == 5 + 14 + 1 + 3)
        #expect(try FormatVectors.hold(cases, in: "logs.json"))
    }

    @Test("the second implementation opens what was written here, and writes the same")
    func exchange() throws {
        func fresh(_ name: String, _ count: Int) -> [UInt8] {
            fixedBytes("\(seed) \(name)", count: count)
        }
        let seed = Hex.encode(RandomSource.kernel.bytes(count: 16))
        let long = StreamSamples.content(2 * StreamChunk.capacity + 10)
        var cases = try [0, 1, 4096, 4097, StreamChunk.capacity, StreamChunk.capacity + 1].map {
            try StreamFormats.item(Array(long.prefix($0)), name: "\($0)", from: fresh)
        }
        cases.append(
            try StreamFormats.backup(
                { StreamFormats.parts($0, items: [long]) }, name: "long", from: fresh))
        cases.append(try Self.ledger(from: fresh))
        cases.append(try Self.itemsLog(from: fresh))
        cases.append(try LogFormats.importedKeys(from: fresh))
        cases.append(try LogFormats.ledgerKey(isWhole: true, from: fresh))
        cases.append(try LogFormats.ledgerKey(isWhole: false, from: fresh))
        for one in cases {
            let read = try SecondImplementation.open(one.format, one.bytes, one.inputs)
            #expect(try sameJSON(read, one.contents), "\(one.name)")
            #expect(try SecondImplementation.write(one.format, one.inputs) == one.bytes)
            for place in [30, one.bytes.count / 2, one.bytes.count - 1] {
                var changed = one.bytes
                changed[place] ^= 1
                #expect(throws: SecondImplementation.Failure.self, "\(one.name) \(place)") {
                    try SecondImplementation.open(one.format, changed, one.inputs)
                }
            }
        }
    }

    @Test("the second implementation verifies an export of the ledger with no key of it")
    func export() throws {
        let key = LogKey.newLedger()
        let records = Self.events.map { LedgerRecord($0, scope: .vault(LogFormats.wallet)) }
        let log = try key.append(records, time: 1_750_000_000, after: nil)
        var lines = [LedgerExport.firstLine(of: key, publicKey: key.publicKey)]
        var reader = LogReader(key.name, publicKey: key.publicKey)
        log.entries.withUnsafeBytes { bytes in
            reader.append(bytes, keys: key) { entry, record in
                lines.append(LedgerExport.line(of: entry, record: record, keys: key))
            }
        }
        lines.append(LedgerExport.lastLine(of: log.head))
        let publicKey = ["public key": key.publicKey.description]
        func verify(_ lines: [String]) throws -> [String: Any] {
            try SecondImplementation.open(
                "ledger export", Array(lines.joined().utf8), publicKey)
        }
        let expected: [String: Any] = ["records": Self.events.map { ["event": $0.listed] }]
        let found = try verify(lines)
        #expect(try sameJSON(found, expected))
        var without = lines
        without.remove(at: 3)
        var swapped = lines
        swapped.swapAt(3, 4)
        var cut = lines
        cut.remove(at: lines.count - 2)
        let edited = lines.map { $0.replacingOccurrences(of: "\"time\":175", with: "\"time\":165") }
        let other = [LedgerExport.firstLine(of: key, publicKey: .zero)] + lines.dropFirst()
        for wrong in [without, swapped, cut, edited, other] {
            #expect(throws: SecondImplementation.Failure.self) { try verify(wrong) }
        }
    }
}
