import TestSupport
import Testing
import Wire

@Suite("Bech32 and Bech32m")
struct Bech32Tests {
    @Test(
        "The strings of BIP173 and BIP350",
        arguments: [("bip173", 7, 12, Bech32.Variant.bech32), ("bip350", 7, 14, .bech32m)])
    func vectors(name: String, valid: Int, invalid: Int, variant: Bech32.Variant) throws {
        var counts = (valid: 0, invalid: 0)
        for row in try Fixture.json("addresses/\(name).json").array
        where try row["kind"].string == "string" {
            let text = String(decoding: try row["hex"].hex, as: UTF8.self)
            if try row["valid"].bool {
                let decoded = try Bech32.decode(text)
                #expect(decoded.variant == variant)
                let again = Bech32.encode(
                    prefix: decoded.prefix, groups: decoded.groups, variant: variant)
                #expect(again == text.lowercased())
                counts.valid += 1
            } else {
                #expect(throws: Bech32.Failure.self) { try Bech32.decode(text) }
                counts.invalid += 1
            }
        }
        #expect(counts == (valid, invalid))
    }

    static let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

    @Test("One wrong character is found wherever it stands behind the separator")
    func suspect() throws {
        let text = Array(Self.address.utf8)
        for position in 3..<text.count {
            var wrong = text
            wrong[position] = text[position] == UInt8(ascii: "q") ? UInt8(ascii: "p") : 0x71
            #expect(throws: Bech32.Failure.wrongChecksum(positions: [position])) {
                try Bech32.decode(String(decoding: wrong, as: UTF8.self))
            }
        }
    }

    @Test("Two wrong characters are found wherever they stand; three are not mistaken for two")
    func twoErrors() throws {
        let text = Array(Self.address.utf8)
        var generator = SeededGenerator(seed: 173)
        let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
        for count in [2, 2, 2, 2, 2, 2, 3, 3, 3, 3] {
            let positions = (3..<text.count).shuffled(using: &generator).prefix(count).sorted()
            var wrong = text
            for position in positions {
                let others = alphabet.filter { $0 != text[position] }
                wrong[position] = try #require(others.randomElement(using: &generator))
            }
            let expected = Bech32.Failure.wrongChecksum(positions: count == 2 ? positions : [])
            #expect(throws: expected) {
                try Bech32.decode(String(decoding: wrong, as: UTF8.self))
            }
        }
    }

    @Test("Each fault has its reason and its place")
    func reasons() {
        let faults: [(String, Bech32.Failure)] = [
            ("bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .mixedCase(position: 3)),
            ("BC1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .mixedCase(position: 3)),
            ("bc1qw508d6qejxtdb4y5r3zarvary0c5xw7kv8f3t4", .invalidCharacter(position: 16)),
            ("bc 1q", .invalidCharacter(position: 2)), ("1qqqqqq", .emptyPrefix),
            ("bcqw508d6qejxtdg", .missingSeparator), ("a1qqqqq", .checksumTooShort(found: 5)),
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3tq4", .wrongChecksum(positions: [41, 42])),
            (String(repeating: "q", count: 91), .tooLong(found: 91, allowed: 90)),
        ]
        for (text, failure) in faults {
            #expect(throws: failure) { try Bech32.decode(text) }
        }
    }

    @Test("Bytes to groups and back; left-over bits are refused")
    func regrouping() throws {
        var generator = SeededGenerator(seed: 1)
        for length in 0...64 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try Bech32.bytes(of: Bech32.groups(of: bytes)) == bytes)
        }
        #expect(throws: Bech32.Failure.invalidPadding) { try Bech32.bytes(of: [0]) }
        #expect(throws: Bech32.Failure.invalidPadding) { try Bech32.bytes(of: [0, 1]) }
        #expect(throws: Bech32.Failure.invalidPadding) { try Bech32.bytes(of: [0, 0, 0]) }
    }

    @Test("Random texts and mutated addresses never trap")
    func mutations() {
        var generator = SeededGenerator(seed: 2)
        var accepted = 0
        for _ in 0..<2_000 {
            let bytes = generator.mutated(Array(Self.address.utf8))
            let text = String(decoding: bytes, as: UTF8.self)
            guard let decoded = try? Bech32.decode(text) else { continue }
            let again = Bech32.encode(
                prefix: decoded.prefix, groups: decoded.groups, variant: decoded.variant)
            #expect(again == text.lowercased())
            accepted += 1
        }
        #expect(accepted < 20)
    }
}
