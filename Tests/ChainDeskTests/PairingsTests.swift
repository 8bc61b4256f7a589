import ChainDesk
import Descriptors
import Messages
import NetworkCore
import NetworkStore
import StateFiles
import TestSupport
import Testing

@Suite("The signer's wallets as watched ones")
struct PairingsTests {
    private static let key =
        "tpubDC5FSnBiZDMmhiuCmWAYsLwgLYrrT9rAqvTySfuCCrgsWz8wxMXUS9Tb9iVMvcRbvFcAHGkMD5Kx8koh4GquNG"
        + "NTfohfk7pgjhaPCdXpoba"

    /// A pairing file with two accounts.
    private func file(_ name: String, path: Int = 0) -> String {
        let first = "wpkh(\(Self.key)/\(path)/<0;1>/*)"
        let second = "tr(\(Self.key)/\(path)/<0;1>/*)"
        return "# wallet: \(name)\n\(first)\n\(second)\n"
    }

    private func names(_ desk: DeskUnderTest) throws -> [String] {
        try desk.store.load().wallets.map(\.name)
    }

    @Test("each is added once and kept, with the name that the signer gives it now")
    func watched() throws {
        var desk = try DeskUnderTest()
        let lines = try desk.pair([file("home"), file("trips", path: 1)])
        #expect(
            lines == [
                "a wallet of the signer is watched as 1", "a wallet of the signer is watched as 2",
            ])
        #expect(try names(desk) == ["home", "trips"])
        let renamed = try desk.pair([file("house"), file("trips", path: 1)])
        #expect(renamed == ["1 watched wallet has the name now that the signer gives"])
        #expect(try desk.pair([file("house"), file("trips", path: 1)]) == [])
        #expect(try desk.pair([]) == [])
        #expect(try names(desk) == ["house", "trips"])
        try desk.restart()
        #expect(try names(desk) == ["house", "trips"])
    }

    @Test("wallets may change their names with each other, and one that is taken gets a number")
    func swapped() throws {
        var desk = try DeskUnderTest()
        _ = try desk.pair([file("a"), file("b", path: 1)])
        let lines = try desk.pair([file("b"), file("a", path: 1)])
        #expect(lines == ["2 watched wallets have the name now that the signer gives"])
        #expect(try names(desk) == ["b", "a"])
        _ = try desk.ask(
            .watch(name: "c", file: Array(file("", path: 2).utf8), birthday: nil))
        _ = try desk.pair([file("c"), file("a", path: 1)])
        #expect(try names(desk) == ["c (2)", "a", "c"])
        // Told again it stays so, and without the other it gets the name itself, without being told again.
        #expect(try desk.pair([file("c"), file("a", path: 1)]) == [])
        _ = try desk.ask(.unwatch("c"))
        #expect(try desk.pairOn() == ["1 watched wallet has the name now that the signer gives"])
        #expect(try names(desk) == ["c", "a"])
    }

    @Test(
        "a name that looks like another watched wallet's gets a number too, and so do twins of old")
    func twins() throws {
        var desk = try DeskUnderTest()
        _ = try desk.ask(
            .watch(name: "Savings", file: Array(file("", path: 2).utf8), birthday: nil))
        _ = try desk.pair([file("savings"), file("SAVINGS", path: 1)])
        #expect(try names(desk) == ["Savings", "savings (2)", "SAVINGS (3)"])
        #expect(try desk.pairOn() == [])
        _ = try desk.pair([file("SAVINGS"), file("savings", path: 1)])
        #expect(try names(desk) == ["Savings", "SAVINGS (2)", "savings (3)"])
        _ = try desk.ask(.unwatch("Savings"))
        _ = try desk.pairOn()
        #expect(try names(desk) == ["SAVINGS", "savings (2)"])

        // What older versions let stand side by side.
        let old = try [(1, "trips", 5), (2, "Trips", 0)].map { number, name, path in
            StoreChange.putWallet(
                StoredWallet(
                    id: WalletID(number), name: name,
                    descriptors: try ["wpkh", "tr"].map {
                        try Descriptor("\($0)(\(Self.key)/\(path)/<0;1>/*)")
                    },
                    birthday: .unknown))
        }
        var older = try DeskUnderTest(old)
        _ = try older.pair([file("Trips")])
        #expect(try names(older) == ["trips", "Trips (2)"])
        // A wallet that has nothing to do with twins of others can be renamed.
        var apart = try DeskUnderTest(old)
        _ = try apart.pair([file("home", path: 1)])
        _ = try apart.pair([file("house", path: 1)])
        #expect(try names(apart) == ["trips", "Trips", "house"])
    }

    @Test("one that the signer has is not removed, and the refusal says what ends it")
    func removal() throws {
        var desk = try DeskUnderTest()
        let more = file("", path: 2) + "pkh(\(Self.key)/0/<0;1>/*)\n"
        _ = try desk.ask(.watch(name: "mine", file: Array(more.utf8), birthday: nil))
        // Before the signer told anything nobody knows, and it comes back under another number.
        _ = try desk.pair([file("home"), file("trips", path: 2)])
        #expect(try names(desk) == ["mine", "home"])
        for name in ["mine", "home"] {
            guard case .refused(.notAllowed, let why)? = try desk.ask(.unwatch(name)) else {
                Issue.record("removed")
                return
            }
            #expect(why.contains("watch-accounts = none") && why.contains("deleted there"))
        }
        #expect(try names(desk) == ["mine", "home"])
        // Where two have its accounts, either may go; what the signer has no more, too.
        let all = more + "wpkh(\(Self.key)/0/<0;1>/*)\ntr(\(Self.key)/0/<0;1>/*)\n"
        _ = try desk.ask(.watch(name: "all", file: Array(all.utf8), birthday: nil))
        #expect(try desk.ask(.unwatch("home")) == .done(["wallet 2, home, is watched no more"]))
        #expect(try desk.pairOn() == [])
        _ = try desk.pair([file("home")])
        #expect(try desk.ask(.unwatch("mine")) == .done(["wallet 1, mine, is watched no more"]))
        _ = try desk.pair([])
        #expect(try desk.ask(.unwatch("all")) == .done(["wallet 3, all, is watched no more"]))
    }

    @Test(
        "one that a person imported under another name gets the signer's, and the signer's first of two"
    )
    func importedAlone() throws {
        var desk = try DeskUnderTest()
        _ = try desk.ask(.watch(name: "mine", file: Array(file("").utf8), birthday: nil))
        _ = try desk.pair([file("home")])
        #expect(try names(desk) == ["home"])
        #expect(try desk.pair([file("away"), file("home")]) == [])
        #expect(try names(desk) == ["home"])
    }

    @Test("names of old that could not be given today stay")
    func oldNames() throws {
        var desk = try DeskUnderTest()
        _ = try desk.pair([file("1"), file("..", path: 1)])
        #expect(try names(desk) == ["1", ".."])
    }

    @Test("a list says which wallets the signer has keys of, once it told all")
    func keys() throws {
        func keys(_ desk: inout DeskUnderTest) throws -> [WatchedWalletRow.Keys] {
            guard case .wallets(let rows, _)? = try desk.ask(.wallets) else { return [] }
            return rows.map(\.keys)
        }
        var desk = try DeskUnderTest()
        let more = file("", path: 2) + "pkh(\(Self.key)/0/<0;1>/*)\n"
        _ = try desk.ask(.watch(name: "mine", file: Array(more.utf8), birthday: nil))
        #expect(try keys(&desk) == [.unknown])
        _ = try desk.pair([file("home"), file("trips", path: 2)])
        #expect(try keys(&desk) == [.here, .here])
        _ = try desk.pair([file("home")])
        #expect(try keys(&desk) == [.elsewhere, .here])
        _ = try desk.pair([])
        #expect(try keys(&desk) == [.elsewhere, .elsewhere])
    }

    @Test("one that a person imported is recognised by its descriptors, with more beside them too")
    func imported() throws {
        var desk = try DeskUnderTest()
        let more = file("mine") + "pkh(\(Self.key)/0/<0;1>/*)\n"
        _ = try desk.ask(.watch(name: "", file: Array(more.utf8), birthday: nil))
        #expect(try desk.pair([file("home")]) == [])
        #expect(try names(desk) == ["mine"])
    }

    @Test("a name that another wallet has gets a number behind it")
    func sameName() throws {
        var desk = try DeskUnderTest()
        _ = try desk.pair([file("a"), file("a", path: 1), file("a", path: 2)])
        #expect(try names(desk) == ["a", "a (2)", "a (3)"])
        #expect(try desk.pair([file("a"), file("a", path: 1), file("a", path: 2)]) == [])
        let long = String(repeating: "𝔸", count: 64)
        _ = try desk.pair([file(long, path: 3), file(long, path: 4)])
        #expect(try names(desk).suffix(2) == [long, String(long.prefix(60)) + " (2)"])
    }

    @Test("one that cannot be watched is said in the log, and those behind it are watched")
    func unusable() throws {
        var desk = try DeskUnderTest()
        let lines = try desk.pair(["# wallet: x\nwpkh(\n", "", file("home")])
        #expect(lines.count == 3)
        #expect(lines.count { $0.hasPrefix("a wallet of the signer is not watched: ") } == 2)
        #expect(try names(desk) == ["home"])
    }

    @Test(
        "where nothing can be written, it is tried again with the light client that is loaded next")
    func unwritten() throws {
        var desk = try DeskUnderTest()
        let fresh = desk.client
        let vault = try #require(VaultID([UInt8](repeating: 1, count: 16)))
        desk.desk.take([PairedAccounts(vault: vault, file: file("home"))])
        guard case .command(let id, let command)? = desk.desk.nextPairing(desk.client) else {
            Issue.record("nothing to do")
            return
        }
        // Nothing more before this one is answered.
        let waits = desk.desk.nextPairing(desk.client) == nil
        #expect(waits)
        _ = desk.client.handle(.command(id, command), at: .zero, clock: 0)
        let fault = StoreFault(.noSpace, "no room is left")
        for case .answer(let id, let answer) in desk.client.handle(
            .commitFailed(fault), at: .zero, clock: 0)
        {
            let asker = desk.desk.answered(id, answer)?.asker
            #expect(asker == nil)
        }
        #expect(try desk.pairOn() == [])
        desk.client = fresh
        #expect(try desk.pairOn() == ["a wallet of the signer is watched as 1"])
        #expect(try names(desk) == ["home"])
    }
}
