import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Descriptors

@Suite("Addresses of descriptors")
struct AddressVectorTests {
    struct Wallets: Decodable {
        struct Wallet: Decodable {
            let name: String
            let descriptor: String
            let receive: [String]
            let change: [String]
        }
        let wallets: [Wallet]
    }

    struct Accounts: Decodable {
        struct Account: Decodable {
            let source: String
            let network: String
            let text: String
            let receive: [String]
            let change: [String]
        }
        let accounts: [Account]
    }

    @Test("all wallets of the Bitcoin Core recording give its receive and change addresses")
    func coreWallets() throws {
        let wallets = try Fixture.load("descriptors/core-wallets.json", as: Wallets.self).wallets
        #expect(wallets.count == 17)
        var count = 0
        for wallet in wallets {
            let descriptor = try Descriptor(wallet.descriptor, requiringChecksum: true)
            #expect(descriptor.description == wallet.descriptor)
            #expect(descriptor.network == .test)
            for (branch, expected) in [wallet.receive, wallet.change].enumerated() {
                let series = try OutputSeries(descriptor, branch: branch)
                let scripts = try series.scriptPubKeys(in: 0..<UInt32(expected.count))
                let found = scripts.map { Address(scriptPubKey: $0, network: .regtest)?.text }
                #expect(found == expected, "\(wallet.name)")
                count += found.count
            }
        }
        #expect(count == 17 * 120)
    }

    @Test("the accounts of BIPs 44, 49, 84 and 86 have the addresses in them")
    func accounts() throws {
        let accounts = try Fixture.load("descriptors/accounts.json", as: Accounts.self).accounts
        #expect(accounts.count == 6)
        var count = 0
        for account in accounts {
            let network = try #require(Network(rawValue: account.network))
            let descriptor = try Descriptor(account.text)
            for (branch, expected) in [account.receive, account.change].enumerated() {
                for (index, address) in expected.enumerated() {
                    let output = try descriptor.output(at: UInt32(index), branch: branch)
                    #expect(output.address(on: network)?.text == address, "\(account.source)")
                    count += 1
                }
            }
        }
        #expect(count == 10)
    }

    struct SortedKeys: Decodable {
        struct Row: Decodable {
            let keys: [String]
            let sorted: [String]
            let script: String
            let address: String
        }
        let bip: [Row]
        let core: [Row]
    }

    @Test("BIP67's keys are sorted into its scripts and addresses, by BIP and by Bitcoin Core")
    func sortedKeys() throws {
        let vectors = try Fixture.load("descriptors/bip67.json", as: SortedKeys.self)
        #expect(vectors.bip.count == 4 && vectors.core.count == 4)
        for (rows, network) in [(vectors.bip, Network.mainnet), (vectors.core, .regtest)] {
            for row in rows {
                let sorted = try Descriptor("sh(sortedmulti(2,\(row.keys.joined(separator: ","))))")
                let ordered = try Descriptor("sh(multi(2,\(row.sorted.joined(separator: ","))))")
                let output = try sorted.output()
                #expect(output.redeemScript.map { Hex.encode($0.bytes) } == row.script)
                #expect(output.address(on: network)?.text == row.address)
                #expect(try ordered.output().redeemScript == output.redeemScript)
            }
        }
    }
}
