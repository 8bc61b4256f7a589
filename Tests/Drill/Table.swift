import CDrill

/// `docs/drill.md`: what each wall is expected to stop, which is what the drill tries.
enum Table {
    static func render() -> String {
        var text = """
            # The breach drill

            *Made by `bulkhead-drill --table` (`scripts/docs`); change `Tests/Drill/Expectation.swift`.*

            `scripts/drill` starts an attacker in the place of each process, under its very
            confinement, and lets it go for a goal that is checked from outside: bytes that only the
            goal holds, a file, a connection, harm to another process. It does so with everything on,
            with each wall taken away in turn, with each wall alone, and, as a positive control, with
            everything off, where each attack must reach its goal. An attack that ends otherwise than
            these tables say, in either direction, fails the drill.

            The tables hold for root on a kernel with Landlock 6 and Linux 6.3 or later. `stopped by`
            names every wall that alone is enough; **no** means that the attack reaches its goal while
            that wall is away, so only that one stops it. *needed* marks what the process must be able
            to do. Without root no process has a user of its own; without Landlock, as on a Raspberry
            Pi, the column `Landlock off` is what holds.

            """
        let cells = Cell.documented
        for role in Role.allCases {
            text += "\n## From the \(role.rawValue)\n\n"
            text += "| attack | proof of success | stopped by | "
            text += cells.map(\.title).joined(separator: " | ") + " |\n|---|---|---|"
            text += cells.map { _ in "---" }.joined(separator: "|") + "|\n"
            for attack in Attack.all where Expectation.applies(attack, to: role) {
                text += row(attack, role, cells)
            }
        }
        return text + channels
    }

    /// What frames are sent at whom, and what has to come of it.
    private static var channels: String {
        var text = """

            ## On the channels

            `scripts/drill --frames` runs the real appliance under its real keeper and attacks its
            channels with frames: the link from the place of the network process and from that of the
            signer, under that process's confinement, and both sockets from a person's side. Its victim
            is the signer; at `network.sock`, and where the signer attacks, the network process. Floods are sent as fast as the victim reads, which is
            its own pace: it reads no further than its rate allows, and the sender waits.

            Whatever the attack:

            - The signer answers each ping of another connection at `signer.sock` within
              \(milliseconds(Frames.Bound.ping)) ms, and so does the network process where it is the
              victim. A late ping counts if it is late five times: the machine may have been busy.
              The short form runs with the tests on machines of any kind: there the time in which the
              victim or the drill could have run and got no processor does not count, as the kernel
              measures it (`/proc/PID/schedstat`).
            - The victim takes at most \(Frames.Bound.peak >> 10) MiB more while it lasts, and keeps at
              most \(Frames.Bound.growth >> 10) MiB and no descriptor.
            - The signer stays the same process, with no restart, keeps its other connections, and does a
              person's work afterwards. Where it is the attacker, it is not started again either.
            - Within \(Frames.Bound.recovery.components.seconds) s (in the short form at some time) the
              keeper has a network process with a new link where the link was lost; elsewhere the link was
              not lost.

            | attack | channels | expected |
            |---|---|---|

            """
        for assault in Assault.allCases {
            let targets = Target.allCases.filter { assault.applies(to: $0) }
            text += "| \(assault.name) | \(targets.map(\.rawValue).joined(separator: ", ")) | "
            text +=
                assault.expected + (assault.waitsForDeadline ? ", at its deadline" : "") + " |\n"
        }
        return text
    }

    private static func row(_ attack: Attack, _ role: Role, _ cells: [Cell]) -> String {
        let stops = Expectation.stops(attack, role).sorted { $0.order < $1.order }
        let answers = cells.map { cell in
            if stops.isEmpty { return "needed" }
            return Expectation.isStopped(attack, role, cell, .complete) ? "stopped" : "**no**"
        }
        let by = stops.isEmpty ? "nothing" : stops.map(\.title).joined(separator: ", ")
        return "| \(attack.name) | \(attack.proof) | \(by) | "
            + answers.joined(separator: " | ") + " |\n"
    }
}
