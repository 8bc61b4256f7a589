extension Row {
    static let linkHello = first(
        "link hello", from: .asking, limit: 0, fields: "none", "Opens the link.")

    static let linkWelcome = first(
        "link welcome", from: .answering, limit: 0, fields: "none", "Opens the link.")

    static let linkPing = later(
        "link ping", from: .asking, limit: 8, reply: .linkPong, fields: "nonce 8",
        "Asks whether the signer's loop still turns.")

    static let linkPong = later(
        "link pong", from: .answering, limit: 8, fields: "nonce 8", "Answers a ping.")

    static let linkRequest = later(
        "link request", from: .asking, limit: 16 + Limit.payload, reply: .linkAnswer,
        fields: "id 16, PSBT ≤ 16 MiB",
        "Asks for a signature. The id outlives the link; sent again, it is not done again.")

    static let linkInquiry = later(
        "link inquiry", from: .asking, limit: 16, reply: .linkAnswer, fields: "id 16",
        "Asks what became of a request, for instance after the link was replaced.")

    static let linkAnswer = later(
        "link answer", from: .answering, limit: 16 + Limit.requestState,
        fields: "id 16, state 1, for a refusal its code 1 and a text ≤ 512",
        "What became of a request; sent again whenever that changes.")

    static let linkSigned = later(
        "link signed", from: .answering, limit: 16 + Limit.signedFile,
        fields: "id 16, PSBT ≤ 20 MiB",
        "The signed file of a request. Follows its answer, and again after every inquiry.")

    static let linkCollected = later(
        "link collected", from: .asking, limit: 16, fields: "id 16",
        "Says that the signed file arrived where it was wanted: the signer keeps it no longer.")

    static let linkWitness = later(
        "link witness", from: .answering, limit: LedgerWitness.length, fields: "signed head 176",
        "The newest head of the signer's ledger, which the network process keeps for the next start."
    )

    static let linkWitnessed = later(
        "link witnessed", from: .asking, .once, limit: 1 + LedgerWitness.length,
        fields: "one is kept 1, signed head 176 or nothing",
        "The head that the network process kept; the signer compares its ledger with it.")

    static let linkAccounts = later(
        "link accounts", from: .answering, limit: Limit.paired,
        fields: "wallets of (id 16, pairing file text ≤ 4096) ≤ 256",
        "The public accounts of all wallets, in place of those told before: what may be watched.")
}
