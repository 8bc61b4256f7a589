import StateFiles
import Wire

/// What each of the small files starts with: eight bytes that name the kind, the version of its
/// format, and the vault it belongs to.
struct FilePrefix {
    let part: SealedPart
    private let magic: [UInt8]

    /// The bytes it takes.
    static let count = 8 + 2 + VaultID.length
    /// The only version so far.
    static let version: UInt16 = 1

    /// The letters of `name`, filled up with zero bytes.
    init(_ part: SealedPart, name: StaticString) {
        self.part = part
        magic = FilePrefix.magic(name)
    }

    static func magic(_ name: StaticString) -> [UInt8] {
        let text = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        precondition(text.count <= 8)
        return Array(text) + [UInt8](repeating: 0, count: 8 - text.count)
    }

    /// The bytes for one vault.
    func bytes(for id: VaultID) -> [UInt8] {
        var writer = Writer(capacity: FilePrefix.count)
        writer.write(magic)
        writer.write(FilePrefix.version)
        writer.write(id.bytes)
        return writer.bytes
    }

    /// Holds the start of a file against what it must be and returns the rest.
    ///
    /// - Throws: `wrongSize`, `notThisKind`, `newerVersion`, `malformed`, `otherVault`.
    func check(
        _ file: [UInt8], count allowed: ClosedRange<Int>, for id: VaultID
    ) throws(VaultError) -> [UInt8] {
        try FilePrefix.checkStart(of: file, magic: magic, part)
        guard allowed.contains(file.count) else {
            throw .wrongSize(part, found: file.count, allowed: allowed)
        }
        guard Array(file[10..<FilePrefix.count]) == id.bytes else { throw .otherVault(part) }
        return Array(file[FilePrefix.count...])
    }

    /// Reads the kind and the version.
    ///
    /// - Throws: `notThisKind`, `newerVersion`, `malformed`.
    static func checkStart(
        of file: [UInt8], magic: [UInt8], _ part: SealedPart
    ) throws(VaultError) {
        guard file.count >= 10, Array(file[..<8]) == magic else { throw .notThisKind(part) }
        let version = UInt16(file[8]) | UInt16(file[9]) << 8
        guard version > 0 else { throw .malformed(part, position: 8) }
        guard version <= FilePrefix.version else {
            throw .newerVersion(part, found: version, known: FilePrefix.version)
        }
    }
}
