extension Amount {
    /// Why a text is no amount. Positions count UTF-8 bytes from 0.
    public enum TextError: Error, Hashable, Sendable {
        /// Nothing where digits are needed: an empty text, or one that starts or ends with a point.
        case missingDigits(position: Int)
        /// A character other than a digit or one decimal point.
        case unexpectedCharacter(position: Int)
        /// Zeros before the first digit of a whole number.
        case leadingZero
        /// More than eight digits behind the point.
        case tooManyDecimals(found: Int)
        /// More than 21 million BTC.
        case aboveMaximum
    }

    /// Reads an amount of BTC such as `1`, `0.5` or `0.00000001`: no sign, exponent or separator.
    public init(btc text: String) throws(TextError) {
        let utf8 = Array(text.utf8)
        let point = utf8.firstIndex(of: UInt8(ascii: ".")) ?? utf8.count
        let whole = try Amount.number(utf8[..<point])
        guard point < utf8.count else {
            self = try Amount.total(whole: whole, fraction: 0)
            return
        }
        let decimals = utf8[(point + 1)...]
        guard decimals.count <= 8 else { throw .tooManyDecimals(found: decimals.count) }
        var fraction = try Amount.number(decimals, leadingZeros: true)
        for _ in decimals.count..<8 { fraction *= 10 }
        self = try Amount.total(whole: whole, fraction: fraction)
    }

    /// Reads a whole number of satoshis: no sign, exponent or separator.
    public init(satText text: String) throws(TextError) {
        self = try Amount.total(sats: try Amount.number(Array(text.utf8)[...]))
    }

    /// BTC with eight decimals and no unit, as in `0.00012000`.
    public var btcText: String {
        let fraction = String(sats % Amount.satsPerBTC)
        let zeros = String(repeating: "0", count: 8 - fraction.utf8.count)
        return "\(sats / Amount.satsPerBTC).\(zeros)\(fraction)"
    }

    /// Satoshis without a unit.
    public var satText: String { String(sats) }

    private static func total(whole: UInt64, fraction: UInt64) throws(TextError) -> Amount {
        guard whole <= max.sats / satsPerBTC else { throw .aboveMaximum }
        return try total(sats: whole * satsPerBTC + fraction)
    }

    private static func total(sats: UInt64) throws(TextError) -> Amount {
        guard let amount = Amount(sats: sats) else { throw .aboveMaximum }
        return amount
    }

    /// The value of ASCII digits; anything that would pass 18 digits is above every amount.
    private static func number(
        _ digits: ArraySlice<UInt8>, leadingZeros: Bool = false
    ) throws(TextError) -> UInt64 {
        guard let first = digits.first else { throw .missingDigits(position: digits.startIndex) }
        var value: UInt64 = 0
        var isAbove = false
        for (index, digit) in zip(digits.indices, digits) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
                throw .unexpectedCharacter(position: index)
            }
            isAbove = isAbove || value > max.sats
            if !isAbove { value = value * 10 + UInt64(digit - UInt8(ascii: "0")) }
        }
        if !leadingZeros, first == UInt8(ascii: "0"), digits.count > 1 { throw .leadingZero }
        guard !isAbove else { throw .aboveMaximum }
        return value
    }
}

extension Amount: CustomStringConvertible {
    /// BTC with its unit, as in `0.00012000 BTC`.
    public var description: String { "\(btcText) BTC" }
}

extension Amount.TextError: CustomStringConvertible {
    /// One sentence: what, where, and what is allowed.
    public var description: String {
        switch self {
        case .missingDigits(let position): "digits are missing at character \(position + 1)"
        case .unexpectedCharacter(let position):
            "character \(position + 1) is no digit; write amounts such as 0.015, with a point"
        case .leadingZero: "the amount starts with a zero that says nothing"
        case .tooManyDecimals(let found): "\(found) decimals, at most 8 allowed"
        case .aboveMaximum: "more than 21 million BTC"
        }
    }
}
