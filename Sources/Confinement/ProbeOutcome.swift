internal import CProbe
internal import Glibc
public import LinuxIO
public import Wire

/// What became of an attempt to break out.
public enum ProbeOutcome: Hashable, Sendable {
    /// The kernel refused with this errno: file permissions, Landlock, or a feature that is off.
    case refused(Errno)
    /// The attempt named something that does not exist inside the wall.
    case absent(Errno)
    /// The process died by this signal; SIGSYS is seccomp's.
    case killed(signal: Int32)
    /// The goal was reached. The wall has a hole.
    case reached
    /// Nothing can be said: the child did not answer, or failed for a reason that is no wall.
    case unclear(Errno?)

    /// Whether the wall was seen to hold.
    public var held: Bool {
        switch self {
        case .refused, .absent: true
        case .killed(let signal): signal == SIGSYS
        case .reached, .unclear: false
        }
    }

    /// What held, in a word or two for a table; `HOLE` if nothing did.
    public var summary: String {
        switch self {
        case .refused(let errno): errno.name
        case .absent(let errno): errno.number == ESRCH ? "no such process" : "no such path"
        case .killed(let signal): signal == SIGSYS ? "SIGSYS (seccomp)" : "signal \(signal)"
        case .reached: "HOLE"
        case .unclear(let errno): "not verified" + (errno.map { " (\($0.name))" } ?? "")
        }
    }

    /// The outcome that says least for the wall, of a row made of several attempts.
    public static func worst(_ outcomes: [ProbeOutcome]) -> ProbeOutcome {
        outcomes.max { $0.severity < $1.severity } ?? .unclear(nil)
    }

    private var severity: Int {
        switch self {
        case .killed: held ? 0 : 3
        case .absent: 1
        case .refused: 2
        case .unclear: 4
        case .reached: 5
        }
    }

    init(_ record: probe_record) {
        switch probe_result(rawValue: record.result) {
        case PROBE_RESULT_REACHED: self = .reached
        case PROBE_RESULT_KILLED: self = .killed(signal: record.number)
        case PROBE_RESULT_REFUSED: self = Self.refusal(record.number)
        default: self = .unclear(nil)
        }
    }

    /// Only errors that mean "you may not" or "there is no such thing" speak for a wall; being out
    /// of memory does not.
    private static func refusal(_ errno: Int32) -> ProbeOutcome {
        switch errno {
        case ENOENT, ENOTDIR, ESRCH: .absent(Errno(errno))
        case EPERM, EACCES, EROFS, ENOSYS, EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT,
            EOPNOTSUPP, ENXIO, ENOTTY, ECONNREFUSED, ENOSPC, EUSERS:
            .refused(Errno(errno))
        default: .unclear(Errno(errno))
        }
    }
}

extension ProbeOutcome {
    /// Appends the outcome: one byte for the case, four for its number, little-endian.
    public func encode(into writer: inout Writer) {
        let (kind, number): (UInt8, Int32) =
            switch self {
            case .refused(let errno): (1, errno.number)
            case .absent(let errno): (2, errno.number)
            case .killed(let signal): (3, signal)
            case .reached: (4, 0)
            case .unclear(let errno): (5, errno?.number ?? 0)
            }
        writer.write(kind)
        writer.write(number)
    }

    /// Reads what `encode` wrote; what it cannot have written is unclear.
    public init(from reader: inout Reader) throws(WireError) {
        let kind = try reader.readUInt8()
        let number = try reader.readInt32()
        switch kind {
        case 1: self = .refused(Errno(number))
        case 2: self = .absent(Errno(number))
        case 3: self = .killed(signal: number)
        case 4: self = .reached
        default: self = .unclear(number == 0 ? nil : Errno(number))
        }
    }
}
