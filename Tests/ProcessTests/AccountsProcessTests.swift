import LinuxIO
import Messages
import StateFiles
import Testing

/// The public accounts of the wallets, as the real signer tells them over the link.
@Suite("Accounts over the link", .serialized)
struct AccountsProcessTests {
    /// Reads what the signer says until it tells accounts.
    private func accounts(_ link: FrameChannel<LinkReply, LinkRequest>) throws -> [PairedAccounts] {
        try link.waitFor { if case .accounts(let rows) = $0 { rows } else { nil } }
    }

    @Test("They come after hello and whenever wallets come, go or get another name")
    func told() throws {
        let child = try RunningChild("bulkhead-signer")
        try child.begin(as: .signer)
        let link = try FrameChannel<LinkReply, LinkRequest>(try child.takeLink())
        try link.send(.hello, at: Kernel.timeSinceBoot())
        #expect(try accounts(link) == [])
        let console = try child.console()
        let password = Person.fields([(.password, Person.password)])
        let made = try console.createWallet("savings", kdf: .pbkdf2)
        let first = try accounts(link)
        #expect(first.map(\.vault) == [made.id])
        guard
            case .success(.index(let fingerprint, let rows)) = try console.operate(.index(made.id))
        else { throw Missing(what: "an index") }
        let lines = try #require(first.first).file.split(separator: "\n")
        #expect(lines[0] == "# Bulkhead pairing file, version 1")
        #expect(lines.contains("# wallet: savings"))
        let master = "# fingerprint: \(fingerprint)"
        #expect(lines.contains { $0 == master })
        for standard in ["BIP84", "BIP86", "BIP49", "BIP44"] {
            let key = try #require(rows.first { $0.title == standard }).value
            let branches = "]" + key + "/<0;1>/*)"
            #expect(lines.count { $0.contains(branches) } == 1)
        }

        _ = try console.operate(.rename(made.id, name: "spendings"), secrets: password)
        #expect(try accounts(link).first?.file.contains("# wallet: spendings\n") == true)
        _ = try console.operate(.delete(made.id, name: "spendings"), secrets: password)
        #expect(try accounts(link) == [])
    }

    @Test("Where a person wants none of it, nothing is told")
    func withheld() throws {
        let child = try RunningChild(
            "bulkhead-signer",
            ["--network", "regtest", "--role", "home", "--watch-accounts", "none"])
        try child.begin(as: .signer)
        let link = try FrameChannel<LinkReply, LinkRequest>(try child.takeLink())
        try link.send(.hello, at: Kernel.timeSinceBoot())
        try link.send(.witnessed(nil), at: Kernel.timeSinceBoot())
        let console = try child.console()
        _ = try console.createWallet("savings", kdf: .pbkdf2)
        // Its turn comes after the signer's own work.
        _ = try console.operate(.list)
        var heard: [LinkReply] = []
        try link.send(.ping(nonce: 7), at: Kernel.timeSinceBoot())
        while !heard.contains(.pong(nonce: 7)) { heard += try link.wait() }
        let told = heard.filter { if case .accounts = $0 { true } else { false } }
        #expect(told == [])
    }
}
