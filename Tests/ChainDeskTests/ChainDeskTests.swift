import Bitcoin
import Chain
import ChainDesk
import Descriptors
import Messages
import NetworkCore
import NetworkStore
import StateFiles
import TestSupport
import Testing
import Watch
import Wire

/// A light client that nobody talks to, its store on a disk in memory, and the desk in front.
struct DeskUnderTest {
    static let parameters = ChainParameters(.regtest)
    static let asker = QueryID(1)
    let disk = SimulatedDisk()
    let store: NetworkStore
    var client: LightClient
    var desk = ChainDesk(parameters)

    init(_ changes: [StoreChange] = []) throws {
        store = try NetworkStore(disk, Self.parameters)
        try store.commit(changes)
        client = LightClient(
            try store.load(), at: .zero, clock: 1_700_000_000, random: SeededGenerator(seed: 1))
    }

    /// Has the signer's wallets watched, and gives the lines for the log.
    mutating func pair(_ files: [String]) throws -> [String] {
        let vaults = try files.indices.map { index in
            try #require(VaultID([UInt8](repeating: UInt8(index), count: 16)))
        }
        desk.take(zip(vaults, files).map { PairedAccounts(vault: $0, file: $1) })
        return try pairOn()
    }

    mutating func pairOn() throws -> [String] {
        var lines: [String] = []
        while let step = desk.nextPairing(client) {
            switch step {
            case .note(_, let line): lines.append(line)
            case .command(let id, let command): _ = try perform(id, command)
            }
        }
        return lines
    }

    /// Starts the light client anew from what is stored.
    mutating func restart() throws {
        client = LightClient(
            try store.load(), at: .zero, clock: 1_700_000_000, random: SeededGenerator(seed: 1))
    }

    /// Asks, has done what is to be done, and gives what the asker is told.
    mutating func ask(_ request: ChainRequest) throws -> ChainAnswer? {
        let step = desk.take(
            request, from: Self.asker, client, store, reason: "", at: .zero)
        switch step {
        case .answer(let answer): return answer
        case .wait: return nil
        case .command(let id, let command): return try perform(id, command)
        }
    }

    private mutating func perform(
        _ id: CommandID, _ command: ClientCommand
    ) throws -> ChainAnswer? {
        var told: ChainAnswer?
        for action in client.handle(.command(id, command), at: .zero, clock: 1_700_000_000) {
            switch action {
            case .commit(let changes): try store.commit(changes)
            case .answer(let id, let answer): told = desk.answered(id, answer)?.answer
            default: break
            }
        }
        return told
    }
}

@Suite("Desk of the light client")
struct ChainDeskTests {
    private static let key =
        "tpubDC5FSnBiZDMmhiuCmWAYsLwgLYrrT9rAqvTySfuCCrgsWz8wxMXUS9Tb9iVMvcRbvFcAHGkMD5Kx8koh4GquNG"
        + "NTfohfk7pgjhaPCdXpoba"
    private static let text = "wpkh(\(key)/<0;1>/*)"

    private func file(_ text: String = text, header: String = "") -> [UInt8] {
        Array((header + text + "\n").utf8)
    }

