import Bitcoin

/// Compact filters as the text of BIP158 has them, bit by bit and byte by byte: what the product's
/// decoder and matcher are compared with.
struct PlainFilter {
    let bytes: [UInt8]
    let start: Int
    let count: Int
    let keys: (UInt64, UInt64)

    /// The filter behind a count that takes `start` bytes.
    init(_ bytes: [UInt8], start: Int, count: Int, block: BlockHash) {
        self.bytes = bytes
        self.start = start
        self.count = count
        let hash = block.bytes.array
        func word(_ place: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(hash[place + $1]) << UInt64(8 * $1) }
        }
        keys = (word(0), word(8))
    }

    /// The sum of all elements, so that none can be left out.
    func decode() -> UInt64 {
        var bits = BitReader(bytes: bytes, position: start * 8)
        var value: UInt64 = 0
        var sum: UInt64 = 0
        for _ in 0..<count {
            value += bits.next()
            sum &+= value
        }
        return sum
    }

    func matches(_ scripts: [[UInt8]]) -> Bool {
        let range = UInt64(count) * 784_931
        let wanted = scripts.map { hash($0).multipliedFullWidth(by: range).high }.sorted()
        var bits = BitReader(bytes: bytes, position: start * 8)
        var value: UInt64 = 0
        var place = 0
        for _ in 0..<count {
            value += bits.next()
            while wanted[place] < value {
                place += 1
                if place == wanted.count { return false }
            }
            if wanted[place] == value { return true }
        }
        return false
    }

    private struct BitReader {
        let bytes: [UInt8]
        var position: Int

        mutating func next() -> UInt64 {
            var quotient: UInt64 = 0
            while bit() == 1 { quotient += 1 }
            var remainder: UInt64 = 0
            for _ in 0..<19 { remainder = remainder << 1 | bit() }
            return quotient << 19 | remainder
        }

        private mutating func bit() -> UInt64 {
            defer { position += 1 }
            return UInt64(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
        }
    }

    private func hash(_ message: [UInt8]) -> UInt64 {
        var v0 = keys.0 ^ 0x736F_6D65_7073_6575
        var v1 = keys.1 ^ 0x646F_7261_6E64_6F6D
        var v2 = keys.0 ^ 0x6C79_6765_6E65_7261
        var v3 = keys.1 ^ 0x7465_6462_7974_6573
        func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
            value << bits | value >> (64 - bits)
        }
        func round() {
            v0 &+= v1
            v1 = rotated(v1, 13) ^ v0
            v0 = rotated(v0, 32)
            v2 &+= v3
            v3 = rotated(v3, 16) ^ v2
            v0 &+= v3
            v3 = rotated(v3, 21) ^ v0
            v2 &+= v1
            v1 = rotated(v1, 17) ^ v2
            v2 = rotated(v2, 32)
        }
        var word: UInt64 = 0
        for (index, byte) in message.enumerated() {
            word |= UInt64(byte) << UInt64(index % 8 * 8)
            guard index % 8 == 7 else { continue }
            v3 ^= word
            round()
            round()
            v0 ^= word
            word = 0
        }
        word |= UInt64(message.count & 0xFF) << 56
        v3 ^= word
        round()
        round()
        v0 ^= word
        v2 ^= 0xFF
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }
}
