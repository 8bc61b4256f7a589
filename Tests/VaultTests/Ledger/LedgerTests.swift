import JSON
import SecretMemory
import StateFiles
import Testing
import Wire

@testable import Vault

@Suite("Ledger")
struct LedgerTests {
    static let vault: VaultID = identifier(0x44)

    static let events: [LedgerEvent] =
        [
            .started(version: "1.0"), .approved(approval(2)), .approved(approval(0)),
            .approved(approval(300)),
            .refused(LedgerRefusal(origin: .link, code: "P7", count: 12, first: 5, last: 9)),
            .backedUp(bytes: 1 << 40, digest: Bytes32.zero),
            .restored(madeAt: 7, digest: Bytes32.zero),
            .registered(name: "Family", digest: Bytes32.zero),
            .damageFound("entry 7 was changed"),
            .messageSigned(address: String(repeating: "b", count: 90), digest: Bytes32.zero),
            .rejected(file: Bytes32.zero, reason: "not mine"),
            .undelivered(file: Bytes32.zero, reason: "The disk was full."),
        ]
        + LedgerOperation.allCases.map { .operation($0, name: "Sparkonto Ä") }
        + LedgerOperation.allCases.map { .passwordFailed($0, failures: 3) }
        + LedgerItemChange.allCases.map { .item($0, identifier(9), logCounter: 3) }

    static func approval(_ count: Int) -> LedgerApproval {
        LedgerApproval(
            txid: Bytes32.zero, sent: 21, fee: count == 0 ? nil : 141,
            destinations: (0..<count).map {
                .init(amount: UInt64($0), address: String(repeating: "a", count: 255))
            }, file: .zero, report: .zero, origin: .link)
    }

    @Test("every event comes back as it was, and fits into an entry")
    func events() throws {
        var cases = 0
        for event in Self.events {
            for actor in [nil, LedgerActor(user: 1000, terminal: "/dev/pts/3")] {
                let record = LedgerRecord(event, scope: .vault(Self.vault), actor: actor)
                let bytes = record.logRecord.bytes
                #expect(bytes.count <= LedgerEntryLimit.record)
                #expect(try LedgerRecord(bytes, scope: .vault(Self.vault)) == record)
                #expect(!event.description.isEmpty && event.description.utf8.count <= 1024)
                for count in 0..<min(bytes.count, 200) {
                    #expect(throws: WireError.self) {
                        try LedgerRecord(Array(bytes[..<count]), scope: .machine)
                    }
                }
                #expect(throws: WireError.self) {
                    try LedgerRecord(bytes + [0], scope: .machine)
                }
                cases += 1
            }
        }
        #expect(cases == 2 * (12 + 20 + 20 + 3))
    }

    @Test("texts are cut at a character, not refused")
    func longTexts() throws {
        let long = String(repeating: "ä", count: 200)
        let record = LedgerRecord(.operation(.rename, name: long), scope: .machine)
        let read = try LedgerRecord(record.logRecord.bytes, scope: .machine)
        #expect(
            read.event == .operation(.rename, name: String(repeating: "ä", count: 127)))
    }

    @Test("a key file opens under its device key, and with any bit flipped it does not")
    func keyFile() throws {
        let device = try DeviceKey(secret([UInt8](repeating: 1, count: 32)))
        let key = LogSamples.key()
        let file = LedgerKeyFile(sealing: key, under: device, using: .fixed("key"))
        #expect(file.bytes.count == LedgerKeyFile.length)
        let opened = try LedgerKeyFile(file.bytes).openLedger(under: device)
        #expect(opened.publicKey == key.publicKey && opened.name == key.name)
        let stranger = try DeviceKey(secret([UInt8](repeating: 2, count: 32)))
        #expect(throws: LogProblem.keyDamaged) { _ = try file.openLedger(under: stranger) }
        #expect(throws: LogProblem.keyDamaged) { _ = try file.openScope(under: device) }
        for bit in 0..<file.bytes.count * 8 {
            var changed = file.bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: LogProblem.self, "bit \(bit)") {
                _ = try LedgerKeyFile(changed).openLedger(under: device)
            }
        }
    }

    @Test("a key file of one scope opens that scope's key and nothing else")
    func scopeKeyFile() throws {
        let device = try DeviceKey(secret([UInt8](repeating: 1, count: 32)))
        let key = LogSamples.key()
        let file = LedgerKeyFile(
            sealing: key.scopeKey(LogSamples.wallet), publicKey: key.publicKey, under: device,
            using: .fixed("scope"))
        let opened = try LedgerKeyFile(file.bytes).openScope(under: device)
        #expect(opened.scope == LogSamples.wallet && opened.name == key.name)
        let nonce = [UInt8](repeating: 5, count: 24)
        let isSame = opened.entryKey(nonce: nonce)
            .isEqual(to: key.entryKey(LogSamples.wallet, nonce: nonce))
        #expect(isSame)
        #expect(throws: LogProblem.keyDamaged) { _ = try file.openLedger(under: device) }
        for bit in 0..<file.bytes.count * 8 {
            var changed = file.bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: LogProblem.self, "bit \(bit)") {
                _ = try LedgerKeyFile(changed).openScope(under: device)
            }
        }
    }

    @Test("an export opens with its own keys, and tells every entry")
    func export() throws {
        let key = LogSamples.key()
        let records = Self.events.prefix(5).map { LedgerRecord($0, scope: .vault(Self.vault)) }
        let log = try key.append(Array(records), time: 1_700_000_000, after: nil)
        var lines = [LedgerExport.firstLine(of: key, publicKey: key.publicKey)]
        var reader = LogReader(key.name, publicKey: key.publicKey)
        log.entries.withUnsafeBytes { bytes in
            reader.append(bytes, keys: key) { entry, record in
                lines.append(LedgerExport.line(of: entry, record: record, keys: key))
            }
        }
        #expect(reader.finish(head: log.head) == [])
        lines.append(LedgerExport.lastLine(of: log.head))
        #expect(lines.count == 7)
        for (number, line) in lines.dropFirst().prefix(5).enumerated() {
            let value = try JSONReader.read(Array(line.utf8))
            let bytes = try Hex.decode(value["bytes"]?.string ?? "")
            let entryKey = secret(try Hex.decode(value["key"]?.string ?? ""))
            let entry = try #require(LogEntry(bytes))
            #expect(entry.open(key.name, with: entryKey) == records[number].logRecord.bytes)
            #expect(value["text"]?.string == records[number].event.description)
            #expect(value["entry"]?.integer == number + 1)
        }
    }
}

/// The most that an entry takes.
private enum LedgerEntryLimit {
    static let record = LogEntry.maximumRecord
}
