import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Addresses")
struct AddressTests {
    /// Reads an address for whichever network takes it.
    private func read(_ text: String) -> Address? {
        Network.allCases.lazy.compactMap { try? Address(text, network: $0) }.first
    }

    @Test(
        "The addresses of BIP173 and BIP350; since BIP350, versions above 0 need Bech32m",
        arguments: [("bip173", 3, 3, 10), ("bip350", 8, 0, 15)])
    func segwit(name: String, valid: Int, outdated: Int, invalid: Int) throws {
        var counts = (valid: 0, outdated: 0, invalid: 0)
        for row in try Fixture.json("addresses/\(name).json").array
        where try row["kind"].string == "address" {
            let text = try row["text"].string
            guard try row["valid"].bool else {
                #expect(read(text) == nil)
                counts.invalid += 1
                continue
            }
            let script = Script(try row["scriptPubKey"].hex)
            guard let address = read(text) else {
                let version = try #require(script.witnessProgram?.version)
                let network: Network = text.lowercased().hasPrefix("bc") ? .mainnet : .testnet4
                #expect(throws: AddressError.wrongChecksumVariant(version: version)) {
                    try Address(text, network: network)
                }
                counts.outdated += 1
                continue
            }
            #expect(address.scriptPubKey == script)
            #expect(address.text == text.lowercased())
            counts.valid += 1
        }
        #expect(counts == (valid, outdated, invalid))
    }

    @Test("Core's 54 addresses read, and print as they were; its 16 private keys are refused")
    func keyIOValid() throws {
        let chains: [String: Network] = [
            "main": .mainnet, "testnet4": .testnet4, "signet": .signet, "regtest": .regtest,
        ]
        var counts = (addresses: 0, keys: 0)
        for row in try Fixture.json("addresses/key-io-valid.json").array {
            let text = try row["text"].string
            let network = try #require(chains[row["chain"].string])
            guard let script = try row.optional("script") else {
                #expect(throws: AddressError.privateKey) { try Address(text, network: network) }
                counts.keys += 1
                continue
            }
            let address = try Address(text, network: network)
            #expect(try address.scriptPubKey.bytes == script.hex)
            #expect(address.text == text)
            #expect(Address(scriptPubKey: address.scriptPubKey, network: network) == address)
            if try row["anyCase"].bool {
                #expect(try Address(text.uppercased(), network: network) == address)
            }
            counts.addresses += 1
        }
        #expect(counts == (54, 16))
    }

    @Test("Core's 70 invalid texts are refused on every network")
    func keyIOInvalid() throws {
        let texts = try Fixture.json("addresses/key-io-invalid.json").array
        #expect(texts.count == 70)
        for text in texts { #expect(try read(text.string) == nil) }
    }

    @Test("An address of another network says of which")
    func wrongNetwork() throws {
        let hash = try #require(Bytes20([UInt8](repeating: 7, count: 20)))
        for script in [Script.p2pkh(hash), .p2sh(hash), .p2wpkh(hash), .p2a] {
            for network in Network.allCases {
                let text = try #require(Address(scriptPubKey: script, network: network)).text
                for other in Network.allCases {
                    let readable = try? Address(text, network: other)
                    let same = Address(scriptPubKey: script, network: other)?.text == text
                    #expect((readable != nil) == same)
                }
            }
        }
        #expect(
            throws: AddressError.wrongNetwork(
                found: [.testnet3, .testnet4, .signet], wanted: .mainnet)
        ) { try Address("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", network: .mainnet) }
        #expect(throws: AddressError.wrongNetwork(found: [.mainnet], wanted: .regtest)) {
            try Address("1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo", network: .regtest)
        }
    }

    @Test("Every fault has its reason")
    func reasons() {
        let faults: [(String, AddressError)] = [
            ("", .empty),
            ("1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mO", .base58(.notBase58(.notADigit(position: 33)))),
            ("1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mp", .base58(.wrongChecksum)),
            (
                "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3tq",
                .bech32(.wrongChecksum(positions: [41]))
            ),
            ("tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty", .unknownPrefix("tc")),
            (
                "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8Yt"
                    + "GqsefD265TMg7usUDFdp6W1EGMcet8",
                .extendedKey
            ),
            ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", .privateKey),
        ]
        for (text, error) in faults {
            #expect(throws: error) { try Address(text, network: .mainnet) }
        }
    }

    @Test("Scripts that have no address have none")
    func noAddress() {
        let key = [2] + [UInt8](repeating: 1, count: 32)
        for script: Script in [.opReturn([1]), .empty, .p2pk(key)] {
            #expect(Address(scriptPubKey: script, network: .mainnet) == nil)
        }
        #expect(Address(scriptPubKey: .p2a, network: .mainnet)?.text == "bc1pfeessrawgf")
    }

    @Test("Mutated addresses never trap, and what reads prints as it was")
    func mutations() throws {
        var generator = SeededGenerator(seed: 3)
        let texts = [
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo",
            "bc1pfeessrawgf",
        ]
        for text in texts {
            for _ in 0..<1_000 {
                let mutated = String(
                    decoding: generator.mutated(Array(text.utf8)), as: UTF8.self)
                guard let address = read(mutated) else { continue }
                #expect(address.text == mutated || address.text == mutated.lowercased())
            }
        }
    }
}
