extension Row {
    static let queryChain = later(
        "query chain", from: .asking, limit: ChainRequest.limit, reply: .queryChainAnswer,
        fields: """
            what 1, then by it: a wallet, a peer or a label's type ≤ 256, a reference ≤ 4096, a height or \
            line 4, a birthday 0 or 9, a pairing file ≤ 1 MiB, labels ≤ 256 KiB, the number 4 of \
            their first line and whether they are the last 1, a transaction
            """,
        "Asks the light client, or has it do something.")

    static let queryChainAnswer = later(
        "query chain answer", from: .answering, limit: ChainAnswer.limit,
        fields: """
            what 1, then by it: sentences ≤ 16 of ≤ 1024, a refusal 1 and its sentence, how far it is, \
            peers ≤ 500, wallets ≤ 256 and where their keys are, lines of the history or coins ≤ 200 with their number 4 and the \
            tip 4, labels, an address ≤ 128 and its index 4, labels that are kept 4 and lines that \
            are left out 4 with why for the first ≤ 16 of ≤ 1024
            """,
        "What the light client says. More rows are asked for from the next on.")
}
