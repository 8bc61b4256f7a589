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
        "console status report", from: .answering, limit: 68 + Limit.facts + 2 * Limit.weaknessList,
        fields: """
            chain 1, link is up 1, uptime seconds 8, link generation 8, requests waiting 4, \
            bytes waiting 8, work done 8, work failed 8, refused 8, consoles 4, ledger is read 1 \
            and its entries 8, witness 1, facts as in control facts, problems of the state text ≤ 256, ≤ 16
            """,
        """
        How the signer is, in numbers, which walls are weaker than they could be, and what is wrong \
        with its files.
        """)

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

    static let consoleSecretInput = later(
        "console secret input", from: .asking, limit: 0, attachment: .secretPipe, fields: "none",
        "Hands over where the secrets of the next operation come from; the signer keeps it unread.")

    static let consoleOutput = later(
        "console output", from: .asking, limit: 0, attachment: .output, fields: "none",
        "Hands over where the next operation writes what is for the person alone.")

    static let consoleInput = later(
        "console input", from: .asking, limit: 0, attachment: .input, fields: "none",
        "Hands over what the next operation reads: a backup, or a file that becomes an item.")

    static let consoleOperation = later(
        "console operation", from: .asking, limit: Limit.operation,
        reply: .consoleOperationAnswer, fields: "request 1, its public parameters",
        "Asks something of the vaults. What was handed over before belongs to it alone.")

    static let consoleOperationAnswer = later(
        "console operation answer", from: .answering, limit: Limit.operationAnswer,
        fields: "done 1, answer 1 and its fields or refusal 1 and its fields",
        "What became of the operation.")

    static let consoleProgress = later(
        "console progress", from: .answering, limit: 8 + 8, fields: "bytes moved 8, of 8",
        "How far a long operation is; 0 of all where that is not known.")

    static let consoleSubmit = later(
        "console submit", from: .asking, limit: Limit.payload, reply: .consoleEntry,
        fields: "PSBT ≤ 16 MiB",
        "Has a file reviewed; it waits for an approval as long as this console is open.")

    static let consoleEntry = later(
        "console entry", from: .answering, limit: Limit.entryAnswer,
        fields: "done 1, entry 4 and summary of the review, or refusal 1 and its fields",
        "What a review found.")

    static let consolePending = later(
        "console pending", from: .asking, limit: 0, reply: .consolePendingRows, fields: "none",
        "Asks what waits for an approval.")

    static let consolePendingRows = later(
        "console pending rows", from: .answering, limit: 2 + Limit.entries * Limit.entry,
        fields: """
            rows of (entry 4, from a console 1 and its uid 4, bytes 4, age in seconds 4, seconds left \
            1 and 4, summary of the review 1 and its fields) ≤ 64
            """,
        "What came through the network process and what this console submitted.")

    static let consoleReview = later(
        "console review", from: .asking, limit: 4 + 1, reply: .consoleEntry,
        fields: "entry 4, columns of text 1 or 0 for JSON",
        "Has the report of an entry written to the output that was handed over before.")

    static let consoleReject = later(
        "console reject", from: .asking, limit: 4 + Limit.text + Limit.rejection,
        reply: .consoleEntryGone, fields: "entry 4, reason text ≤ 256",
        "Rejects an entry; whoever asked for it is told the reason.")

    static let consoleWithdraw = later(
        "console withdraw", from: .asking, limit: 4, reply: .consoleEntryGone, fields: "entry 4",
        "Gives up what this console submitted.")

    static let consoleEntryGone = later(
        "console entry gone", from: .answering, limit: 1 + 1 + Limit.text + Limit.reason,
        fields: "done 1, or refusal 1 and its fields", "What became of that.")
}
