import TestSupport
import Testing

@testable import Bitcoin

@Suite("Payment URIs")
struct PaymentURITests {
    @Test(
        "every example of BIP21 and BIP321 is read or refused, and read ones are written as they were",
        arguments: [("bip21", 6), ("bip321", 21)])
    func vectors(name: String, count: Int) throws {
        let cases = try Fixture.json("uris/\(name).json")["cases"].array
        for row in cases {
            let text = try row[1].string
            let uri = try? PaymentURI(text)
            #expect(try (uri != nil) == row[2].bool, "\(text)")
            guard let uri else { continue }
            if text.hasPrefix("bitcoin:") { #expect(uri.description == text) }
            #expect(try PaymentURI(uri.description) == uri)
        }
        #expect(cases.count == count)
    }

    @Test("a proof of payment opens what BIP321 says, and never a browser")
    func proofOfPayment() throws {
        let cases = try Fixture.json("uris/bip321.json")["proof_of_payment"].array
        var callbacks = 0
        for row in cases {
            let uri = try? PaymentURI(row[0].string)
            for opens in try row[1].array {
                if opens.isNull {
                    #expect(uri?.proofOfPayment == nil)
                } else {
                    let prefix = try #require(uri?.proofOfPayment)
                    #expect(try opens.string.hasPrefix(prefix))
                    let rest = try opens.string.dropFirst(prefix.count)
                    #expect(rest.hasPrefix("onchain=") || rest.hasPrefix("lightning="))
                }
                callbacks += 1
            }
            if try row[0].string.contains("req-pop") { #expect(uri == nil) }
        }
        #expect(cases.count == 5 && callbacks == 6)
    }

    @Test("amount, label, message and addresses are decoded")
    func parts() throws {
        let uri = try PaymentURI(
            "BITCOIN:BC1QABC?AMOUNT=20.3&label=Caf%C3%A9+%26&message=a=b&TB=tb1qxyz&x&y=")
        #expect(uri.address == "BC1QABC")
        #expect(uri.amount?.sats == 2_030_000_000)
        #expect(uri.label == "Café+&")
        #expect(uri.message == "a=b")
        #expect(uri.addresses == ["BC1QABC", "tb1qxyz"])
        #expect(
            uri.description
                == "bitcoin:BC1QABC?amount=20.3&label=Caf%C3%A9+%26&message=a=b&tb=tb1qxyz&x&y=")
    }

    @Test("a request made here is read back with the same parts")
    func written() throws {
        for (sats, text): (UInt64, String) in [
            (1, "0.00000001"), (100_000_000, "1"), (2_030_000_000, "20.3"), (0, "0"),
            (1_000_000_000, "10"),
        ] {
            let uri = PaymentURI(
                address: "bc1qabc", amount: Amount(sats: sats), label: "ü ?#[]%",
                message: "\n\u{202E}")
            #expect(uri.description.hasPrefix("bitcoin:bc1qabc?amount=\(text)&label="))
            #expect(try PaymentURI(uri.description) == uri)
            #expect(uri.amount?.sats == sats)
        }
    }

    @Test("each fault is named with its place")
    func faults() {
        let faults: [(String, PaymentURI.Failure)] = [
            ("", .wrongScheme), ("bitcoin", .wrongScheme), ("bitcoi?:abc", .wrongScheme),
            ("litecoin:abc", .wrongScheme), ("bitcoin:", .noDestination),
            ("bitcoin:?label=x", .noDestination), ("bitcoin:a b", .invalidCharacter(position: 9)),
            ("bitcoin://abc", .invalidCharacter(position: 8)),
            ("bitcoin:a?label=x y", .invalidCharacter(position: 17)),
            ("bitcoin:a?label=é", .invalidCharacter(position: 16)),
            ("bitcoin:a?label=#", .invalidCharacter(position: 16)),
            ("bitcoin:a?label=%4", .invalidEncoding(position: 16)),
            ("bitcoin:a?label=%4&x=1", .invalidEncoding(position: 16)),
            ("bitcoin:a?label=%zz", .invalidEncoding(position: 16)),
            ("bitcoin:a?label=%ff", .notUTF8(position: 16)),
            ("bitcoin:a?amount=1&AMOUNT=1", .repeated(key: "amount")),
            ("bitcoin:a?label", .missingValue(key: "label")),
            ("bitcoin:a?req-lightning=x", .unknownRequired(key: "lightning")),
            ("bitcoin:a?amount=1,5", .amount(.unexpectedCharacter(position: 1))),
            ("bitcoin:a?amount=", .amount(.missingDigits(position: 0))),
            ("bitcoin:a?amount=21000000.00000001", .amount(.aboveMaximum)),
            ("bitcoin:?bc=bc", .wrongNetwork(key: "bc")),
        ]
        for (text, failure) in faults {
            #expect(throws: failure, "\(text)") { try PaymentURI(text) }
        }
        #expect(throws: PaymentURI.Failure.tooLong(found: 16_385, allowed: 16_384)) {
            try PaymentURI("bitcoin:" + String(repeating: "a", count: 20_000))
        }
    }

    @Test("no mutation traps, and what is read is written so that it reads the same")
    func mutations() throws {
        var generator = SeededGenerator(seed: 321)
        let start = Array(
            "bitcoin:bc1qabc?amount=20.3&label=Caf%C3%A9&req-message=x&tb=tb1qx&pop=a%3a".utf8)
        var read = 0
        for _ in 0..<20_000 {
            let text = String(decoding: generator.mutated(start), as: UTF8.self)
            guard let uri = try? PaymentURI(text) else { continue }
            #expect(try PaymentURI(uri.description) == uri)
            read += 1
        }
        #expect(read > 1000)
    }
}
