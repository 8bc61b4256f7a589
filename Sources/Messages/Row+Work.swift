extension Row {
    static let workProbe = first(
        "work probe", from: .answering, limit: 1 + 4, then: .over,
        fields: "outcome 1, errno or signal 4",
        "What became of an attempt at something forbidden, made in place of work.")

    static let workVault = first(
        "work vault", from: .answering,
        limit: 1 + Limit.operationAnswer + Limit.changes + 4 + Limit.signatures,
        then: .over,
        fields: "result 1, count, answer or refusal, signatures, changes of files",
        "What became of one stage of an operation on vaults, and what is to be kept of it.")

    static let workReview = first(
        "work review", from: .answering,
        limit: 1 + max(Limit.summary, 1 + Limit.text + Limit.reason),
        then: .over, fields: "done 1, summary or refusal 1 and its fields",
        "What a review found.")
}
