import Bitcoin
import TestSupport
import Testing

@testable import Descriptors

@Suite("Key expression")
struct KeyExpressionTests {
    struct Vectors: Decodable {
        struct Checksum: Decodable {
            let text: String
            let valid: Bool
        }
        struct Invalid: Decodable {
            let text: String
            let why: String
        }
        let checksum: [Checksum]
        let validKeys: [String]
        let invalidKeys: [Invalid]
    }

    static let xpub =
        "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL"
    static let point = "0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600"

    @Test(
        "BIP380's valid keys are read and print canonically; the private ones are refused as such")
    func valid() throws {
        let vectors = try Fixture.load("descriptors/bip380.json", as: Vectors.self)
        #expect(vectors.validKeys.count == 21)
        var refused = 0
        for text in vectors.validKeys {
            do throws(DescriptorError) {
                let key = try KeyExpression(text)
                #expect(key.description == text.replacing("'", with: "h"))
                #expect(try KeyExpression(key.description) == key)
            } catch {
                refused += 1
                #expect(error.reason == .privateKey, "\(error)")
            }
        }
        #expect(refused == 9)
    }

    @Test("BIP380's invalid keys are refused")
    func invalid() throws {
        let vectors = try Fixture.load("descriptors/bip380.json", as: Vectors.self)
        #expect(vectors.invalidKeys.count == 16)
        for row in vectors.invalidKeys {
            #expect(throws: DescriptorError.self, "\(row.why)") { try KeyExpression(row.text) }
        }
    }

    static let mistakes: [(text: String, reason: DescriptorError.Reason, position: Int)] = [
        ("", .missingKey, 5),
        (" \(point)", .whitespace, 5),
        ("\(point) ", .whitespace, 5),
        ("[deadbeef/1h\(point)", .originNotClosed, 5),
        ("deadbeef/1h]\(point)", .originNotOpened, 5),
        ("[deadbeef][deadbeef]\(point)", .severalOrigins, 24),
        ("[deadbee]\(point)", .fingerprint, 6),
        ("[deadbeeg]\(point)", .fingerprint, 6),
        ("[deadbeef]", .missingKey, 15),
        ("[deadbeef/1/]\(point)", .pathStep, 17),
        ("[deadbeef/<0;1>]\(point)", .multipathInOrigin, 14),
        ("\(point)/0", .pathAfterSingleKey, 71),
        ("03\(f64)", .keyNotOnCurve, 5),
        ("\(f64)", .keyNotOnCurve, 5),
        ("07\(a128)", .hybridKey, 5),
        ("00", .invalidKey, 5),
        ("\(xpub.dropLast())M", .invalidKey, 5),
        ("\(xpub)/*/0", .wildcardNotLast, 119),
        ("\(xpub)/*x", .pathStep, 117),
        ("\(xpub)/2147483648", .pathStepRange, 117),
        ("\(xpub)/00", .pathStep, 117),
        ("\(xpub)/+1", .pathStep, 117),
        ("\(xpub)/<0;1>/<2;3>", .severalMultipaths, 123),
        ("\(xpub)/<0;1;0>", .multipathDuplicate, 122),
        ("\(xpub)/<>", .multipathCount(found: 0, allowed: 2...1_000), 118),
        ("\(xpub)/<0>", .multipathCount(found: 1, allowed: 2...1_000), 118),
        ("\(xpub)/<0;>", .pathStep, 120),
        ("\(xpub)/0>", .pathStep, 117),
        ("\(xpub)/<0", .pathStep, 117),
    ]
    private static let f64 = String(repeating: "f", count: 64)
    private static let a128 = String(repeating: "a", count: 128)

    @Test("every mistake in a key has its own reason and place")
    func everyMistake() {
        #expect(Self.mistakes.count == 29)
        for (text, reason, position) in Self.mistakes {
            #expect(throws: DescriptorError(reason, at: position), "\(text)") {
                try KeyExpression(text, at: 5)
            }
        }
    }

    @Test("a path below an extended key ends where BIP32's depth does")
    func depth() throws {
        // The key is at depth 4.
        let steps = { (count: Int) in String(repeating: "/0", count: count) }
        let deepest = try KeyExpression(Self.xpub + steps(251))
        #expect(deepest.steps.count == 251)
        #expect(throws: DescriptorError(.pathTooLong(allowed: 255), at: 111)) {
            try KeyExpression(Self.xpub + steps(251) + "/*")
        }
    }

    @Test("a mistyped private key is still known for a private key, and never repeated")
    func mistypedPrivateKeys() {
        let wif = "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY2"
        let xprv =
            "xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWX"
        for text in [wif, xprv, "[deadbeef/1h]" + wif, "t" + xprv.dropFirst() + "/0/*"] {
            #expect {
                try KeyExpression(text)
            } throws: { error in
                guard let error = error as? DescriptorError else { return false }
                let wording = "\(error) \(String(reflecting: error))"
                return error.reason == .privateKey && !wording.contains("L4rK1")
                    && !wording.contains("RpRA33e1JQ7")
            }
        }
    }
}
