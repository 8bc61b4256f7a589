/// What is wrong with a backup, or with what should go into one.
public enum BackupError: Error, Hashable, Sendable {
    /// A part of an unknown kind; a newer release may have written it.
    case unknownPart(kind: UInt8)
    /// A part stands where it may not, or twice.
    case misplaced(BackupPart)
    /// A part is shorter or longer than such a part may be.
    case length(BackupPart, found: UInt64)
    /// The file that should go into the backup had another length than was announced.
    case changedLength(BackupPart)
    /// The backup ends within a part, or before its end.
    case truncated
    /// Something follows the end, or the end counts another number of parts.
    case wrongEnd
    /// It holds no vault.
    case noVault
    /// It is of another vault than its header says.
    case anotherVault
}

extension BackupError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .unknownPart(let kind):
            "the backup holds a part of kind \(kind), which this release does not know: use a newer one"
        case .misplaced(let part): "the backup holds \(part) in the wrong place or twice"
        case .length(let part, let found):
            "\(part) in the backup has \(found) bytes, which it may not have"
        case .changedLength(let part): "\(part) changed while the backup was made: make it again"
        case .truncated: "the backup ends too early"
        case .wrongEnd: "the end of the backup does not agree with what stands before it"
        case .noVault: "the backup holds no vault"
        case .anotherVault: "the backup is of another vault than its header says"
        }
    }
}
