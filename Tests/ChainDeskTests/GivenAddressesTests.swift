import ChainDesk
import Messages
import NetworkCore
import Testing

@Suite("Addresses stay given out, and one account is one wallet")
struct GivenAddressesTests {
    private static let key =
        "tpubDC5FSnBiZDMmhiuCmWAYsLwgLYrrT9rAqvTySfuCCrgsWz8wxMXUS9Tb9iVMvcRbvFcAHGkMD5Kx8koh4GquNG"
        + "NTfohfk7pgjhaPCdXpoba"
    /// One account in several spellings, each a file.
    private static let spellings = [
        "wpkh(\(key)/<0;1>/*)", "wpkh([d34db33f/84h/1h/0h]\(key)/<0;1>/*)",
        "wpkh([d34db33f/84'/1'/0']\(key)/<0;1>/*)", "wpkh(\(key)/0/*)\nwpkh(\(key)/1/*)",
        "wpkh(\(key)/1/*)\nwpkh(\(key)/0/*)",
    ]

    private func watch(
        _ desk: inout DeskUnderTest, _ text: String, name: String = "w"
    ) throws -> ChainAnswer? {
        try desk.ask(.watch(name: name, file: Array((text + "\n").utf8), birthday: 1))
    }

    private func give(_ desk: inout DeskUnderTest, _ name: String = "w") throws -> UInt32? {
        guard case .address(_, let index)? = try desk.ask(.newAddress(name)) else { return nil }
        return index
    }

    @Test("an account that is watched is refused in every other spelling, by the first one's name")
    func spellings() throws {
        for first in Self.spellings {
            var desk = try DeskUnderTest()
            guard case .done = try watch(&desk, first, name: "savings") else {
                Issue.record("not watched: \(first)")
                continue
            }
            for second in Self.spellings {
                guard case .refused(.input, let why)? = try watch(&desk, second, name: "b") else {
                    Issue.record("watched twice: \(second)")
                    continue
                }
                #expect(why.contains("wallet 1, savings,"), "\(why)")
            }
            // Another script of the same key is another account.
            guard case .done = try watch(&desk, "tr(\(Self.key)/<0;1>/*)", name: "b") else {
                Issue.record("taken for the same")
                continue
            }
        }
    }

    @Test(
        "what was given out is not given out again after the wallet was removed, over a restart too"
    )
    func removed() throws {
        var desk = try DeskUnderTest()
        var next: UInt32 = 0
        for (number, text) in zip(1..., Self.spellings.prefix(4)) {
            _ = try watch(&desk, text)
            for _ in 0..<3 {
                #expect(try give(&desk) == next, "\(text)")
                next += 1
            }
            try desk.restart()
            let gone = try desk.ask(.unwatch("w"))
            #expect(gone == .done(["wallet \(number), w, is watched no more"]))
            try desk.restart()
        }
        #expect(try desk.store.load().given.values.sorted() == [next - 1])
    }

    @Test("two wallets that have an account in common never give out one address of it")
    func shared() throws {
        var desk = try DeskUnderTest()
        _ = try watch(&desk, Self.spellings[0], name: "one")
        #expect(try give(&desk, "one") == 0)
        _ = try watch(&desk, Self.spellings[1] + "\ntr(\(Self.key)/<0;1>/*)", name: "two")
        #expect(try give(&desk, "two") == 1)
        #expect(try give(&desk, "one") == 2)
        try desk.restart()
        #expect(try give(&desk, "two") == 3)
        #expect(try give(&desk, "one") == 4)
    }

    @Test("a wallet of the signer is recognised however its accounts are written")
    func paired() throws {
        var desk = try DeskUnderTest()
        _ = try watch(&desk, Self.spellings[3], name: "mine")
        for (count, text) in Self.spellings.enumerated() {
            let lines = try desk.pair(["# wallet: home\n\(text)\n"])
            let named = ["1 watched wallet has the name now that the signer gives"]
            #expect(lines == (count == 0 ? named : []))
        }
        #expect(try desk.store.load().wallets.map(\.name) == ["home"])
    }
}
