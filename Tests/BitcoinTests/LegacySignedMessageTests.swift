import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Messages signed by one key (BIP137)")
struct LegacySignedMessageTests {
    static let rows = Result { try Fixture.json("messages/legacy.json").array }

    @Test("35 rows of Bitcoin Core, bitcoinjs and Trezor, all four header ranges")
    func vectors() throws {
        var counts: [String: Int] = [:]
        for row in try Self.rows.get() {
            let source = try row["from"].string
            counts[source, default: 0] += 1
            switch source {
            case "bitcoinjs-hash":
                let hash = LegacySignedMessage.hash(Array(try row["message"].string.utf8))
                #expect(try hash.description == row["hash"].string)
            case "bitcoinjs-malformed":
                let fault: MessageVerdict.Fault =
                    try row["result"].string == "invalid length" ? .malformed : .unknownHeader
                let signature = try row["signature"].string
                #expect(throws: fault) { try LegacySignedMessage.decode(signature) }
            default: try verify(row)
            }
        }
        #expect(
            counts == [
                "core": 7, "bitcoinjs": 8, "trezor": 15, "bitcoinjs-hash": 2,
                "bitcoinjs-malformed": 3,
            ])
    }

    /// What each source calls the verdicts; a row with an invalid address has none.
    static let verdicts: [String: MessageVerdict] = [
        "OK": .valid, "ERR_ADDRESS_NO_KEY": .invalid(.notBase64),
        "ERR_MALFORMED_SIGNATURE": .invalid(.notBase64),
        "ERR_PUBKEY_NOT_RECOVERED": .invalid(.unknownHeader),
        "ERR_NOT_SIGNED": .invalid(.wrongSignature), "wrong message": .invalid(.wrongSignature),
        "wrong address": .invalid(.wrongSignature),
        "uncompressed address, compressed signature": .invalid(.wrongSignature),
        "compressed address, uncompressed signature": .invalid(.wrongSignature),
    ]

    private func verify(_ row: JSON) throws {
        let network = try #require(Network(rawValue: row["network"].string))
        let text = try row["address"].string
        let result = try row["result"].string
        guard result != "ERR_INVALID_ADDRESS" else {
            #expect(throws: AddressError.self) { try Address(text, network: network) }
            return
        }
        let verdict = LegacySignedMessage.verify(
            try row["signature"].string, message: Array(try row["message"].string.utf8),
            address: try Address(text, network: network))
        #expect(verdict == Self.verdicts[result])
    }

    @Test("A signature that reads prints as it was")
    func roundTrip() throws {
        var count = 0
        for row in try Self.rows.get() where try row.optional("signature") != nil {
            let text = try row["signature"].string
            guard let decoded = try? LegacySignedMessage.decode(text) else { continue }
            #expect(LegacySignedMessage.encode(decoded.signature, kind: decoded.kind) == text)
            count += 1
        }
        #expect(count == 26)
    }

    @Test("A header of another kind of address is told apart from a wrong signature")
    func wrongKind() throws {
        let row = try #require(
            try Self.rows.get().first { try $0["from"].string == "trezor" })
        let address = try Address(
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", network: .mainnet)
        let taproot = try #require(
            Address(scriptPubKey: .p2tr(outputKey: .zero), network: .mainnet))
        let signature = try row["signature"].string
        #expect(
            LegacySignedMessage.verify(signature, message: [1], address: address)
                == .invalid(.wrongSignature))
        #expect(
            LegacySignedMessage.verify(signature, message: [1], address: taproot)
                == .invalid(.wrongAddressKind))
    }
}
