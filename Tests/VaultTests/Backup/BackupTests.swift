import SecretMemory
import StateFiles
import Testing

@testable import Vault

@Suite("Backups")
struct BackupTests {
    @Test("the parts come out as they went in, in pieces of any length")
    func roundTrip() throws {
        let file = try BackupSamples.write()
        for piece in [1, 100, 70_000] {
            let parts = try BackupSamples.read(file, piece: piece)
            #expect(parts.map(\.0) == BackupSamples.parts.map(\.0))
            #expect(parts.map(\.1) == BackupSamples.parts.map(\.1))
        }
        #expect(try BackupInformation(BackupSamples.information.bytes) == BackupSamples.information)
    }

    @Test("every bit of a backup, flipped, is refused")
    func flippedBits() throws {
        let file = try BackupSamples.write(Array(BackupSamples.parts[..<3]))
        var refused = 0
        for bit in 0..<file.count * 8 {
            var changed = file
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: StreamError.self, "bit \(bit)") { try BackupSamples.read(changed) }
            refused += 1
        }
        #expect(refused == 8 * (80 + 4096 + 20))
    }

    @Test("another vault's secret key opens nothing")
    func otherKey() throws {
        let file = try BackupSamples.write()
        let header = try StreamHeader(Array(file[..<80]))
        #expect(throws: StreamError.wrongSecretKey) {
            _ = try BackupReader(of: BackupSamples.vault, header: header, key: .random())
        }
        #expect(throws: StreamError.anotherStream) {
            _ = try BackupReader(of: identifier(1), header: header, key: try BackupSamples.key())
        }
        #expect(throws: StreamError.anotherStream) {
            _ = try BackupReader(
                of: StreamSamples.vault, header: StreamSamples.header(),
                key: try BackupSamples.key())
        }
    }

    @Test("parts in the wrong order, twice, too long or unknown are refused, by writer and reader")
    func structure() throws {
        let parts = BackupSamples.parts
        let wrong: [([(BackupPart, [UInt8])], BackupError)] = [
            ([parts[1]], .misplaced(.vault)),
            ([parts[0], parts[2], parts[1]], .misplaced(.vault)),
            ([parts[0], parts[0]], .misplaced(.information)),
            (
                [parts[0], parts[1], parts[5], parts[4]],
                .misplaced(.item(identifier(1)))
            ),
            (
                [parts[0], (.vault, [UInt8](repeating: 0, count: 65_537))],
                .length(.vault, found: 65_537)
            ),
        ]
        for (parts, error) in wrong {
            #expect(throws: error) { try BackupSamples.write(parts) }
            let content = parts.flatMap {
                BackupFrame($0.0, length: UInt64($0.1.count)).bytes + $0.1
            }
            #expect(throws: error) { try BackupSamples.read(BackupSamples.seal(content)) }
        }
        let start = Array(frames(parts[..<2]).joined())
        let reads: [([UInt8], BackupError)] = [
            ([UInt8](repeating: 0x63, count: 300), .unknownPart(kind: 0x63)),
            (start, .truncated), (start + [2, 0], .truncated),
            (start + frame(.end, count: 3), .wrongEnd),
            (start + frame(.end, count: 2) + [0], .wrongEnd),
            (Array(frames(parts[..<1]).joined()) + frame(.end, count: 1), .noVault),
            ([1, 255] + [UInt8](repeating: 0, count: 300), .unknownPart(kind: 1)),
        ]
        for (content, error) in reads {
            #expect(throws: error) { try BackupSamples.read(BackupSamples.seal(content)) }
        }
        #expect(
            try BackupSamples.read(BackupSamples.seal(start + frame(.end, count: 2))).count == 2)
    }

    @Test("a file that changes its length while it is copied is refused")
    func changedLength() throws {
        var writer = BackupWriter(of: BackupSamples.vault, key: try BackupSamples.key())
        try writer.add(.information, BackupSamples.information.bytes) { _ in }
        try writer.begin(.vault, length: 10) { _ in }
        #expect(throws: BackupError.changedLength(.vault)) {
            try [UInt8](repeating: 0, count: 11).withUnsafeBytes {
                try writer.append($0) { _ in }
            }
        }
        #expect(throws: BackupError.changedLength(.vault)) {
            try writer.add(.name, [65]) { _ in }
        }
    }

    @Test("the ledger's key in a backup opens the vault's own entries elsewhere")
    func ledgerKey() throws {
        let log = try LogSamples(count: 6)
        guard case .vault(let id) = LogSamples.wallet else { return }
        let packed = BackupLedgerKey(of: id, in: LogSamples.key()).bytes()
        guard let unpacked = BackupLedgerKey(packed) else {
            Issue.record("96 bytes are a key")
            return
        }
        #expect(unpacked.publicKey == LogSamples.key().publicKey)
        var reader = LogReader(unpacked.key.name, publicKey: unpacked.publicKey)
        var opened = 0
        Array(log.entries.joined()).withUnsafeBytes { bytes in
            reader.append(bytes, keys: unpacked.key) { if $1 != nil { opened += 1 } }
        }
        #expect(reader.finish(head: log.heads[5]) == [])
        #expect(opened == 4)
    }

    private func frames(_ parts: ArraySlice<(BackupPart, [UInt8])>) -> [[UInt8]] {
        parts.map { BackupFrame($0.0, length: UInt64($0.1.count)).bytes + $0.1 }
    }

    private func frame(_ part: BackupPart, count: UInt64) -> [UInt8] {
        BackupFrame(part, length: 8).bytes + withUnsafeBytes(of: count.littleEndian) { Array($0) }
    }
}
