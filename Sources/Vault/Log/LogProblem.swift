/// What does not agree in a log. Entries are counted from 1.
public enum LogProblem: Error, Hashable, Sendable {
    /// The head is missing although there are entries.
    case headMissing
    /// The head is damaged, or was signed by another key.
    case headDamaged
    /// The key file is damaged, holds another kind of key, or was sealed under another device key.
    case keyDamaged
    /// A newer version of Bulkhead wrote it.
    case unknownVersion(UInt16)
    /// Head or entries belong to another log.
    case anotherLog
    /// What stands behind entry `after` is no entry; nothing after it can be read.
    case unreadable(after: UInt64)
    /// An entry was changed.
    case edited(UInt64)
    /// Entries were taken out.
    case missing(ClosedRange<UInt64>)
    /// An entry stands where another belongs: reordered or doubled.
    case outOfOrder(found: UInt64, after: UInt64)
    /// An authentic entry does not continue the one before: it comes from another copy of the log.
    case spliced(UInt64)
    /// The newest entries were cut off: the head counts more.
    case cutOff(last: UInt64, head: UInt64)
    /// Entries were put behind the newest one that the head knows.
    case beyondHead(last: UInt64, head: UInt64)
    /// The newest entry is not the one that the head signs.
    case headOfAnotherEntry(UInt64)
    /// The whole log was set back to an older state: the witness has seen more entries.
    case rolledBack(counter: UInt64, witness: UInt64)
    /// The log is as long as the witness says, or longer, with other entries.
    case rewritten(upTo: UInt64)
}

extension LogProblem: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .headMissing: "the signed head is missing"
        case .headDamaged: "the signed head is damaged or was signed by another key"
        case .keyDamaged: "its key file is damaged or was sealed under another device key"
        case .unknownVersion(let version):
            "it has format version \(version), which a newer Bulkhead wrote"
        case .anotherLog: "it belongs to another log"
        case .unreadable(let after): "what stands behind entry \(after) is no entry"
        case .edited(let entry): "entry \(entry) was changed"
        case .missing(let range):
            range.count == 1
                ? "entry \(range.lowerBound) was taken out"
                : "entries \(range.lowerBound) to \(range.upperBound) were taken out"
        case .outOfOrder(let found, let after):
            "entry \(found) stands behind entry \(after): entries were reordered or doubled"
        case .spliced(let entry): "entry \(entry) does not continue the one before it"
        case .cutOff(let last, let head):
            "the newest entries were cut off: the last is \(last), the head counts \(head)"
        case .beyondHead(let last, let head):
            "there are entries up to \(last), but the head counts \(head)"
        case .headOfAnotherEntry(let entry):
            "entry \(entry) is not the one that the head was signed for"
        case .rolledBack(let counter, let witness):
            "it was set back to an older state: it ends with entry \(counter), and entry \(witness) "
                + "was there already"
        case .rewritten(let entry):
            "its entries up to \(entry) are not the ones that were there before"
        }
    }
}