    /// Headers of regtest, and a wallet that a transaction in the fifth block pays.
    private func paid() throws -> [StoreChange] {
        var headers: [BlockHeader] = []
        var last = DeskUnderTest.parameters.genesis
        for _ in 0..<10 {
            var header = BlockHeader(
                version: 0x2000_0000, previous: last.hash, merkleRoot: .zero,
                time: last.time + 600, bits: last.bits, nonce: 0)
            while !header.provesWork(hash: header.hash, limit: .max) { header.nonce += 1 }
            headers.append(header)
            last = header
        }
        let descriptor = try Descriptor(Self.text)
        let wallet = try WatchedWallet([descriptor])
        let script = try #require(
            wallet.places.first { $0.value == WatchedPlaceOf(branch: 0, index: 2, wallet) }?.key)
        let value = try #require(Amount(sats: 150_000_000))
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 1))],
            outputs: [TransactionOutput(value: value, scriptPubKey: script)])
        return [
            .appendHeaders(from: 1, headers),
            .appendFilterHeaders(
                from: 0, [FilterHeader](repeating: .beforeGenesis, count: 11)),
            .putWallet(
                StoredWallet(
                    id: WalletID(4), name: "savings", descriptors: [descriptor],
                    birthday: .unknown,
                    progress: ScanProgress(start: 1, scanned: 10, covered: [100, 100], pass: nil),
                    transactions: [
                        WatchedTransaction(
                            transaction: transaction, txid: transaction.txid, height: 5,
                            position: 1, block: headers[4].hash, time: headers[4].time)
                    ])),
        ]
    }

    private func WatchedPlaceOf(
        branch: Int, index: UInt32, _ wallet: WatchedWallet
    ) -> WatchedPlace? {
        wallet.places.values.first { $0.branch == branch && $0.index == index }
    }

    @Test("a pairing file becomes a watched wallet, once, and one that is kept")
    func watching() throws {
        var desk = try DeskUnderTest()
        let added = try desk.ask(
            .watch(name: "", file: file(header: "# wallet: home\n"), birthday: nil))
        guard case .done(let remarks) = added else {
            Issue.record("not added")
            return
        }
        #expect(remarks.first == "wallet 1 is watched" && remarks.count == 2)
        let again = try desk.ask(.watch(name: "two", file: file(), birthday: 1))
        guard case .refused(.input, let sentence) = again else {
            Issue.record("added twice")
            return
        }
        #expect(sentence.contains("wallet 1"))
        #expect(try desk.store.load().wallets.map(\.name) == ["home"])
        #expect(try desk.ask(.unwatch("home")) == .done(["wallet 1, home, is watched no more"]))
        #expect(try desk.store.load().wallets.isEmpty)
    }

    @Test(
        "what cannot be watched is refused with a reason",
        arguments: [
            ("", text, "--name"), ("a\u{202E}b", text, "cannot be seen"), ("7", text, "no letter"),
            ("", "# wallet: x/y\n" + text, "the name in the file"),
            (String(repeating: "n", count: 65), text, "at most 64"), ("x", "wpkh(", "line 1"),
            (
                "x",
                "wpkh(xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8/<0;1>/*)",
                "another network"
            ),
        ])
    func refusals(name: String, text: String, says: String) throws {
        var desk = try DeskUnderTest()
        let answer = try desk.ask(.watch(name: name, file: file(text), birthday: nil))
        guard case .refused(.input, let sentence) = answer else {
            Issue.record("taken")
            return
        }
        let found: Comment = "\(sentence)"
        #expect(sentence.contains(says), found)
    }

    @Test("addresses are given out in turn, are kept before, and end at the gap")
    func addresses() throws {
        var desk = try DeskUnderTest()
        _ = try desk.ask(.watch(name: "w", file: file(), birthday: nil))
        var seen: Set<String> = []
        for index in 0..<20 as Range<UInt32> {
            guard case .address(let text, let found)? = try desk.ask(.newAddress("")) else {
                Issue.record("no address")
                return
            }
            #expect(found == index)
            #expect(try desk.store.load().wallets[0].issued == [0: index])
            seen.insert(text)
        }
        #expect(seen.count == 20)
        guard case .refused(.notAllowed, _)? = try desk.ask(.newAddress("w")) else {
            Issue.record("given out beyond the gap")
            return
        }
    }

    @Test("balance, history, coins and one transaction agree, with their labels")
    func reading() throws {
        var desk = try DeskUnderTest(try paid())
        guard case .wallets(let rows, let tip)? = try desk.ask(.balance("savings")) else {
            Issue.record("no balance")
            return
        }
        #expect(tip == 10 && rows.count == 1 && rows[0].spendable == 150_000_000)
        #expect(rows[0].coins == 1 && rows[0].transactions == 1 && rows[0].number == 4)
        guard case .history(let lines, 1, 10)? = try desk.ask(.history("4", from: 0)),
            let line = lines.first
        else {
            Issue.record("no history")
            return
        }
        #expect(line.received == 150_000_000 && line.height == 5 && line.fee == nil)
        let label = "{\"type\":\"tx\",\"ref\":\"\(Txid(line.txid))\",\"label\":\"rent\"}\n"
        #expect(
            try desk.ask(.putLabels(Array((label + "\n{}\n").utf8), firstLine: 40, isLast: true))
                == .labelsPut(
                    kept: 1, leftOut: 1,
                    ["line 42 is left out: the member \"type\" is missing or of another kind"]))
        guard case .history(let one, 1, 10)? = try desk.ask(.transaction(line.txid)) else {
            Issue.record("no transaction")
            return
        }
        #expect(one.map(\.label) == ["rent"])
        guard case .coins(let coins, 1, 10)? = try desk.ask(.coins("", from: 0)) else {
            Issue.record("no coins")
            return
        }
        #expect(coins.map(\.value) == [150_000_000] && coins[0].index == 2 && coins[0].isMature)
        #expect(coins[0].address.hasPrefix("bcrt1q"))
        #expect(try desk.ask(.coins("", from: 1)) == .coins([], total: 1, tip: 10))
        #expect(try desk.ask(.labels(afterType: "", ref: "")) == .labels(Array(label.utf8)))
        #expect(
            try desk.ask(.labels(afterType: "tx", ref: "\(Txid(line.txid))")) == .labels([]))
    }

    @Test("a wallet is found by name or number, and a wrong one is answered with those there are")
    func names() throws {
        var desk = try DeskUnderTest()
        guard case .refused(.wallet, let none)? = try desk.ask(.newAddress("")) else {
            Issue.record("found one")
            return
        }
        #expect(none.contains("watch import"))
        _ = try desk.ask(.watch(name: "one", file: file(), birthday: nil))
        _ = try desk.ask(
            .watch(name: "two", file: file("wpkh(\(Self.key)/7/<0;1>/*)"), birthday: nil))
        guard case .refused(.wallet, let several)? = try desk.ask(.newAddress("")),
            case .refused(.wallet, let unknown)? = try desk.ask(.balance("three"))
        else {
            Issue.record("found one")
            return
        }
        #expect(several.contains("one (1), two (2)") && unknown.contains("one (1), two (2)"))
        guard case .wallets(let rows, _)? = try desk.ask(.balance("2")) else {
            Issue.record("not found")
            return
        }
        #expect(rows.map(\.name) == ["two"])
    }

    @Test(
        "digits that are one wallet's name and another's number mean neither, and number:N means the number"
    )
    func ambiguous() throws {
        // Names of old: they can be given no more.
        let stored = try [(1, "7"), (7, "1"), (8, "number:1")].map { number, name in
            StoreChange.putWallet(
                StoredWallet(
                    id: WalletID(number), name: name,
                    descriptors: [try Descriptor("wpkh(\(Self.key)/\(number)/<0;1>/*)")],
                    birthday: .unknown))
        }
        var desk = try DeskUnderTest(stored)
        let ways = ["number:1 for the one called 7", "number:7 for the one called 1"]
        for request in [
            ChainRequest.unwatch("1"), .newAddress("1"), .balance("1"), .history("1", from: 0),
            .coins("1", from: 0), .rescan("1", from: 1),
        ] {
            guard case .refused(.wallet, let why)? = try desk.ask(request) else {
                Issue.record("\(request) was done")
                continue
            }
            #expect(ways.allSatisfy { why.contains($0) })
        }
        // A name of old does not make that form mean something else.
        guard case .wallets(let rows, _)? = try desk.ask(.balance("number:1")),
            case .refused(.wallet, let none)? = try desk.ask(.balance("number:2"))
        else {
            Issue.record("number:1 is not the number")
            return
        }
        #expect(rows.map(\.number) == [1])
        #expect(none.contains("has this number; there are 7 (1), 1 (7), number:1 (8)"))
        #expect(try desk.store.load().wallets.count == 3)
        let removed = try desk.ask(.unwatch("number:7"))
        #expect(removed == .done(["wallet 7, 1, is watched no more"]))
        // The other one alone is meant now, by its name as by its number.
        #expect(try desk.ask(.unwatch("7")) == .done(["wallet 1, 7, is watched no more"]))
    }

    @Test("two watched wallets do not differ by case alone")
    func twins() throws {
        var desk = try DeskUnderTest()
        _ = try desk.ask(.watch(name: "Savings", file: file(), birthday: nil))
        let other = file("wpkh(\(Self.key)/7/<0;1>/*)")
        let answer = try desk.ask(.watch(name: "sAVINGS", file: other, birthday: nil))
        guard case .refused(.input, let why)? = answer else {
            Issue.record("taken")
            return
        }
        #expect(why.contains("wallet 1 is called Savings"))
    }

    @Test("the number of a wallet that was removed is not used again, over a restart too")
    func numbers() throws {
        var desk = try DeskUnderTest()
        func watch(_ number: Int) throws -> ChainAnswer? {
            let file = file("wpkh(\(Self.key)/\(number)/<0;1>/*)")
            return try desk.ask(.watch(name: "w\(number)", file: file, birthday: 1))
        }
        for number in 1...3 {
            #expect(try watch(number) == .done(["wallet \(number) is watched"]))
        }
        for number in 4...6 {
            // Of all, of the last one, and of the last one behind a restart.
            for name in number == 4 ? ["w1", "w2", "w3"] : ["w\(number - 1)"] {
                _ = try desk.ask(.unwatch(name))
            }
            if number == 6 { try desk.restart() }
            #expect(try watch(number) == .done(["wallet \(number) is watched"]))
            guard case .refused(.wallet, _)? = try desk.ask(.balance("number:\(number - 1)")) else {
                Issue.record("number \(number - 1) is somebody")
                return
            }
        }
    }

    @Test("a rescan says what is searched again, and what is not")
    func rescans() throws {
        var desk = try DeskUnderTest(try paid())
        for (height, says) in [
            (UInt32(3), "wallet 4 is searched again from 3 on"), (10, "again from 10 on"),
            (11, "nothing is searched again: the newest block that is known here has height 10"),
        ] {
            guard case .done(let remarks)? = try desk.ask(.rescan("", from: height)) else {
                Issue.record("not done")
                continue
            }
            let first = remarks.first
            #expect(first?.contains(says) == true)
            // From where the one before left it.
            if height == 3 {
                guard case .done(let again)? = try desk.ask(.rescan("4", from: 9)) else {
                    Issue.record("not done")
                    continue
                }
                #expect(again == ["wallet 4 is searched up to 2 only, and goes on from there"])
                desk = try DeskUnderTest(try paid())
            }
        }
        var empty = try DeskUnderTest()
        guard case .refused(.wallet, _)? = try empty.ask(.rescan("", from: 1)) else {
            Issue.record("something was searched")
            return
        }
    }

    @Test("peers are named and taken, and what hinders the light client is said")
    func peers() throws {
        var desk = try DeskUnderTest()
        guard case .progress(let progress)? = try desk.ask(.progress) else {
            Issue.record("no progress")
            return
        }
        #expect(progress.phase == .lookingForPeers && progress.seats == 3 && progress.peers == 0)
        #expect(try desk.ask(.addPeer("127.0.0.1:18444")) == .done([]))
        guard case .peers(let rows)? = try desk.ask(.peers) else {
            Issue.record("no peers")
            return
        }
        #expect(rows.map(\.endpoint) == ["127.0.0.1:18444"] && rows[0].source == "added by hand")
        #expect(try desk.store.load().peers.records.count == 1)
        guard case .refused(.input, _)? = try desk.ask(.addPeer("example.org")) else {
            Issue.record("taken")
            return
        }
        for (text, says) in [
            ("127.0.0.1:18445", "no peer 127.0.0.1:18445 is known"), ("x", "is no address"),
        ] {
            guard case .refused(.input, let why)? = try desk.ask(.removePeer(text)) else {
                Issue.record("\(text) was removed")
                continue
            }
            #expect(why.contains(says))
        }
        #expect(try desk.ask(.removePeer("127.0.0.1:18444")) == .done([]))
        #expect(try desk.ask(.peers) == .peers([]))
        let stopped = desk.desk.take(
            .balance(""), from: DeskUnderTest.asker, nil, nil, reason: "damaged", at: .zero)
        guard case .answer(.refused(.notRunning, "damaged")) = stopped else {
            Issue.record("answered")
            return
        }
    }

    @Test("a peer that rests says why, and for how long")
    func restingPeer() throws {
        var desk = try DeskUnderTest()
        #expect(try desk.ask(.addPeer("127.0.0.1:18444")) == .done([]))
        let dials = desk.client.handle(.started, at: .zero, clock: 1_700_000_000)
            .compactMap { if case .dial(let id, _, _, _, _) = $0 { id } else { nil } }
        let dial = try #require(dials.first)
        _ = desk.client.handle(
            .dialled(dial, .failure(DialFailure(.refused, "refused"))), at: .zero,
            clock: 1_700_000_001)
        guard case .peers(let rows)? = try desk.ask(.peers) else {
            Issue.record("no peers")
            return
        }
        #expect(rows.map(\.state) == [.resting])
        #expect(rows[0].remark == "the connection was refused; tried again in 10 s")
    }

    @Test("a command whose change cannot be written is answered with the fault of the store")
    func faults() throws {
        var desk = try DeskUnderTest()
        let step = desk.desk.take(
            .watch(name: "w", file: file(), birthday: nil), from: DeskUnderTest.asker, desk.client,
            desk.store, reason: "", at: .zero)
        guard case .command(let id, let command) = step else {
            Issue.record("no command")
            return
        }
        let actions = desk.client.handle(.command(id, command), at: .zero, clock: 0)
        guard case .commit = actions.first else {
            Issue.record("nothing to write")
            return
        }
        var told: ChainAnswer?
        let fault = StoreFault(.noSpace, "no room is left")
        for case .answer(let id, let answer) in desk.client.handle(
            .commitFailed(fault), at: .zero, clock: 0)
        {
            told = desk.desk.answered(id, answer)?.answer
        }
        #expect(told == .refused(.store, "no room is left"))
    }
}
