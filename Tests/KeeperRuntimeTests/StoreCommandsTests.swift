import Chain
import Database
import Foundation
import LinuxIO
import NetworkStore
import ScriptedPeer
import TestSupport
import Testing

/// What a person hears when the files of the light client cannot be used, or the process is killed.
@Suite("Files of the light client behind commands", .serialized, .enabled(if: isWallTested))
struct StoreCommandsTests {
    private struct Descriptors: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let descriptor: String
        }
    }

    private static let txid = String(repeating: "0123456789abcdef", count: 4)

    /// An instance that watches a wallet and has a label.
    private func watching() throws -> VaultCommands {
        let commands = try VaultCommands(role: "watch")
        let all: Descriptors = try Fixture.load("descriptors/core-wallets.json")
        let text = try #require(all.wallets.first { $0.name == "wpkh" }).descriptor
        try Data(text.utf8).write(to: commands.files.appending(path: "w.txt"))
        #expect(try commands.run("watch import w.txt --name w").status == 0)
        #expect(try commands.run("labels set tx \(Self.txid) rent").status == 0)
        return commands
    }

    private static let words = [
        "balance", "history", "coins", "watch list", "watch address w", "watch remove w",
        "watch import w.txt --name v", "labels set tx \(txid) other", "rescan --from 1",
        "peers list", "peers add 127.0.0.1:18444",
    ]

    /// Every command says why, and changes nothing.
    private func expectRefused(_ commands: VaultCommands, _ sentence: String) throws {
        for words in Self.words {
            let result = try commands.run(words)
            #expect(result.status != 0, "\(words): \(result)")
            let said = result.errors + result.output
            #expect(said.contains(sentence), "\(words): \(result)")
        }
        let status = try commands.run("status", isJSON: false)
        #expect((status.output + status.errors).contains(sentence), "\(status)")
        #expect(commands.keeper.said.contains(sentence))
    }

    private func expectThere(_ commands: VaultCommands) throws {
        let wallets = try commands.run("watch list").json["wallets"] as? [[String: Any]]
        #expect(wallets?.map { $0["name"] as? String } == ["w"])
        _ = try commands.run("labels export labels.jsonl")
        let file = commands.files.appending(path: "labels.jsonl")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("rent"))
    }

    private func contents(_ directory: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return try Dictionary(
            uniqueKeysWithValues: names.filter { $0.hasSuffix(".db") }.map {
                ($0, try Data(contentsOf: directory.appending(path: $0)))
            })
    }

    @Test("those of a newer version are left as they are, and every command says which to start")
    func newer() throws {
        let commands = try watching()
        try commands.stop()
        let directory = commands.keeper.state.appending(path: "network")
        let original = try contents(directory)
        func setVersion(_ statement: String) throws {
            let disk = try DirectoryDisk(Kernel.openDirectory(directory.path))
            let limits = Database.Limits(fileSize: 1 << 30, valueSize: 1 << 20, cacheSize: 1 << 20)
            try Database("wallets.db", on: DiskFileSystem(disk), limits: limits).run(statement)
        }
        try setVersion("PRAGMA user_version=99")
        let newer = try contents(directory)
        #expect(newer != original)
        try commands.start()
        try expectRefused(commands, "wallets.db was written by a newer Bulkhead (version 99")
        try commands.stop()
        #expect(try contents(directory) == newer)
        // The newer one is started, as the sentence says.
        try original["wallets.db"]?.write(to: directory.appending(path: "wallets.db"))
        try commands.start()
        try expectThere(commands)
        try commands.stop()
    }

    @Test("where both copies are damaged nothing changes, and every command says what to move away")
    func bothDamaged() throws {
        let commands = try watching()
        try commands.stop()
        let directory = commands.keeper.state.appending(path: "network")
        let original = try contents(directory)
        for name in ["wallets.db", "wallets-copy.db"] {
            var bytes = try #require(original[name])
            for place in stride(from: 4096 + 50, to: bytes.count, by: 4096) { bytes[place] ^= 4 }
            // In place, so that the file stays its owner's.
            let handle = try FileHandle(forWritingTo: directory.appending(path: name))
            try handle.write(contentsOf: bytes)
            try handle.close()
        }
        let damaged = try contents(directory)
        try commands.start()
        try expectRefused(commands, "Move these files out of network/ in the state directory")
        try commands.stop()
        #expect(try contents(directory) == damaged)
        // What the sentence says is done.
        for name in ["wallets.db", "wallets-copy.db"] {
            try FileManager.default.moveItem(
                at: directory.appending(path: name), to: commands.files.appending(path: name))
        }
        try commands.start()
        #expect(try commands.run("watch import w.txt --name w").status == 0)
        #expect(try commands.run("labels set tx \(Self.txid) rent").status == 0)
        try expectThere(commands)
        try commands.stop()
    }

    @Test("killed at any moment of a command, it keeps what it said, and gives no address twice")
    func killed() throws {
        let commands = try watching()
        let peer = try ScriptedPeer(
            ServedChain.recorded(), messageStart: ChainParameters(.regtest).messageStart)
        #expect(try commands.run("peers add 127.0.0.1:\(peer.listener.port)").status == 0)
        var random = SeededGenerator(seed: 6)
        var given: Set<Int> = []
        // What may be there: what was said last, and what was said without an answer since.
        var labels: Set<String> = ["rent"]
        for round in 0..<6 {
            let label = "label\(round)"
            let words =
                [
                    "watch address w", "labels set tx \(Self.txid) \(label)",
                    "rescan --from \(round * 300 + 1)",
                ][round % 3]
            let pause = UInt32.random(in: 0...60_000, using: &random)
            let pid = try #require(commands.keeper.pid("network"))
            let result = try commands.run(
                words,
                meanwhile: { _ in
                    usleep(pause)
                    kill(pid, SIGKILL)
                })
            if result.status == 0 {
                if let index = result.json["index"] as? Int {
                    #expect(given.insert(index).inserted)
                }
                if words.hasPrefix("labels") { labels = [label] }
            } else {
                let said = result.errors + result.output
                #expect(said.contains("the network process gave no answer"), "\(words): \(result)")
                if words.hasPrefix("labels") { labels.insert(label) }
            }
            try commands.keeper.wait("the process anew", seconds: 60) {
                let now = commands.keeper.pid("network")
                return now != nil && now != pid
            }
            // Whoever connects meanwhile waits for it.
            let address = try commands.run("watch address w")
            let index = try #require(address.json["index"] as? Int, "\(address)")
            #expect(given.insert(index).inserted)
        }
        #expect(try commands.run("sync --until-tip").status == 0)
        _ = try commands.run("labels export labels.jsonl")
        let file = try String(
            contentsOf: commands.files.appending(path: "labels.jsonl"), encoding: .utf8)
        #expect(labels.contains { file.contains($0) }, "\(labels): \(file)")
        let all: Expected = try Fixture.load("watch/core-regtest.json")
        let wallet = try #require(all.wallets.first { $0.name == "wpkh" })
        let rows = try commands.run("balance").json["wallets"] as? [[String: Any]]
        let sum = (rows?.first?["spendable"] as? Int ?? 0) + (rows?.first?["immature"] as? Int ?? 0)
        #expect(sum == wallet.confirmed)
        try commands.stop()
    }

    private struct Expected: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let confirmed: Int
        }
    }
}
