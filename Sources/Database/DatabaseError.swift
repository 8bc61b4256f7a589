public import StateFiles

/// Why a database did not do what it was asked for.
public enum DatabaseError: Error, Hashable, Sendable {
    /// No room is left on the disk.
    case noSpace
    /// The disk failed at a step.
    case disk(DiskFailure)
    /// A page of the file is not what was written there.
    case damagedPage(file: String, number: UInt64)
    /// The file is no database, or its parts contradict each other.
    case damaged(file: String, String)
    /// A value is longer than this database allows.
    case tooBig(file: String)
    /// There was no memory for it.
    case noMemory
    /// SQLite refused for a reason that only a mistake of ours can bring about.
    case refused(file: String, code: Int32, String)
}

extension DatabaseError {
    /// Whether the file itself is bad: it stays so however often it is read.
    public var isDamage: Bool {
        switch self {
        case .damagedPage, .damaged, .tooBig: true
        case .noSpace, .disk, .noMemory, .refused: false
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    /// What happened, as a part of a sentence.
    public var description: String {
        switch self {
        case .noSpace: "no room is left on the disk"
        case .disk(let failure): "\(failure)"
        case .damagedPage(let file, let number):
            "page \(number) of \(file) is not what was written there"
        case .damaged(let file, let reason): "\(file) is damaged: \(reason)"
        case .tooBig(let file): "\(file) has a value that is longer than any that was written"
        case .noMemory: "there is not enough memory"
        case .refused(let file, let code, let reason):
            "\(file) could not be used: \(reason) (SQLite \(code))"
        }
    }
}
