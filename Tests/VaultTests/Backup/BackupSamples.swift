import SecretMemory
import StateFiles

@testable import Vault

/// A small backup and what comes out of one.
enum BackupSamples {
    static let vault: VaultID = identifier(0x77)

    static func key() throws -> VaultSecretKey {
        VaultSecretKey(secret([UInt8](repeating: 0x78, count: 32)))
    }

    static let information = BackupInformation(
        vault: vault, madeAt: 1_700_000_000, ledger: identifier(0x55), ledgerCounter: 6)

    static let parts: [(BackupPart, [UInt8])] = [
        (.information, information.bytes), (.vault, [1, 2, 3]), (.name, Array("Savings".utf8)),
        (.ledgerEntries, []), (.item(identifier(1)), [UInt8](repeating: 8, count: 4196)),
        (.item(identifier(2)), [UInt8](repeating: 9, count: 80)),
    ]

    static func write(
        _ parts: [(BackupPart, [UInt8])] = parts, seed: String = "backup"
    ) throws -> [UInt8] {
        var writer = BackupWriter(of: vault, key: try key(), using: .fixed(seed))
        var file = writer.header.bytes
        for (part, bytes) in parts { try writer.add(part, bytes) { file += $0 } }
        try writer.finish { file += $0 }
        return file
    }

    static func read(_ file: [UInt8], piece: Int = .max) throws -> [(BackupPart, [UInt8])] {
        let start = min(file.count, StreamHeader.length)
        let header = try StreamHeader(Array(file[..<start]))
        var reader = try BackupReader(of: vault, header: header, key: try key())
        var parts: [(BackupPart, [UInt8])] = []
        func handle(_ event: BackupReader.Event) {
            switch event {
            case .begins(let part, _): parts.append((part, []))
            case .bytes(let bytes): parts[parts.count - 1].1 += bytes
            case .ends: break
            }
        }
        for part in StreamSamples.pieces(Array(file[start...]), piece) {
            try part.withUnsafeBytes { try reader.append($0, to: handle) }
        }
        try reader.finish(to: handle)
        return parts
    }

    /// Seals any content as a backup.
    static func seal(_ content: [UInt8]) throws -> [UInt8] {
        let header = StreamHeader(
            .backup(keyCheck: try key().keyCheck(for: vault)), of: vault, using: .fixed("raw"))
        var writer = SealedStreamWriter(header, key: try key().backupKey(of: vault))
        var file = header.bytes
        content.withUnsafeBytes { writer.append($0) { file += $0 } }
        writer.finish { file += $0 }
        return file
    }
}
