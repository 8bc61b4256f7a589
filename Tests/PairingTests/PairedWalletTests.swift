import Accounts
import Bitcoin
import Descriptors
import JSON
import KeyTree
import Pairing
import SecretMemory
import Signing
import TestSupport
import Testing

/// The wallet of the words of BIP84 and BIP86.
enum Example {
    static let words =
        Array(
            repeating: "abandon", count: 11
        ).joined(separator: " ") + " about"

    static func wallet(on network: Network = .mainnet) throws -> PairedWallet {
        let text = SecretBytes(count: words.utf8.count) { $0.copyBytes(from: Array(words.utf8)) }
        let mnemonic = try Mnemonic(text: text)
        let seed = try mnemonic.seed(passphrase: SecretBytes(count: 0))
        let master = try ExtendedPrivateKey(
            seed: seed, network: network == .mainnet ? .main : .test,
            SigningContext())
        let accounts = try AccountPath.allCases.map {
            PairedWallet.Account(
                $0, try master.derive($0.path(on: network), SigningContext()).publicKey)
        }
        return PairedWallet(
            name: "Savings", network: network, fingerprint: master.fingerprint,
            accounts: accounts, birthday: 1_700_000_000)
    }
}

@Suite("Export of accounts")
struct PairedWalletTests {
    @Test("the first addresses are those of the standards, and other coins are left out")
    func addresses() throws {
        let wallet = try Example.wallet()
        #expect("\(wallet.fingerprint)" == "73c5da0a")
        let first = wallet.accounts.map { wallet.firstAddress(of: $0).map { "\($0)" } }
        #expect(
            first == [
                "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
                "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf", "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA",
                nil, nil,
            ])
    }

    @Test("the generic export has the members and prefixes that other wallets look for")
    func generic() throws {
        let export = try JSONReader.read(Array(Example.wallet().text(as: .generic).utf8))
        #expect(export["chain"]?.string == "BTC")
        #expect(export["xfp"]?.string == "73C5DA0A")
        let native = export["bip84"]
        #expect(native?["name"]?.string == "p2wpkh")
        #expect(native?["deriv"]?.string == "m/84'/0'/0'")
        #expect(
            native?["_pub"]?.string
                == "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
        )
        #expect(
            native?["first"]?.string == "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
        #expect(export["bip48_2"]?["deriv"]?.string == "m/48'/0'/0'/2'")
        #expect(export["bip48_2"]?["_pub"]?.string?.hasPrefix("Zpub") == true)
        #expect(export["bip86"]?["_pub"] == nil)
        #expect(export["EVM"] == nil)
    }

    @Test("what Bitcoin Core imports is one active entry for each branch of the four accounts")
    func core() throws {
        let wallet = try Example.wallet(on: .regtest)
        guard case .array(let entries) = wallet.coreImport else {
            Issue.record("no list")
            return
        }
        #expect(entries.count == 8)
        #expect(
            entries.map { $0["internal"] }
                == Array(repeating: [.bool(false), .bool(true)], count: 4).flatMap { $0 })
        #expect(entries.allSatisfy { $0["timestamp"]?.integer == 1_700_000_000 })
        let first = try #require(entries[0]["desc"]?.string)
        #expect(first.hasPrefix("wpkh([73c5da0a/84h/1h/0h]tpub"))
        #expect(first.contains("/0/*)#"))
    }

    @Test("every form but the plain text is read back as the same wallet")
    func readBack() throws {
        let wallet = try Example.wallet()
        let own = wallet.accounts.compactMap { wallet.descriptor(of: $0) }
        let lines = try PairingFile(Array(wallet.text(as: .descriptors).utf8))
        #expect(lines.descriptors == own)
        #expect(lines.name == "Savings")
        #expect(lines.birthday == 1_700_000_000)
        #expect(try PairingFile(Array(wallet.text(as: .generic).utf8)).descriptors == own)
        let core = try PairingFile(Array(wallet.text(as: .core).utf8))
        #expect(core.descriptors == own.flatMap(\.branches))
        #expect(core.birthday == 1_700_000_000)
    }

    @Test("a name cannot begin a line of its own")
    func name() throws {
        let wallet = try Example.wallet()
        let hostile = PairedWallet(
            name: "a\nwpkh(x)\u{1b}", network: .mainnet, fingerprint: wallet.fingerprint,
            accounts: wallet.accounts, birthday: nil)
        let file = try PairingFile(Array(hostile.text(as: .descriptors).utf8))
        #expect(file.descriptors.count == 4)
        #expect(file.name == "a?wpkh(x)?")
    }
}

@Suite("Pairing files")
struct PairingFileTests {
    @Test(
        "a file that cannot be used is refused with the reason",
        arguments: [
            ("", "there is no descriptor in it"),
            (" \n# only a comment\n", "there is no descriptor"),
            ("wpkh(\n", "line 1: "), ("\n\nnonsense\n", "line 3: "),
            ("[{\"a\":1}]", "has no member"),
            ("[1,", "no JSON at line 1, column 4"),
            ("{\"desc\":\"wpkh(\"}", "there is no descriptor"),
            ("{\"bip84\":{\"desc\":\"wpkh(\"}}", "a member \"desc\""),
        ])
    func refused(text: String, reason: String) {
        let error = thrown(PairingError.self) { try PairingFile(Array(text.utf8)) }
        #expect(error.map { "\($0)" }?.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("a changed character of a descriptor with a checksum is noticed")
    func checksum() throws {
        let text = try Example.wallet().text(as: .descriptors)
        let changed = text.replacing("/84h/0h/0h]", with: "/84h/0h/1h]")
        #expect(changed != text)
        #expect(throws: PairingError.self) { try PairingFile(Array(changed.utf8)) }
    }

    @Test("neither a long file nor a long list is read")
    func bounds() throws {
        let long = [UInt8](repeating: 0x20, count: PairingFile.maximumLength + 1)
        #expect(throws: PairingError.tooLong(long.count)) { try PairingFile(long) }
        let wallet = try Example.wallet()
        let key = try #require(wallet.accounts.first?.node)
        let lines = (0...PairingFile.maximumDescriptors).map { "wpkh(\(key)/\($0)/*)" }
        #expect(throws: PairingError.tooMany) {
            try PairingFile(Array(lines.joined(separator: "\n").utf8))
        }
    }
}
