import SecretMemory
import StateFiles
import Vault

extension FuzzTarget {
    /// What is read before or behind a seal: streams, logs, their records and backups.
    func checkSealed(_ bytes: [UInt8]) {
        switch self {
        case .sealedStream: checkStream(bytes)
        case .logEntries: checkLog(bytes)
        case .sealedRecord: checkRecord(bytes)
        case .backupParts: checkBackup(bytes)
        default: expect(false)
        }
    }

    /// A stream that nobody sealed is refused, however it is cut up.
    private func checkStream(_ bytes: [UInt8]) {
        let start = min(bytes.count, StreamHeader.length)
        guard let header = try? StreamHeader(Array(bytes[..<start])) else { return }
        expect(header.bytes == Array(bytes[..<start]))
        var reader = SealedStreamReader(header, key: SecretBytes(count: 32))
        do {
            try bytes[start...].withUnsafeBytes { try reader.append($0) { _ in expect(false) } }
            try reader.finish { _ in expect(false) }
            expect(false)
        } catch {
            expect(error is StreamError)
        }
    }

    /// The entries that are told apart are the bytes they came from, however those are cut up; none
    /// of them is authentic.
    private func checkLog(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let whole = entries(Array(bytes[1...]), step: bytes.count)
        let cut = entries(Array(bytes[1...]), step: max(1, Int(first)))
        expect(whole.entries == cut.entries && whole.problems == cut.problems)
        expect(bytes[1...].starts(with: whole.entries.flatMap(\.bytes)))
        expect(whole.problems.isEmpty == (bytes.count == 1))
        for entry in whole.entries { expect(entry.counter > 0) }
    }

    private func entries(
        _ bytes: [UInt8], step: Int
    ) -> (entries: [LogEntry], problems: [LogProblem]) {
        let key = LogKey(Self.ledger, root: SecretBytes(count: 32))
        var reader = LogReader(key.name, publicKey: key.publicKey)
        var entries: [LogEntry] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { part in
                reader.append(part, keys: key) { entry, record in
                    expect(record == nil)
                    entries.append(entry)
                }
            }
        }
        return (entries, reader.finish(head: nil))
    }

    private static let ledger: LogName = {
        guard let id = LedgerID([UInt8](repeating: 1, count: 16)) else { fatalError("16 bytes") }
        return .ledger(id)
    }()

    /// A record that is read is written with the same bytes again.
    private func checkRecord(_ bytes: [UInt8]) {
        if let record = try? LedgerRecord(bytes, scope: .machine) {
            expect(record.logRecord.bytes == bytes)
            expect(!record.event.description.isEmpty)
        }
        guard let vault = VaultID([UInt8](repeating: 1, count: 16)) else { return expect(false) }
        if let event = try? ItemsEvent(bytes) {
            expect(event.logRecord(of: vault).bytes == bytes)
        }
        if let file = try? LedgerKeyFile(bytes) { expect(file.bytes == bytes) }
        if let head = try? LogHead(bytes) { expect(head.bytes == bytes) }
    }

    /// The parts that are told apart are written with the same bytes again, up to the end.
    private func checkBackup(_ bytes: [UInt8]) {
        var parser = BackupParser()
        var written: [UInt8] = []
        var parts: UInt64 = 0
        do {
            try bytes.withUnsafeBytes {
                try parser.append($0) { event in
                    switch event {
                    case .begins(let part, let length):
                        expect(part.lengths.contains(length))
                        written += BackupFrame(part, length: length).bytes
                        parts += 1
                    case .bytes(let bytes): written += bytes
                    case .ends: break
                    }
                }
            }
            try parser.finish()
            written += BackupFrame(.end, length: 8).bytes
            written += withUnsafeBytes(of: parts.littleEndian) { Array($0) }
            expect(written == bytes)
        } catch {
            expect(error is BackupError)
        }
    }
}
