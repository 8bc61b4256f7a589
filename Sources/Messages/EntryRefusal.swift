import Wire

/// Why a PSBT was not taken, shown or given up.
public enum EntryRefusal: Error, Hashable, Sendable {
    /// The file is no PSBT; where and why.
    case unreadable(String)
    /// The same file waits already under this number.
    case alreadyWaiting(EntryID)
    /// Too many wait, or too many bytes.
    case full
    /// Nothing that this console may see has this number.
    case noSuchEntry(EntryID)
    /// It waits no longer, since it was decided.
    case decided(DecidedEntry)
    /// Its review is not done yet.
    case underReview(EntryID)
    /// An approval of it is being carried out.
    case beingSigned(EntryID)
    /// Nothing to write to was handed over before.
    case noOutput
    /// The output did not take the whole report.
    case outputFailed
    /// Another PSBT of this console is under review, or too much waits.
    case busy
    /// The worker ended without an answer, or could not begin; why.
    case reviewFailed(String)
    /// No transaction can be made of it; what it lacks, or what stops it.
    case notComplete(String)

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .unreadable(try reader.readText(limit: Limit.reason))
        case 2: self = .alreadyWaiting(try EntryID(from: &reader))
        case 3: self = .full
        case 4: self = .noSuchEntry(try EntryID(from: &reader))
        case 5: self = .underReview(try EntryID(from: &reader))
        case 6: self = .beingSigned(try EntryID(from: &reader))
        case 7: self = .noOutput
        case 8: self = .outputFailed
        case 9: self = .busy
        case 10: self = .reviewFailed(try reader.readText(limit: Limit.reason))
        case 11: self = .decided(try DecidedEntry(from: &reader))
        case 12: self = .notComplete(try reader.readText(limit: Limit.reason))
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(number)
        switch self {
        case .unreadable(let why), .reviewFailed(let why), .notComplete(let why):
            writer.write(why, limit: Limit.reason)
        case .alreadyWaiting(let id), .noSuchEntry(let id), .underReview(let id),
            .beingSigned(let id):
            id.encode(into: &writer)
        case .decided(let entry): entry.encode(into: &writer)
        case .full, .noOutput, .outputFailed, .busy: break
        }
    }

    private var number: UInt8 {
        switch self {
        case .unreadable: 1
        case .alreadyWaiting: 2
        case .full: 3
        case .noSuchEntry: 4
        case .underReview: 5
        case .beingSigned: 6
        case .noOutput: 7
        case .outputFailed: 8
        case .busy: 9
        case .reviewFailed: 10
        case .decided: 11
        case .notComplete: 12
        }
    }
}

extension EntryRefusal: CustomStringConvertible {
    /// The sentence.
    public var description: String { sentence }

    /// What is wrong, where, and what to do.
    public var sentence: String {
        switch self {
        case .unreadable(let why):
            "The file cannot be read as a PSBT: \(why). Nothing was kept; export it again."
        case .alreadyWaiting(let id):
            "The same file waits already as number \(id). See `bulkhead pending`."
        case .full:
            """
            Too many transactions wait, or too many bytes. Approve or reject some (`bulkhead \
            pending`) and try again.
            """
        case .noSuchEntry(let id): "Nothing waits as number \(id). See `bulkhead pending`."
        case .decided(let entry): entry.sentence
        case .underReview(let id):
            "Number \(id) is under review. Try again in a moment."
        case .beingSigned(let id):
            "Number \(id) is being signed. See `bulkhead pending` in a moment."
        case .noOutput: "The command passed nothing to write the report to with its request."
        case .outputFailed:
            "The output did not take the whole report: it was closed, or its disk is full."
        case .busy: "Another review of this console is under way. Try again when it is done."
        case .reviewFailed(let why):
            "The review ended early: \(why). Nothing was signed; try again."
        case .notComplete(let why): "No transaction can be made of this file yet: \(why)."
        }
    }
}
