import Messages
import StateFiles
import TestSupport
import Testing
import Vault

@Suite("Imported wallets")
struct ImportTests {
    private let new = Messages.NewVault(name: "Old", kdf: .pbkdf2, birthday: 1_500_000_000)
    private let all = [String](repeating: "all", count: 12).joined(separator: " ")
    private let abandon =
        [String](repeating: "abandon", count: 11).joined(separator: " ") + " about"

    private func fields(_ words: String) -> TestMachine.Fields {
        [.newPassword: TestMachine.password, .words: words]
    }

    @Test("words give the accounts and addresses of the published vectors")
    func index() throws {
        var machine = TestMachine()
        let first = try machine.ask(.importWords(new, hasPassphrase: false), fields(abandon))
        guard case .made(let id, let fingerprint, let rows, _) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(fingerprint == "73c5da0a")
        #expect(rows.count == 215)
        let accounts = try Fixture.json("keys/accounts.json")["nodes"].array
        let taproot = try #require(
            try accounts.first { try $0["path"].string == "m/86'/0'/0'" })
        #expect(try value(rows, "m/86h/0h/0h") == taproot["pub"].string)
        #expect(try machine.ask(.index(id)).index == rows)
        let other = Messages.NewVault(name: "Older", kdf: .pbkdf2)
        let second = try machine.ask(.importWords(other, hasPassphrase: false), fields(all)).index
        let vectors = try Fixture.json("accounts/addresses.json")
        #expect(try value(second, "m/44h/60h/0h/0/0") == vectors["evm"][2][2].string)
        #expect(try value(second, "m/44h/195h/0h/0/2") == vectors["tron"][2][2].string)
        #expect(try value(second, "m/44h/501h") == vectors["solana"][0][2].string)
        #expect(try value(second, "m/44h/501h/0h") == vectors["solana"][1][2].string)
        #expect(try value(second, "m/44h/501h/0h/0h") == vectors["solana"][2][2].string)
        #expect(second.last { $0.title == "TRON address" }?.path == "m/44h/195h/0h/0/99")
    }

    private func value(_ rows: [IndexRow], _ path: String) -> String? {
        rows.first { $0.path == path }?.value
    }

    @Test("a passphrase makes another wallet and comes back with the words")
    func passphrase() throws {
        var machine = TestMachine()
        var typed = fields(abandon)
        typed[.passphrase] = "TREZOR"
        let answer = try machine.ask(.importWords(new, hasPassphrase: true), typed)
        guard case .made(let id, let fingerprint, _, _) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(fingerprint == "b4e3f5ed")
        #expect(try machine.words(id) == abandon)
        #expect(try machine.output[.passphrase] == "TREZOR")
    }

    @Test("each wrong word is named by its place; the nearest words go to the person alone")
    func wrongWords() throws {
        var machine = TestMachine()
        let words = abandon.replacing("about", with: "abotu").replacing(
            "abandon abandon abandon", with: "abandon abandom abandon", maxReplacements: 1)
        let refusal = refusalOf {
            try machine.ask(.importWords(new, hasPassphrase: false), fields(words))
        }
        #expect(
            refusal
                == .malformed(
                    .words, place: 2,
                    "words 2, 12 are not in the list of recovery words: check their spelling"))
        #expect(refusal?.sentence.contains("aband") == false)
        #expect(try machine.output == [.suggestions: "2 abandon\n12 about\n"])
        #expect(machine.state.isEmpty)
    }

    @Test("a wrong checksum and a wrong number of words say so")
    func wrongChecksum() throws {
        var machine = TestMachine()
        let swapped = "about " + abandon.dropLast(" about".count)
        let refusal = refusalOf {
            try machine.ask(.importWords(new, hasPassphrase: false), fields(swapped))
        }
        #expect(refusal?.sentence.contains("checksum") == true)
        #expect(machine.written.isEmpty)
        #expect(throws: VaultRefusal.wordCount(11)) {
            try machine.ask(
                .importWords(new, hasPassphrase: false),
                fields(String(abandon.dropLast(" about".count))))
        }
        #expect(machine.state.isEmpty)
    }

    @Test("an xprv gives the same accounts, and no Solana keys, which need the seed")
    func xprv() throws {
        var machine = TestMachine()
        let nodes = try Fixture.json("keys/accounts.json")["nodes"].array
        let master = try nodes[8]["prv"].string
        let answer = try machine.ask(
            .importXprv(new), [.newPassword: TestMachine.password, .xprv: master])
        guard case .made(let id, let fingerprint, let rows, _) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(fingerprint == "73c5da0a")
        #expect(rows.count == 212)
        #expect(!rows.contains { $0.title == "Solana" })
        #expect(try value(rows, "m/86h/0h/0h") == nodes[9]["pub"].string)
        #expect(try machine.words(id).isEmpty)
        #expect(try machine.output[.xprv] == master)
    }

    @Test("an xprv of another network, one below its master key and one with a slip are refused")
    func wrongXprv() throws {
        var machine = TestMachine()
        let nodes = try Fixture.json("keys/accounts.json")["nodes"].array
        for (text, part) in [
            (try nodes[0]["prv"].string, "a key of a test network"),
            (try nodes[9]["prv"].string, "3 steps below its master key"),
            (String(try nodes[8]["prv"].string.dropLast()) + "x", "checksum"),
            (try nodes[8]["pub"].string, "private key"),
        ] {
            let refusal = refusalOf {
                try machine.ask(
                    .importXprv(new), [.newPassword: TestMachine.password, .xprv: text])
            }
            #expect(refusal?.sentence.contains(part) == true, "\(refusal?.sentence ?? "")")
        }
        #expect(machine.state.isEmpty)
    }
}
