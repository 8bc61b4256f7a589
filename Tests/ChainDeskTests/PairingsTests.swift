import ChainDesk
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

    @Test("each is added once and kept, told again or renamed or gone it stays as it was")
    func watched() throws {
        var desk = try DeskUnderTest()
        let lines = try desk.pair([file("home"), file("trips", path: 1)])
        #expect(
            lines == [
                "a wallet of the signer is watched as 1", "a wallet of the signer is watched as 2",
            ])
        #expect(try names(desk) == ["home", "trips"])
        #expect(try desk.pair([file("house"), file("trips", path: 1)]) == [])
        #expect(try desk.pair([]) == [])
        #expect(try names(desk) == ["home", "trips"])
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
