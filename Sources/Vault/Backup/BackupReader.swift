import SecretMemory
public import StateFiles

/// Reads a backup piece by piece: unseals the stream and tells its parts apart.
///
/// Nothing of it may be used before `finish`, which says that all of it is there.
public struct BackupReader: ~Copyable {
    /// What comes out, in order: each part begins, its bytes follow, it ends.
    public enum Event {
        /// A part begins that has so many bytes.
        case begins(BackupPart, length: UInt64)
        /// Bytes of the part; they are gone after the call.
        case bytes(UnsafeRawBufferPointer)
        /// The part is complete.
        case ends(BackupPart)
    }

    private var stream: SealedStreamReader
    private var parser: BackupParser

    /// Reads what follows `header`.
    ///
    /// - Throws: `anotherStream` when it is no backup of this vault, `wrongSecretKey` when the key
    ///   is another vault's.
    public init(
        of vault: VaultID, header: StreamHeader, key: borrowing VaultSecretKey
    ) throws(StreamError) {
        guard case .backup(let keyCheck) = header.kind, header.vault == vault else {
            throw .anotherStream
        }
        guard key.keyCheck(for: vault) == keyCheck else { throw .wrongSecretKey }
        stream = SealedStreamReader(header, key: key.backupKey(of: vault))
        parser = BackupParser()
    }

    /// Takes bytes of the file.
    ///
    /// - Throws: `StreamError`, `BackupError`, and what `handle` throws.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, to handle: (Event) throws -> Void
    ) throws {
        var parser = parser
        try stream.append(bytes) { try parser.append($0, to: handle) }
        self.parser = parser
    }

    /// The file ended.
    ///
    /// - Throws: `StreamError`, `BackupError`, and what `handle` throws.
    public mutating func finish(to handle: (Event) throws -> Void) throws {
        var parser = parser
        try stream.finish { try parser.append($0, to: handle) }
        self.parser = parser
        try parser.finish()
    }
}

/// Tells the parts of an unsealed backup apart.
package struct BackupParser {
    private var frame: [UInt8] = []
    private var current: BackupPart?
    private var left: UInt64 = 0
    private var lastKey: [UInt8] = []
    private var count: UInt64 = 0
    private var hasVault = false
    private var end: [UInt8] = []
    private var isEnded = false

    package init() {}

    /// Takes bytes of the content.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer, to handle: (BackupReader.Event) throws -> Void
    ) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard !isEnded else { throw BackupError.wrongEnd }
            guard let part = current else {
                frame.append(rest.removeFirst())
                guard BackupFrame.length(of: frame) == frame.count else { continue }
                try begin(handle)
                continue
            }
            let piece = rest.prefix(Int(min(left, UInt64(rest.count))))
            rest = rest.dropFirst(piece.count)
            left -= UInt64(piece.count)
            if part == .end {
                end += piece
            } else {
                try handle(.bytes(UnsafeRawBufferPointer(rebasing: piece)))
            }
            if left == 0 { try complete(part, handle) }
        }
    }

    /// The content ended.
    package mutating func finish() throws(BackupError) {
        guard isEnded else { throw .truncated }
    }

    private mutating func begin(_ handle: (BackupReader.Event) throws -> Void) throws {
        let next = try BackupFrame(frame)
        let key = next.part.key
        guard lastKey.lexicographicallyPrecedes(key), count > 0 || next.part == .information else {
            throw BackupError.misplaced(next.part)
        }
        (current, left, lastKey, frame) = (next.part, next.length, key, [])
        hasVault = hasVault || next.part == .vault
        if next.part != .end {
            count += 1
            try handle(.begins(next.part, length: next.length))
        }
        if left == 0 { try complete(next.part, handle) }
    }

    private mutating func complete(
        _ part: BackupPart, _ handle: (BackupReader.Event) throws -> Void
    ) throws {
        current = nil
        guard part == .end else { return try handle(.ends(part)) }
        guard hasVault else { throw BackupError.noVault }
        let counted = end.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard counted == count else { throw BackupError.wrongEnd }
        isEnded = true
    }
}
