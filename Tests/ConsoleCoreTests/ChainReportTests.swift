import ConsoleCore
import Messages
import Testing
import Wire

@Suite("What the light client's answers say")
struct ChainReportTests {
    @Test("an address is told as not given out by this watched wallet, and no more")
    func address() {
        #expect(
            ChainReport.address("bcrt1q", index: 4).lines == [
                "bcrt1q", "index 4; this watched wallet had not given it out",
            ])
    }

    @Test(
        "what is left is told only where the end of the chain is known",
        arguments: ChainProgress.Phase.allCases)
    func left(phase: ChainProgress.Phase) {
        var progress = ChainProgress(phase)
        (progress.height, progress.place, progress.tipTime) = (700, 700, 1_296_688_602)
        (progress.blocksLeft, progress.wallets, progress.secondsLeft) = (1, 1, 60)
        let open: Set<ChainProgress.Phase> = [
            .starting, .storeUnusable, .lookingForPeers, .noNetwork, .noPeerServesFilters,
            .peersRest, .clockIsBehind, .provingWork, .headers,
        ]
        let isOpen = open.contains(phase)
        for text in [progress.line, progress.lines.joined(separator: "\n")] {
            #expect(text.contains(" left") == !isOpen, "\(text)")
        }
        // Nor is the height that is reached told as the one that there is to reach.
        if isOpen { #expect(!progress.line.contains("of 700")) }
        if phase == .headers { #expect(progress.line.contains("700 (2011-02-02")) }
    }

    @Test("one transaction is told with its id and a warning of who learns of a look-up elsewhere")
    func transaction() {
        let row = HistoryRow(
            wallet: 1, txid: Bytes32 { $0[31] = 0xAB }, height: 100, time: 1_296_688_602,
            received: 7, sent: 0, fee: nil, label: "")
        let id = "ab" + String(repeating: "0", count: 62)
        let one = ChainReport.history([row], tip: 105, isOne: true).lines
        #expect(one.contains { $0.contains(id) } && one.contains("6 confirmations."))
        #expect(one.last?.contains("tells that site") == true)
        let all = ChainReport.history([row], tip: 105, isOne: false).lines
        #expect(all.contains { $0.contains(id) } && !all.contains { $0.contains("web site") })
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
