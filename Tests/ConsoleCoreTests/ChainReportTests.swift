import ConsoleCore
import Messages
import Testing

@Suite("What the light client's answers say")
struct ChainReportTests {
    @Test("an address is told as not given out by this watched wallet, and no more")
    func address() {
        #expect(
            ChainReport.address("bcrt1q", index: 4).lines == [
                "bcrt1q", "index 4; this watched wallet had not given it out",
            ])
    }

    @Test("where the signer told its wallets, each line says whether it has the keys")
    func keys() {
        func report(_ keys: [WatchedWalletRow.Keys]) -> ChainReport {
            .wallets(
                keys.map { keys in
                    WatchedWalletRow(
                        number: 1, name: "w", spendable: 0, immature: 0, coins: 0, transactions: 0,
                        addresses: 0, scanned: nil, start: nil, keys: keys)
                }, tip: 0)
        }
        let lines = report([.here, .elsewhere, .unknown]).lines
        for (line, ending) in zip(
            lines, ["KEYS", "  in the signer", "not in the signer", "not known"])
        {
            #expect(line.hasSuffix(ending))
        }
        #expect(report([.here, .elsewhere, .unknown]).json.line.contains("\"keysInSigner\":false"))
        #expect(
            report([.unknown, .unknown]).lines.allSatisfy {
                !$0.contains("KEYS") && !$0.contains("known")
            })
    }
}
