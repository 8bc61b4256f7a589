extension Row {
    static let workAnswer = first(
        "work answer", from: .answering, limit: 1 + 32, then: .over,
        fields: "outcome 1, digest 32",
        "The one thing a worker says. Its request needs no message: it is forked with it.")
}
