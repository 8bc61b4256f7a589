import StateFiles
import Wire

@testable import Vault

/// Cases of items and backups, from values that `bytes` gives by name and length.
enum StreamFormats {
    static func item(
        _ content: [UInt8], name: String, from bytes: (String, Int) -> [UInt8]
    ) throws -> FormatCase {
        let master = bytes("master key", 32)
        let vault = VaultID.fixed("items"), item: ItemID = identifier(0x1D)
        let salt = bytes("salt \(name)", 32)
        let header = StreamHeader(.item(item), of: vault, using: .scripted([salt]))
        let key = MasterKey(secret(master)).itemKey(item)
        var file = header.bytes
        var writer = SealedStreamWriter(item: header, master: MasterKey(secret(master)))
        content.withUnsafeBytes { writer.append($0) { file += $0 } }
        writer.finish { file += $0 }
        return FormatCase(
            name: name, format: "item",
            inputs: [
                "master key": Hex.encode(master), "vault": vault.description,
                "item": item.description, "salt": Hex.encode(salt), "content": Hex.encode(content),
            ],
            onTheWay: [
                "item key": Hex.encode(key.revealed()),
                "stream key": Hex.encode(
                    key.key(for: DomainLabel("stream"), salt: salt).revealed()),
            ], bytes: file, contents: ["content": Hex.encode(content)])
    }

    static func parts(_ vault: VaultID, items: [[UInt8]]) -> [(BackupPart, [UInt8])] {
        let information = BackupInformation(
            vault: vault, madeAt: 1_750_000_001, ledger: identifier(0x1E), ledgerCounter: 7)
        let key = LogKey(.ledger(identifier(0x1E)), root: secret(fixedBytes("root", count: 32)))
        let start: [(BackupPart, [UInt8])] = [
            (.information, information.bytes), (.vault, fixedBytes("a vault", count: 40)),
            (.name, Array("Ersparnisse".utf8)), (.registration(identifier(1)), [1]),
            (.registration(identifier(2)), [2]),
            (.ledgerKey, BackupLedgerKey(of: vault, in: key).bytes().revealed()),
            (.ledgerEntries, []),
        ]
        return start
            + items.enumerated().map { (.item(identifier(UInt8($0.offset + 1))), $0.element) }
    }

    static func backup(
        _ parts: (VaultID) -> [(BackupPart, [UInt8])], name: String,
        from bytes: (String, Int) -> [UInt8]
    ) throws -> FormatCase {
        let secretKey = bytes("secret key", 32)
        let vault = VaultID.fixed("backup")
        let salt = bytes("salt \(name)", 32)
        let key = VaultSecretKey(secret(secretKey))
        let parts = parts(vault)
        var writer = BackupWriter(of: vault, key: key, using: .scripted([salt]))
        var file = writer.header.bytes
        for (part, data) in parts { try writer.add(part, data) { file += $0 } }
        try writer.finish { file += $0 }
        let listed: [[Any]] = parts.map { part, data in
            [Int(part.key[0]), Hex.encode(part.key.dropFirst()), Hex.encode(data)]
        }
        let backupKey = key.backupKey(of: vault)
        return FormatCase(
            name: name, format: "backup",
            inputs: [
                "secret key": Hex.encode(secretKey), "vault": vault.description,
                "salt": Hex.encode(salt), "parts": listed,
            ],
            onTheWay: [
                "backup key": Hex.encode(backupKey.revealed()),
                "stream key": Hex.encode(
                    backupKey.key(for: DomainLabel("stream"), salt: salt).revealed()),
            ], bytes: file, contents: ["parts": listed])
    }
}
