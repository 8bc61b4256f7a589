extension DescriptorChecksum {
    /// Which character of a checksum is wrong, if exactly one is; from 0.
    static func mistakenChecksumCharacter(_ difference: UInt64) -> Int? {
        let wrong = (0..<length).filter { difference >> (5 * (7 - UInt64($0))) & 31 != 0 }
        return wrong.count == 1 ? wrong[0] : nil
    }

    /// Which character of a text, changed to another, would turn the remainder by `difference`.
    ///
    /// The code finds any four wrong symbols, and a character is two symbols, so there is at most
    /// one such place. It is a hint: two mistakes may look like one elsewhere. Texts that nobody
    /// types (over 4,096 characters) get none.
    static func mistakenCharacter(in text: [UInt8], _ difference: UInt64) -> Int? {
        let last = text.count - 1
        guard last >= 0, text.count <= 4_096 else { return nil }
        var effects = SymbolEffects()
        var groupEffect = effects.values
        for position in stride(from: last, through: 0, by: -1) {
            // Symbols from the end: a group's own symbol follows its three characters.
            if position == last || position % 3 == 2 {
                groupEffect = effects.values
                effects.advance()
            }
            let groupStart = position - position % 3
            let groupEnd = min(groupStart + 2, last)
            let weight = [1, 3, 9][groupEnd - position]
            let group = (groupStart...groupEnd).reduce(0) { $0 * 3 + Int(symbol(text[$1]) >> 5) }
            let own = symbol(text[position])
            for candidate in 0..<UInt8(characterCount) where candidate != own {
                let changed = group + (Int(candidate >> 5) - Int(own >> 5)) * weight
                let turned =
                    SymbolEffects.combine(effects.values, UInt64((candidate ^ own) & 31))
                    ^ SymbolEffects.combine(groupEffect, UInt64(group ^ changed))
                if turned == difference { return position }
            }
            effects.advance()
        }
        return nil
    }
}

/// What each of the five bits of a symbol does to the remainder, by the symbol's place.
private struct SymbolEffects {
    /// For the symbol at the current place, which starts as the last before the checksum.
    private(set) var values: [UInt64]

    init() {
        values = (0..<5).map { DescriptorChecksum.Code(bit: $0).value }
        for _ in 0..<DescriptorChecksum.length { advance() }
    }

    /// Goes one symbol towards the start of the text.
    mutating func advance() {
        for bit in values.indices {
            var code = DescriptorChecksum.Code(value: values[bit])
            code.feed(0)
            values[bit] = code.value
        }
    }

    static func combine(_ values: [UInt64], _ symbol: UInt64) -> UInt64 {
        values.indices.reduce(0) { symbol >> UInt64($1) & 1 == 0 ? $0 : $0 ^ values[$1] }
    }
}
