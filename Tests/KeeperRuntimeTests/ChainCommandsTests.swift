import Chain
import Foundation
import ScriptedPeer
import TestSupport
import Testing

/// The commands of the light client against the real programs and a peer over real TCP, which serves
/// what Bitcoin Core recorded.
@Suite("Commands of the light client", .serialized, .enabled(if: isWallTested))
struct ChainCommandsTests {
    private struct Expected: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let confirmed: Int
            let txids: [String]
        }
    }

    private struct Descriptors: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let descriptor: String
        }
    }

    private static func isCurrent(_ commands: VaultCommands) throws -> Bool {
        let status = try commands.run("sync").json["chain"] as? [String: Any]
        return status?["phase"] as? String == "current"
            && status?["scannedHeight"] as? Int == status?["height"] as? Int
    }

    @Test("recorded wallets have what Core says, after a restart too, and labels are kept")
    func recordedWallets() throws {
        let parameters = ChainParameters(.regtest)
        let peer = try ScriptedPeer(
            ServedChain.recorded(), messageStart: parameters.messageStart)
        let commands = try VaultCommands(role: "watch")
        #expect(try commands.run("balance", isJSON: false).output.contains("no wallet is watched"))
        let descriptors: Descriptors = try Fixture.load("descriptors/core-wallets.json")
        let all: Expected = try Fixture.load("watch/core-regtest.json")
        // Three of the seventeen: the others are searched for in memory.
        let expected = Expected(
            wallets: Array(all.wallets.filter { !$0.txids.isEmpty }.prefix(3)))
        let texts = Dictionary(
            uniqueKeysWithValues: descriptors.wallets.map { ($0.name, $0.descriptor) })
        for wallet in expected.wallets {
            let file = commands.files.appending(path: "\(wallet.name).txt")
            try Data((texts[wallet.name] ?? "").utf8).write(to: file)
            let added = try commands.run(
                "watch import \(wallet.name).txt --name \(wallet.name)")
            #expect(added.status == 0, "\(added)")
        }
        let twice = try commands.run("watch import \(expected.wallets[0].name).txt --name other")
        #expect(twice.status == 10 && twice.errors.contains("watches exactly these accounts"))
        #expect(try commands.run("peers add 127.0.0.1:\(peer.listener.port)").status == 0)
        let waited = try commands.run("sync --until-tip")
        #expect(waited.status == 0, "\(waited) \(commands.keeper.said)")
        try check(commands, expected)

        let txid = try #require(expected.wallets.first { !$0.txids.isEmpty }?.txids.first)
        _ = try commands.run("labels set tx \(txid) rent")
        let one = try commands.run("history --txid \(txid)", isJSON: false)
        #expect(one.output.contains("rent") && one.output.contains("tells that site"), "\(one)")

        try commands.stop()
        try commands.start()
        #expect(try commands.run("sync --until-tip").status == 0)
        try check(commands, expected)
        #expect(try commands.run("labels export labels.jsonl").status == 0)
        let labels = try String(
            contentsOf: commands.files.appending(path: "labels.jsonl"), encoding: .utf8)
        #expect(labels.contains(txid) && labels.contains("rent"))

        let rows = try #require(try commands.run("peers list").json["peers"] as? [[String: Any]])
        #expect(rows.count == 1 && rows[0]["state"] as? String == "seated")
        let status = try commands.run("status", isJSON: false).output
        #expect(status.contains("up to date") && status.contains("127.0.0.1"), "\(status)")
        #expect(try commands.run("watch remove \(expected.wallets[0].name)").status == 0)
        #expect(
            try commands.run("balance \(expected.wallets[0].name)").status == 10)
        try commands.stop()
    }

    private func check(_ commands: VaultCommands, _ expected: Expected) throws {
        let balance = try commands.run("balance")
        let wallets = try #require(balance.json["wallets"] as? [[String: Any]], "\(balance)")
        #expect(wallets.count == expected.wallets.count)
        let history = try commands.run("history")
        let payments = try #require(history.json["payments"] as? [[String: Any]], "\(history)")
        var checked = 0
        for wallet in expected.wallets {
            let row = try #require(wallets.first { $0["name"] as? String == wallet.name })
            let sum = (row["spendable"] as? Int ?? 0) + (row["immature"] as? Int ?? 0)
            #expect(sum == wallet.confirmed, "\(wallet.name)")
            let txids = payments.filter { $0["wallet"] as? Int == row["wallet"] as? Int }
                .compactMap { $0["txid"] as? String }
            #expect(Set(txids) == Set(wallet.txids), "\(wallet.name)")
            #expect(txids.count == wallet.txids.count)
            checked += 1
        }
        #expect(checked == 3)
        let coins = try commands.run("coins")
        let all = try #require(coins.json["coins"] as? [[String: Any]])
        let total = all.reduce(0) { $0 + ($1["value"] as? Int ?? 0) }
        #expect(total == expected.wallets.reduce(0) { $0 + $1.confirmed })
    }

    @Test("addresses are given out once, over a killed process too, until the gap is used up")
    func addresses() throws {
        let commands = try VaultCommands(role: "watch")
        let descriptors: Descriptors = try Fixture.load("descriptors/core-wallets.json")
        let ranged = try #require(descriptors.wallets.first { $0.descriptor.contains("<0;1>") })
        try Data(ranged.descriptor.utf8).write(to: commands.files.appending(path: "w.txt"))
        #expect(try commands.run("watch import w.txt --name w").status == 0)
        var seen: Set<String> = []
        for count in 1...20 {
            if count == 11 {
                try commands.stop()
                try commands.start()
            }
            let given = try commands.run("watch address w")
            #expect(given.json["index"] as? Int == count - 1, "\(given)")
            seen.insert(given.json["address"] as? String ?? "")
        }
        #expect(seen.count == 20 && !seen.contains(""))
        let refused = try commands.run("watch address w")
        #expect(refused.status == 9 && refused.errors.contains("never paid"), "\(refused)")
        try commands.stop()
    }

    @Test("what is wrong is said in the words of the one who typed it")
    func refusals() throws {
        let commands = try VaultCommands(role: "watch")
        try Data("no descriptor".utf8).write(to: commands.files.appending(path: "bad.txt"))
        try Data("\n\n".utf8).write(to: commands.files.appending(path: "none.jsonl"))
        let label = #"{"type":"fruit","ref":"apple","label":"red"}"#
        try Data("\n\(label)\n\nno label\n".utf8)
            .write(to: commands.files.appending(path: "some.jsonl"))
        let cases: [(words: String, status: Int32, says: String)] = [
            ("watch import bad.txt --name x", 10, "line 1"),
            ("watch import missing.txt", 10, "no such file"),
            ("watch remove nobody", 10, "no wallet is watched"),
            ("rescan", 2, "--from HEIGHT"),
            ("rescan --from -1", 2, "a height is a number from 0 to 2147483646"),
            ("rescan --from 2147483647", 2, "a height is a number from 0 to 2147483646"),
            ("watch import bad.txt --birthday 9999-01-01", 2, "still to come"),
            ("history --txid 12", 2, "64 hexadecimal digits"),
            ("peers add example.org", 10, "is no address"),
            ("peers add 10.0.0.1:99999", 10, "is no port"),
            ("broadcast bad.txt", 10, "bulkhead: bad.txt"),
            ("broadcast withdraw \(String(repeating: "0", count: 64))", 10, "broadcast list"),
            ("peers remove 127.0.0.1:9", 10, "no peer 127.0.0.1:9 is known"),
            ("sync --wait 1", 2, "--until-tip"),
            ("sync --until-tip --wait 1", 18, "peers add ADDRESS"),
            ("labels set tx 00 x", 10, "no label is kept: its reference is no \"tx\""),
            (
                "labels set addr x \(String(repeating: "y", count: 300))", 10,
                "no label is kept: its"
            ),
            ("labels set coin 00 x", 2, "TYPE is one of tx"),
            ("labels import bad.txt", 10, "line 1 is left out"),
            ("labels import none.jsonl", 10, "there are none"),
            ("labels import some.jsonl", 1, "line 4 is left out"),
        ]
        for (words, status, says) in cases {
            let result = try commands.run(words)
            #expect(result.status == status, "\(words): \(result)")
            #expect((result.errors + result.output).contains(says), "\(words): \(result)")
        }
        try commands.stop()
    }
}
