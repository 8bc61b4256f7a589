extension Row {
    static let workAnswer = first(
        "work answer", from: .answering, limit: 1 + 32, then: .over,
        fields: "outcome 1, digest 32",
        "The one thing a worker says. Its request needs no message: it is forked with it.")

    static let workProbe = first(
        "work probe", from: .answering, limit: 1 + 4, then: .over,
        fields: "outcome 1, errno or signal 4",
        "What became of an attempt at something forbidden, made in place of work.")
}
