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
        fields: "id 16, payload ≤ 16 MiB",
        "Asks for work on a payload. The id outlives the link; sent again, it is not done again.")

    static let linkInquiry = later(
        "link inquiry", from: .asking, limit: 16, reply: .linkAnswer, fields: "id 16",
        "Asks what became of a request, for instance after the link was replaced.")

    static let linkAnswer = later(
        "link answer", from: .answering, limit: 16 + 1 + 32, fields: "id 16, outcome 1, digest 32",
        "What became of a request; sent again whenever that changes.")
}
