import Glibc
import LinuxIO
import Messages

/// Attacks with frames on the channels of the real appliance under its real keeper: on the link from
/// the place of either child, and on both sockets from a person's side.
struct Frames {
    /// What each attack has to keep to, whatever else comes of it.
    enum Bound {
        /// The longest that a ping by another connection may take: by the clock, or in the short form,
        /// which a busy machine runs too, without what the machine took away.
        static let ping = Duration.milliseconds(100)
        /// KiB that the victim may keep when an attack is over.
        static let growth = 2048
        /// KiB that the victim may take while it lasts: a frame of 16 MiB, and as much while it grows.
        static let peak = 32 << 10
        /// How soon everything has to be as before, in the full form.
        static let recovery = Duration.seconds(10)
        /// When the drill stops waiting for what has to come.
        static let patience = Duration.seconds(120)
    }

    private let options: Options

    /// Makes the attacks and prints what came of them; whether all ended as expected.
    static func run(_ options: Options) throws -> Bool {
        Kernel.ignoreBrokenPipes()
        let frames = Frames(options: options)
        print(FrameRow.head)
        let onLink = try frames.attack([.link], hasAttacker: true)
        let onAnswers = try frames.attackNetworkProcess()
        let onSockets = try frames.attack([.console, .query], hasAttacker: false)
        let isAsExpected = onLink && onAnswers && onSockets
        print(isAsExpected ? "drill: every attack ended as expected" : "drill: FAILED")
        return isAsExpected
    }

    private func attack(_ targets: [Target], hasAttacker: Bool) throws -> Bool {
        let scene = try FrameScene(hasAttacker: hasAttacker)
        var isAsExpected = true
        for target in targets {
            isAsExpected = try attack(target, by: scene.attempt) && isAsExpected
        }
        return isAsExpected
    }

    private func attackNetworkProcess() throws -> Bool {
        let scene = try HostileSignerScene()
        return try attack(.answers) { assault, _, milliseconds in
            try scene.attempt(assault, milliseconds: milliseconds)
        }
    }

    private func attack(
        _ target: Target, by attempt: (Assault, Target, Int) throws -> FrameRow
    ) throws -> Bool {
        var isAsExpected = true
        for assault in Assault.allCases where isWanted(assault, target) {
            let time = assault.milliseconds(at: target, isShort: options.isShort)
            var row = try attempt(assault, target, time)
            // The machine may have been busy with something else; the victim is late each time.
            for _ in 0..<4 where isLate(row) { row = try attempt(assault, target, time) }
            if isLate(row) { row.faults.append("pings took too long") }
            if !options.isShort, row.recovery >= Bound.recovery {
                row.faults.append("it took too long to be whole again")
            }
            print(row.text)
            isAsExpected = isAsExpected && row.faults.isEmpty
        }
        return isAsExpected
    }

    private func isLate(_ row: FrameRow) -> Bool {
        (options.isShort ? row.pings.worstOfVictim : row.pings.worst) >= Bound.ping
    }

    private func isWanted(_ assault: Assault, _ target: Target) -> Bool {
        guard assault.applies(to: target), !options.isShort || assault.isInShortForm(at: target)
        else { return false }
        return options.attack.map { assault.name.contains($0) } ?? true
    }
}

/// What was seen of one attack.
struct FrameRow {
    let assault: Assault
    let target: Target
    var frames: Int64 = 0
    var pings = PingTimes()
    var before = 0
    var peak = 0
    var after = 0
    var descriptors: (before: UInt32, after: UInt32) = (0, 0)
    var recovery = Duration.zero
    var faults: [String] = []

    static let head =
        "| channel | attack | frames | worst ping ms | KiB before, peak, after | "
        + "descriptors | whole again ms | verdict |\n|---|---|---|---|---|---|---|---|"

    var text: String {
        let verdict = faults.isEmpty ? "as expected" : "WRONG: " + faults.joined(separator: "; ")
        return
            "| \(target.rawValue) | \(assault.name) | \(frames) | \(milliseconds(pings.worst)) | "
            + "\(before), \(peak), \(after) | \(descriptors.before), \(descriptors.after) | "
            + "\(milliseconds(recovery)) | \(verdict) |"
    }

    /// Adds what was not as it has to be.
    mutating func judge(_ outcome: Orders.Outcome) {
        if outcome != assault.expectation {
            faults.append("the channel was \(outcome), not \(assault.expectation)")
        }
        if after - before > Frames.Bound.growth { faults.append("memory grew") }
        if peak - before > Frames.Bound.peak { faults.append("too much memory was taken") }
        if descriptors.after != descriptors.before { faults.append("descriptors are left open") }
    }
}
