public import SecretMemory
public import StateFiles
public import Wire

/// The first part of a backup: whose it is and when it was made.
///
/// `vault (16) || made at (8) || ledger (16) || counter (8)`.
public struct BackupInformation: Hashable, Sendable {
    /// The bytes it takes.
    public static let length = 48

    /// Whose backup it is.
    public let vault: VaultID
    /// Seconds since 1970 by the clock of the machine.
    public let madeAt: UInt64
    /// The ledger of the machine that made it.
    public let ledger: LedgerID
    /// How many entries that ledger had.
    public let ledgerCounter: UInt64

    /// Whose and when.
    public init(vault: VaultID, madeAt: UInt64, ledger: LedgerID, ledgerCounter: UInt64) {
        self.vault = vault
        self.madeAt = madeAt
        self.ledger = ledger
        self.ledgerCounter = ledgerCounter
    }

    /// The 48 bytes.
    public var bytes: [UInt8] {
        var writer = Writer(capacity: Self.length)
        vault.encode(into: &writer)
        writer.write(madeAt)
        ledger.encode(into: &writer)
        writer.write(ledgerCounter)
        return writer.bytes
    }

    /// Reads 48 bytes.
    public init(_ bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        vault = try VaultID(from: &reader)
        madeAt = try reader.readUInt64()
        ledger = try LedgerID(from: &reader)
        ledgerCounter = try reader.readUInt64()
        try reader.finish()
    }
}

/// What another machine needs to read the vault's own entries of a ledger.
///
/// `ledger (16) || scope (16) || public key (32) || key (32)`; sealed with the rest of the backup.
public struct BackupLedgerKey: ~Copyable {
    /// The bytes it takes.
    public static let length = 96

    /// The key of the vault's entries.
    public let key: LogScopeKey
    /// What the head's signature is checked with.
    public let publicKey: Bytes32

    /// The key of one vault's entries in a ledger.
    public init(of vault: VaultID, in ledger: borrowing LogKey) {
        key = ledger.scopeKey(.vault(vault))
        publicKey = ledger.publicKey
    }

    /// Reads 96 bytes; nil if they are not such a key.
    public init?(_ bytes: borrowing SecretBytes) {
        guard bytes.count == Self.length else { return nil }
        let clear = bytes.slice(0..<64).publicCopy()
        guard let ledger = LedgerID(clear[..<16]), let scope = LogScope(clear[16..<32]),
            let publicKey = Bytes32(clear[32...])
        else { return nil }
        key = LogScopeKey(.ledger(ledger), scope, secret: bytes.slice(64..<96))
        self.publicKey = publicKey
    }

    /// The 96 bytes.
    public borrowing func bytes() -> SecretBytes {
        let clear = Array(key.name.bytes.dropFirst()) + key.scope.bytes + publicKey.array
        return SecretBytes(count: Self.length) { out in
            out.copyBytes(from: clear)
            key.withSecret { secret in
                secret.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: out[64...]).copyMemory(from: $0)
                }
            }
        }
    }
}

extension VaultSecretKey {
    /// The key of the backups of its vault.
    public borrowing func backupKey(of vault: VaultID) -> SecretBytes {
        key(for: DomainLabel("backup"), salt: vault.bytes)
    }
}
