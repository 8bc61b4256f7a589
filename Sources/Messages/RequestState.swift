public import Wire

/// What became of a request that came through the network process, for as long as its id is known.
public enum RequestState: Hashable, Sendable {
    /// Nobody knows of it.
    case unknown
    /// A worker reviews it, or will.
    case reviewing
    /// It waits for a person.
    case pending
    /// It is signed, and the file follows (`link signed`).
    case signed
    /// It is signed, and the file was taken.
    case collected
    /// It is refused for this reason, a sentence of at most 512 bytes.
    case refused(RequestRefusal, String)
    /// Nobody decided in time, or its result was not collected in time.
    case expired
    /// Too many requests wait, or too many bytes; it was not taken.
    case full
    /// Requests come faster than they may; it was not taken.
    case tooFast

    /// Whether nothing more comes of it.
    public var isFinal: Bool { self != .reviewing && self != .pending }

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 0: self = .unknown
        case 1: self = .reviewing
        case 2: self = .pending
        case 3: self = .signed
        case 4: self = .collected
        case 5:
            self = .refused(try reader.readCase(), try reader.readText(limit: Limit.reason))
        case 6: self = .expired
        case 7: self = .full
        case 8: self = .tooFast
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }

    func encode(into writer: inout Writer) {
        switch self {
        case .unknown: writer.write(UInt8(0))
        case .reviewing: writer.write(UInt8(1))
        case .pending: writer.write(UInt8(2))
        case .signed: writer.write(UInt8(3))
        case .collected: writer.write(UInt8(4))
        case .refused(let refusal, let why):
            writer.write(UInt8(5))
            writer.write(refusal)
            writer.write(why, limit: Limit.reason)
        case .expired: writer.write(UInt8(6))
        case .full: writer.write(UInt8(7))
        case .tooFast: writer.write(UInt8(8))
        }
    }
}

/// Why a request is refused.
public enum RequestRefusal: UInt8, CaseIterable, Hashable, Sendable {
    /// The file is no PSBT.
    case unreadable = 1
    /// The review stops it, whoever would approve.
    case stopped = 2
    /// A person rejected it.
    case rejected = 3
    /// The same file waits already under another id.
    case alreadyWaiting = 4
    /// Its review ended without an answer.
    case failed = 5
    /// The only wallet that could have signed it was deleted.
    case walletDeleted = 6

    /// As what the ledger knows it.
    public var code: String {
        switch self {
        case .unreadable: "unreadable"
        case .stopped: "stopped"
        case .rejected: "rejected"
        case .alreadyWaiting: "already-waiting"
        case .failed: "review-failed"
        case .walletDeleted: "wallet-deleted"
        }
    }
}
