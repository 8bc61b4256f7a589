import Accounts
import Bitcoin
import KeyTree
import SecretMemory
import Signing
import TestSupport
import Testing
import Wire

@Suite("Addresses of other coins")
struct AddressTests {
    @Test("EVM: the address of every node of the vectors, with the capitals of EIP-55")
    func evm() throws {
        let context = SigningContext()
        var cases = 0
        for row in try Fixture.json("accounts/addresses.json")["evm_seeds"].array {
            let seed = try SecretBytes(row[0].hex)
            let master = try ExtendedPrivateKey(seed: seed, network: .main, context)
            let key = try master.derive(DerivationPath(row[1].string), context)
            #expect(try EVMAddress(key.key.publicKey).description == row[2].string)
            cases += 1
        }
        for row in try Fixture.json("accounts/addresses.json")["evm"].array {
            let key = try node(row, context)
            #expect(try EVMAddress(key.key.publicKey).description == row[2].string)
            cases += 1
        }
        #expect(cases == 18)
    }

    @Test("EIP-55: every published address has its capitals")
    func capitals() throws {
        let rows = try Fixture.json("accounts/addresses.json")["eip55"].array
        for row in rows {
            let text = try row[0].string
            let bytes = try #require(Bytes20(Hex.decode(text.dropFirst(2).lowercased())))
            #expect(EVMAddress(bytes: bytes).description == text)
        }
        #expect(rows.count == 13)
    }

    @Test("TRON: the address of every key and node of the vectors")
    func tron() throws {
        let context = SigningContext()
        var cases = 0
        for row in try Fixture.json("accounts/addresses.json")["tron_keys"].array {
            let key = try SecretKey(SecretBytes(row[0].hex), context)
            let address = TRONAddress(key.publicKey)
            #expect(try [0x41] + address.bytes.array == row[1].hex)
            #expect(try address.description == row[2].string)
            cases += 1
        }
        for row in try Fixture.json("accounts/addresses.json")["tron"].array {
            let key = try node(row, context)
            #expect(try TRONAddress(key.key.publicKey).description == row[2].string)
            cases += 1
        }
        #expect(cases == 7)
    }

    @Test("Solana: public key and address of every node of the vectors")
    func solana() throws {
        let rows = try Fixture.json("accounts/addresses.json")["solana"].array
        for row in rows {
            let seed = try Mnemonic(text: SecretBytes(Array(row[0].string.utf8)))
                .seed(passphrase: SecretBytes(count: 0))
            let node = try Ed25519Node(seed: seed).derive(DerivationPath(row[1].string))
            guard let key = node?.publicKey else {
                Issue.record("\(row.path) is not derived")
                continue
            }
            #expect(try SolanaAddress(key).description == row[2].string)
            if try !row[3].isNull { #expect(try key.array == row[3].hex) }
        }
        #expect(rows.count == 4)
    }

    @Test("the addresses below an account node are those of its path, in order")
    func belowAccounts() throws {
        let context = SigningContext()
        let vectors = try Fixture.json("accounts/addresses.json")
        let words = try vectors["tron"][0][0].string
        let master = try self.master(words, context)
        let tron = try master.derive(AccountPath.tron.path(on: .mainnet), context).publicKey
        let tronAddresses = try tron.tronAddresses(count: 100).map(\.description)
        #expect(tronAddresses.count == 100)
        #expect(
            try tronAddresses[..<3] == [
                vectors["tron"][0][2].string, vectors["tron"][1][2].string,
                vectors["tron"][2][2].string,
            ])
        let evm = try master.derive(AccountPath.evm.path(on: .mainnet), context).publicKey
        let evmAddresses = try evm.evmAddresses(count: 101).map(\.description)
        #expect(try evmAddresses[0] == vectors["evm"][2][2].string)
        #expect(try evmAddresses[100] == vectors["evm"][3][2].string)
    }

    private func node(
        _ row: JSON, _ context: borrowing SigningContext
    ) throws -> ExtendedPrivateKey {
        try master(row[0].string, context).derive(DerivationPath(row[1].string), context)
    }

    private func master(
        _ words: String, _ context: borrowing SigningContext
    ) throws -> ExtendedPrivateKey {
        let seed = try Mnemonic(text: SecretBytes(Array(words.utf8)))
            .seed(passphrase: SecretBytes(count: 0))
        return try ExtendedPrivateKey(seed: seed, network: .main, context)
    }
}

extension SecretBytes {
    init(_ bytes: [UInt8]) { self.init(count: bytes.count) { $0.copyBytes(from: bytes) } }
}
