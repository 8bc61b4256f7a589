import Bitcoin
import Testing

@Suite("Amounts")
struct AmountTests {
    @Test("Nothing leaves the range from 0 to 21 million BTC")
    func range() throws {
        let one = try #require(Amount(sats: 1))
        #expect(Amount(sats: -1) == nil)
        #expect(Amount(sats: UInt64.max) == nil)
        #expect(Amount(sats: 2_100_000_000_000_001) == nil)
        #expect(Amount.max.adding(one) == nil)
        #expect(Amount.zero.subtracting(one) == nil)
        #expect(Amount.max.subtracting(one)?.adding(one) == .max)
        #expect(Amount.sum([.max, .zero]) == .max)
        #expect(Amount.sum([.max, one]) == nil)
        #expect(Amount.sum([Amount]()) == .zero)
    }

    @Test(
        "BTC and satoshi texts read back", arguments: [0, 1, 99_999_999, 100_000_000, 123_456_789])
    func texts(sats: Int) throws {
        let amount = try #require(Amount(sats: sats))
        #expect(try Amount(btc: amount.btcText) == amount)
        #expect(try Amount(satText: amount.satText) == amount)
    }

    @Test("Short BTC texts mean what they say")
    func short() throws {
        #expect(try Amount(btc: "1").sats == 100_000_000)
        #expect(try Amount(btc: "0.5").sats == 50_000_000)
        #expect(try Amount(btc: "20999999.9769").description == "20999999.97690000 BTC")
        #expect(try Amount(btc: "21000000.00000000") == .max)
    }

    @Test(
        "Anything else is refused with the reason",
        arguments: [
            ("", .missingDigits(position: 0)), (".5", .missingDigits(position: 0)),
            ("1.", .missingDigits(position: 2)), ("1,5", .unexpectedCharacter(position: 1)),
            ("-1", .unexpectedCharacter(position: 0)), ("1e3", .unexpectedCharacter(position: 1)),
            ("1.2.3", .unexpectedCharacter(position: 3)), ("01", .leadingZero),
            ("0.000000001", .tooManyDecimals(found: 9)), ("21000000.00000001", .aboveMaximum),
            ("99999999999999999999999999", .aboveMaximum),
            (" 1", .unexpectedCharacter(position: 0)),
            ("１", .unexpectedCharacter(position: 0)),
        ] as [(String, Amount.TextError)])
    func refused(text: String, error: Amount.TextError) {
        #expect(throws: error) { try Amount(btc: text) }
    }
}
