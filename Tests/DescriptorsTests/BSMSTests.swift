import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Descriptors

@Suite("BSMS records")
struct BSMSTests {
    struct Vectors: Decodable {
        struct Encrypted: Decodable {
            let file: String
            let token: HexBytes
            let key: HexBytes
            let hmacKey: HexBytes
            let data: String
            let signer: Int?
        }
        struct Session: Decodable {
            let mode: String
            let signers: [String]
            let wallet: String
            let encrypted: [Encrypted]
        }
        let sessions: [Session]
    }

    let sessions: [Vectors.Session]

    init() throws {
        sessions = try Fixture.load("descriptors/bip129.json", as: Vectors.self).sessions
        #expect(sessions.count == 4)
    }

    @Test("every signed key record is read, its signature is its key's, and damage is noticed")
    func keyRecords() throws {
        var count = 0
        for text in sessions.flatMap(\.signers) {
            let record = try BSMSKeyRecord(text)
            #expect(record.keyDescription.hasPrefix("Signer "))
            #expect(try BSMSKeyRecord(text + "\n").key == record.key)
            for (old, new) in [("Signer", "Singer"), ("h'/0'", "h'/1'"), ("48'", "49'")]
            where text.contains(old) {
                #expect(throws: BSMSError.signature) {
                    try BSMSKeyRecord(text.replacing(old, with: new))
                }
            }
            count += 1
        }
        #expect(count == 9)
    }

    @Test("every wallet record is read, its first address is its own and its keys are the signers'")
    func walletRecords() throws {
        for session in sessions {
            let record = try BSMSWalletRecord(session.wallet, network: .mainnet)
            for (index, text) in session.signers.enumerated() {
                let key = try BSMSKeyRecord(text).key
                #expect(record.positions(of: key) == [index])
                let copied = KeyExpression(
                    origin: key.origin, base: record.descriptor.keys[1 - min(index, 1)].base)
                #expect(record.positions(of: copied).isEmpty || copied.base == key.base)
            }
            #expect(record.descriptor.branchCount == (session.wallet.contains("/**") ? 2 : 1))
            let other = try #require(session.wallet.split(separator: "\n").last)
            #expect(throws: BSMSError.firstAddress) {
                try BSMSWalletRecord(
                    session.wallet.replacing(other, with: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
                    network: .mainnet)
            }
            #expect(throws: BSMSError.firstAddress) {
                try BSMSWalletRecord(session.wallet, network: .testnet4)
            }
        }
    }

    @Test("encrypted records open with their token to the record, and seal to the same data")
    func encryption() throws {
        var count = 0
        for session in sessions {
            for row in session.encrypted {
                let token = try #require(BSMSToken(row.token.bytes))
                #expect(token.mode == (session.mode.hasPrefix("STANDARD") ? .standard : .extended))
                #expect(token.encryptionKey.array == row.key.bytes)
                let expected = row.signer.map { session.signers[$0] } ?? session.wallet
                #expect(try token.open(row.data) == expected, "\(row.file)")
                #expect(token.seal(expected) == row.data)
                let other = try #require(BSMSToken([UInt8](repeating: 7, count: 8)))
                #expect(throws: BSMSError.wrongCode) { try other.open(row.data) }
                #expect(throws: BSMSError.wrongCode) { try token.open(row.data + "00") }
                count += 1
            }
        }
        #expect(count == 9)
    }

    @Test("what is no record is refused for its reason")
    func refused() throws {
        let record = try #require(sessions.first?.signers.first)
        let wallet = try #require(sessions.last?.wallet)
        let keyCases: [(String, String, BSMSError)] = [
            ("BSMS 1.0", "BSMS 2.0", .version), ("\n00\n", "\n000000\n", .token),
            ("\n00\n", "\n00\n00\n", .lines(found: 6, needed: 5)),
            ("[59865f44/48'/0'/0'/2']", "", .key(nil)),
            (
                "Signer 1 key", String(repeating: "x", count: 81),
                .description(found: 81, allowed: 80)
            ),
        ]
        for (old, new, error) in keyCases {
            #expect(throws: error) { try BSMSKeyRecord(record.replacing(old, with: new)) }
        }
        let walletCases: [(String, String, BSMSError)] = [
            ("/0/*,/1/*", "No path restrictions", .template), ("/0/*,/1/*", "/0h/*", .paths),
            ("/0/*,/1/*", "0/*,1/*", .paths), ("/0/*,/1/*", "/0/*,", .paths),
            ("/**", "/0/*", .template),
        ]
        for (old, new, error) in walletCases {
            #expect(throws: error) {
                try BSMSWalletRecord(wallet.replacing(old, with: new), network: .mainnet)
            }
        }
        #expect(throws: BSMSError.notHexadecimal) {
            try BSMSToken([UInt8](repeating: 1, count: 16))?.open("zz")
        }
        #expect(BSMSToken([1]) == nil && BSMSToken([]) == nil)
    }
}
