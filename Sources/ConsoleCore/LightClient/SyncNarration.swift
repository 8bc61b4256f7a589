public import Messages

/// What somebody is told who waits for the chain: each phase as it comes, how far it is in between, and
/// what can be done when nothing moves.
public struct SyncNarration: Sendable {
    /// What there is to print.
    public enum Words: Hashable, Sendable {
        /// How far it is.
        case line(String)
        /// That nothing moves, and what can be done.
        case advice(String)
    }

    /// What moves while there is progress. Seconds until the next try move, too, and say nothing.
    private struct Place: Hashable {
        let phase: ChainProgress.Phase
        let numbers: [UInt32]

        init(_ progress: ChainProgress) {
            phase = progress.phase
            numbers = [
                progress.place, progress.height, progress.filterHeight, progress.scannedHeight,
                progress.blocksLeft, progress.peers,
            ]
        }
    }

    private let interval: Duration
    private var place: Place?
    private var shown: (phase: ChainProgress.Phase, at: Duration)?
    private var adviceDue: Duration?

    /// How long nothing may move before somebody is told what to do.
    public static let patience = Duration.seconds(30)

    /// - Parameter interval: how long a phase may go on between two lines.
    public init(interval: Duration) { self.interval = interval }

    /// What to print now; nil for nothing.
    public mutating func words(on progress: ChainProgress, at now: Duration) -> Words? {
        let next = Place(progress)
        if next != place {
            place = next
            adviceDue = now + Self.patience
        } else if let due = adviceDue, due <= now {
            adviceDue = nil
            return .advice("nothing has moved for a while: \(progress.advice)")
        }
        if let shown, shown.phase == progress.phase, now < shown.at + interval { return nil }
        shown = (progress.phase, now)
        return .line(progress.line)
    }
}
