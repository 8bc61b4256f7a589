extension Row {
    static let queryHello = first(
        "query hello", from: .asking, limit: 0, fields: "none", "Opens the channel.")

    static let queryWelcome = first(
        "query welcome", from: .answering, limit: 1, fields: "chain 1", "Opens the channel.")

    static let queryPing = later(
        "query ping", from: .asking, limit: 8, reply: .queryPong, fields: "nonce 8",
        "Asks whether the network process's loop still turns.")

    static let queryPong = later(
        "query pong", from: .answering, limit: 8, fields: "nonce 8", "Answers a ping.")

    static let queryStatus = later(
        "query status", from: .asking, limit: 0, reply: .queryStatusReport, fields: "none",
        "Asks how the network process is.")

    static let queryStatusReport = later(
        "query status report", from: .answering, limit: 74 + Limit.facts + Limit.weaknessList,
        fields: """
            chain 1, link is up 1, uptime seconds 8, link generation 8, link round trip \
            nanoseconds 8, requests sent 8, requests answered 8, requests waiting 8, queries 8, \
            connections 4, wallets handed over 4, ledger entries witnessed 8, facts as in control facts
            """,
        "How the network process is, in numbers, and which walls are weaker than they could be.")

    static let querySelfReport = later(
        "query self-report", from: .asking, limit: 0, reply: .querySelfReportRows,
        fields: "none", "Asks the network process what it sees of its own confinement.")

    static let querySelfReportRows = later(
        "query self-report rows", from: .answering, limit: Limit.report,
        fields: """
            policy text ≤ 64, pid 4, uid 4, seccomp mode 4, no new privileges 1, dumpable 1, \
            write-execute is known 1, is denied 1, Landlock 1, its version 4, capabilities 8, \
            descriptors 4, limits 8 each ≤ 16
            """,
        "What the network process says of itself.")

    static let queryProbe = later(
        "query probe", from: .asking, limit: 0, reply: .queryProbeRows, fields: "none",
        "Asks for every forbidden thing to be tried from inside the network process.")

    static let queryProbeRows = later(
        "query probe rows", from: .answering, limit: Limit.probeRows,
        fields: "rows of (place 1, probe 1, outcome 1, errno or signal 4) ≤ 256",
        "What became of each attempt.")

    static let querySubmit = later(
        "query submit", from: .asking, limit: 16 + Limit.payload, reply: .queryAnswer,
        fields: "id 16, PSBT ≤ 16 MiB",
        "Asks for a signature. The network process passes it on and keeps it until the signer has it."
    )

    static let queryInquiry = later(
        "query inquiry", from: .asking, limit: 16, reply: .queryAnswer, fields: "id 16",
        "Asks what became of a request, for instance over another connection.")

    static let queryAnswer = later(
        "query answer", from: .answering, limit: 16 + Limit.requestState,
        fields: "id 16, state 1, for a refusal its code 1 and a text ≤ 512",
        "What became of a request; sent again whenever that changes.")

    static let querySigned = later(
        "query signed", from: .answering, limit: 16 + Limit.signedFile,
        fields: "id 16, PSBT ≤ 20 MiB", "The signed file of a request. Follows its answer.")

    static let queryCollected = later(
        "query collected", from: .asking, limit: 16, fields: "id 16",
        "Says that the signed file is written: the signer keeps it no longer.")
}
