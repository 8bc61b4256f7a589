extension Row {
    static let controlHello = first(
        "control hello", from: .asking,
        limit: 1 + 1 + 1 + 4 + 2 * (Limit.text + Limit.path)
            + Limit.settings,
        fields: """
            child 1, chain 1, one user 1, network uid 4, the signer's directory text ≤ 256, \
            its socket text ≤ 256, limits of reviews (name text ≤ 32, value 8) ≤ 32
            """,
        "What the child is, on which chain, whom the signer refuses, and what probes aim at.")

    static let controlReady = first(
        "control ready", from: .answering, limit: 8 + Limit.report,
        fields: """
            start-up nanoseconds 8, policy text ≤ 64, pid 4, uid 4, seccomp mode 4, no new privileges 1, dumpable 1, \
            write-execute is known 1, is denied 1, Landlock 1, its version 4, capabilities 8, \
            descriptors 4, limits 8 each ≤ 16
            """,
        "Sent before the first read: the child is confined, and this is what holds.")

    static let controlNewLink = later(
        "control new link", from: .asking, limit: 8, attachment: .linkEnd,
        fields: "generation 8",
        "A fresh end of the link, in place of one whose other side is gone.")

    static let controlFacts = later(
        "control facts", from: .asking, limit: Limit.facts + Limit.weaknessList,
        fields: """
            pids of keeper, signer, network 3 x 4, restarts of signer, network 2 x 4, role 1, \
            the state directory text ≤ 256, weaknesses text ≤ 256, ≤ 16
            """,
        "What only the keeper knows and a person may ask either child for.")

    static let controlNameServers = later(
        "control name servers", from: .asking, limit: Limit.text + Limit.nameServers,
        fields: "text ≤ 4096",
        "The machine's resolv.conf, as it is now, for the network process, which cannot read it.")

    static let controlPing = later(
        "control ping", from: .asking, limit: 8, reply: .controlPong, fields: "nonce 8",
        "Asks whether the child's loop still turns.")

    static let controlPong = later(
        "control pong", from: .answering, limit: 8, fields: "nonce 8", "Answers a ping.")

    static let controlStop = later(
        "control stop", from: .asking, .once, limit: 0, then: .over, fields: "none",
        "Asks the child to end; the end of the channel asks the same.")

    static let controlLog = later(
        "control log", from: .answering, limit: 1 + Limit.text + Limit.logText,
        fields: "severity 1, text ≤ 1024",
        "A line for the keeper's log, which prints it escaped; a confined child has no stdio.")

    static let controlLinkLost = later(
        "control link lost", from: .answering, limit: 8 + 1 + Limit.text + Limit.logText,
        fields: "generation 8, cause 1, text ≤ 1024",
        "The child's end of the link is gone: closed across, or ended for a violation.")
}
