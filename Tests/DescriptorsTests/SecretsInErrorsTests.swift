import Bitcoin
import Testing

@testable import Descriptors

@Suite("Secrets in errors")
struct SecretsInErrorsTests {
    /// Published test keys: valid ones and one with a typing error each.
    static let secrets = [
        "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1",
        "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY2",
        "5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss",
        "cULrpoZGXiuC19Uhvykx7NugygA3k86b3hmdCeyvHYQZSxojGyXJ",
        "xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc",
        "xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWd",
        "zprvAWgYBBk7JR8Gjrh4UJQ2uJdG1r3WNRRfURiABBE3RvMXYSrRJL62XuezvGdPvG6GFBZduosCc1YP5wixPox7zhZLfiUm8aunE96BBa4Kei5",
    ]

    /// Everywhere a key can be put, rightly or wrongly.
    static let places = [
        "%", "pk(%)", "pkh([deadbeef/1h]%)", "wpkh(%/0/*)", "wpkh(%/0h/*)", "sh(wpkh(%))", "sh(%)",
        "wsh(%)", "wsh(pk(%))", "wsh(multi(2,%,%))", "multi(1,%)", "multi(%,1)",
        "sortedmulti(2,%,%/*)",
        "tr(%)", "tr(%,pk(%))", "tr(%,{%,%})", "tr(musig(%,%)/0/*)", "tr(musig(%/<0;1>/*))",
        "rawtr(%)",
        "combo(%)", "raw(%)", "addr(%)", "%(%)", "wsh(%(1))", "wsh(older(%))", "wsh(after(%))",
        "wsh(and_v(v:pk(%),sha256(%)))", "wsh(%:pk(%))", "wsh(thresh(%,pk(%)))", "pk(%", "pk(%))",
        "pk(%)#%", "pk(%)#qqqqqqqq", "pk( %)", "pk([%]%)", "pk([deadbeef/%]%)", "pk(%/%)",
        "pk(%/<0;%>/*)",
        "pk([deadbeef]%[deadbeef])", "wsh(or_i(pk(%),pk(%)))", "tr(%,multi_a(1,%))", "pk(%)\u{e9}",
    ]

    @Test("no error over any misplaced private key repeats a piece of it")
    func descriptors() {
        var errors = 0
        for secret in Self.secrets {
            for place in Self.places {
                let text = place.replacing("%", with: secret)
                errors += expectSilence(secret) { try Descriptor(text) }
                errors += expectSilence(secret) { try AnnotatedDescriptor(text + "?bh=" + secret) }
                errors += expectSilence(secret) { try WalletPolicy(template: text, keys: [secret]) }
                errors += expectSilence(secret) {
                    try WalletPolicy(template: text, keys: [BugLogTests.otherKey])
                }
                errors += expectSilence(secret) { try KeyExpression(text) }
                let lines = "BSMS 1.0\n00\n\(text)\n\(secret)\n\(secret)"
                errors += expectSilence(secret) { try BSMSKeyRecord(lines) }
                errors += expectSilence(secret) {
                    try BSMSWalletRecord(
                        "BSMS 1.0\n\(text)\nNo path restrictions\n\(secret)", network: .mainnet)
                }
            }
        }
        #expect(errors == Self.secrets.count * Self.places.count * 7)
    }

    /// 1 when `body` throws, after what it throws was searched.
    private func expectSilence(_ secret: String, _ body: () throws -> some Any) -> Int {
        do {
            _ = try body()
            Issue.record("accepted")
            return 0
        } catch {
            let said = "\(error) \(String(reflecting: error)) \(error as Any)"
            let pieces = Array(secret)
            for start in 0...pieces.count - 6 {
                let piece = String(pieces[start..<start + 6])
                if said.contains(piece) { Issue.record("repeated: \(said)") }
            }
            return 1
        }
    }
}
