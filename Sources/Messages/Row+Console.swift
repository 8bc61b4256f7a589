extension Row {
    static let consoleHello = first(
        "console hello", from: .asking, limit: 0, fields: "none", "Opens the channel.")

    static let consoleWelcome = first(
        "console welcome", from: .answering, limit: 1, fields: "chain 1", "Opens the channel.")

    static let consolePing = later(
        "console ping", from: .asking, limit: 8, reply: .consolePong, fields: "nonce 8",
        "Asks whether the signer's loop still turns.")

    static let consolePong = later(
        "console pong", from: .answering, limit: 8, fields: "nonce 8", "Answers a ping.")

    static let consoleStatus = later(
        "console status", from: .asking, limit: 0, reply: .consoleStatusReport, fields: "none",
        "Asks how the signer is.")

    static let consoleStatusReport = later(
        "console status report", from: .answering, limit: 58 + 20 + Limit.weaknessList,
        fields: """
            chain 1, link is up 1, uptime seconds 8, link generation 8, requests waiting 4, \
            bytes waiting 8, work done 8, work failed 8, refused 8, consoles 4, facts as in \
            control facts
            """,
        "How the signer is, in numbers, and which walls are weaker than they could be.")

    static let consoleSelfReport = later(
        "console self-report", from: .asking, limit: 0, reply: .consoleSelfReportRows,
        fields: "none", "Asks the signer what it sees of its own confinement.")

    static let consoleSelfReportRows = later(
        "console self-report rows", from: .answering, limit: Limit.report,
        fields: """
            policy text ≤ 64, pid 4, uid 4, seccomp mode 4, no new privileges 1, dumpable 1, \
            write-execute is known 1, is denied 1, Landlock 1, its version 4, capabilities 8, \
            descriptors 4, limits 8 each ≤ 16
            """,
        "What the signer says of itself; the audit prints that it was the process that said so.")

    static let consoleProbe = later(
        "console probe", from: .asking, limit: 0, reply: .consoleProbeRows, fields: "none",
        "Asks for every forbidden thing to be tried from inside the signer.")

    static let consoleProbeRows = later(
        "console probe rows", from: .answering, limit: Limit.probeRows,
        fields: "rows of (place 1, probe 1, outcome 1, errno or signal 4) ≤ 256",
        "What became of each attempt.")

    static let consoleWork = later(
        "console work", from: .asking, limit: Limit.payload, attachment: .passwordPipe,
        reply: .consoleWorkAnswer, fields: "payload ≤ 16 MiB",
        "Asks a worker to hash the payload with the password in the pipe.")

    static let consoleWorkAnswer = later(
        "console work answer", from: .answering, limit: 1 + 32, fields: "outcome 1, digest 32",
        "What became of the work.")
}
