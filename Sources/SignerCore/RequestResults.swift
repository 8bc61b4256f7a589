import Messages

/// What became of requests that came over the link, kept for them to be asked for again: the answers of
/// the latest, and signed files until they are collected, as far as there is room and time.
struct RequestResults: Sendable {
    private struct File: Sendable {
        let bytes: [UInt8]
        let since: Duration
    }

    private let limits: SignerLimits
    private var states: [RequestID: RequestState] = [:]
    /// The ids of the kept states, oldest first, as a ring.
    private var order: [RequestID] = []
    private var oldest = 0
    private var files: [RequestID: File] = [:]

    init(limits: SignerLimits) { self.limits = limits }

    /// The final state of a request; nil if it has none, or none that is still known.
    subscript(id: RequestID) -> RequestState? { states[id] }

    /// The signed file of a request.
    func file(of id: RequestID) -> [UInt8]? { files[id]?.bytes }

    /// Bytes of all files.
    var bytes: Int { files.values.reduce(0) { $0 + $1.bytes.count } }

    /// Keeps a final state, in place of the oldest one if there are too many.
    mutating func keep(_ state: RequestState, for id: RequestID) {
        guard states.updateValue(state, forKey: id) == nil else { return }
        guard order.count == limits.keptAnswers else {
            order.append(id)
            return
        }
        states[order[oldest]] = nil
        files[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % limits.keptAnswers
    }

    /// Keeps a signed file. The oldest ones go where there is no room.
    mutating func keep(_ file: [UInt8], for id: RequestID, at now: Duration) {
        while files.count >= limits.keptFiles || bytes + file.count > limits.keptFileBytes,
            let first = files.min(by: { $0.value.since < $1.value.since })?.key
        {
            expire(first)
        }
        keep(.signed, for: id)
        files[id] = File(bytes: file, since: now)
    }

    /// The file arrived where it was wanted.
    mutating func collect(_ id: RequestID) {
        guard files.removeValue(forKey: id) != nil else { return }
        states[id] = .collected
    }

    private mutating func expire(_ id: RequestID) {
        files[id] = nil
        states[id] = .expired
    }

    /// When the next file is given up.
    var deadline: Duration? { files.values.map { $0.since + limits.entryTime }.min() }

    /// Gives up files that nobody collected.
    mutating func passTime(_ now: Duration) {
        for (id, file) in files where now >= file.since + limits.entryTime { expire(id) }
    }
}
