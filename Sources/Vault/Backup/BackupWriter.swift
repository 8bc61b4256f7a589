public import SecretMemory
public import StateFiles

/// Writes a backup: parts in their order, each announced with its length, sealed as one stream.
///
/// A part is `kind (1) || length of its name (1) || length (8) || name || bytes`.
public struct BackupWriter: ~Copyable {
    private var stream: SealedStreamWriter
    /// The stream's header, which the caller writes first.
    public let header: StreamHeader
    private var current = BackupPart.information
    private var left: UInt64 = 0
    private var lastKey: [UInt8] = []
    private var count: UInt64 = 0

    /// A backup of one vault.
    public init(
        of vault: VaultID, key: borrowing VaultSecretKey, using random: RandomSource = .kernel
    ) {
        header = StreamHeader(
            .backup(keyCheck: key.keyCheck(for: vault)), of: vault, using: random)
        stream = SealedStreamWriter(header, key: key.backupKey(of: vault))
    }

    /// Announces a part; its bytes follow with `append`.
    ///
    /// - Throws: `BackupError`, and what `sink` throws.
    public mutating func begin(
        _ part: BackupPart, length: UInt64, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard left == 0 else { throw BackupError.changedLength(current) }
        guard part.lengths.contains(length) else {
            throw BackupError.length(part, found: length)
        }
        let key = part.key
        guard lastKey.lexicographicallyPrecedes(key), count > 0 || part == .information else {
            throw BackupError.misplaced(part)
        }
        (current, left, lastKey) = (part, length, key)
        count += 1
        try BackupFrame(part, length: length).bytes
            .withUnsafeBytes { try stream.append($0, to: sink) }
    }

    /// Bytes of the announced part.
    ///
    /// - Throws: `changedLength`, and what `sink` throws.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard UInt64(bytes.count) <= left else { throw BackupError.changedLength(current) }
        left -= UInt64(bytes.count)
        try stream.append(bytes, to: sink)
    }

    /// A whole part.
    public mutating func add(
        _ part: BackupPart, _ bytes: [UInt8], to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try begin(part, length: UInt64(bytes.count), to: sink)
        try bytes.withUnsafeBytes { try append($0, to: sink) }
    }

    /// A whole part that is secret.
    public mutating func add(
        _ part: BackupPart, _ bytes: borrowing SecretBytes,
        to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try begin(part, length: UInt64(bytes.count), to: sink)
        try bytes.withUnsafeBytes { try append($0, to: sink) }
    }

    /// Ends the backup.
    public mutating func finish(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
        let parts = withUnsafeBytes(of: count.littleEndian) { Array($0) }
        try add(.end, parts, to: sink)
        try stream.finish(to: sink)
    }
}
