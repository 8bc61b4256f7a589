import TestSupport
import Testing

@testable import Wire

@Suite("Base58")
struct Base58Tests {
    @Test("Bitcoin Core's vectors encode and decode")
    func vectors() throws {
        let cases = try Fixture.json("keys/base58.json")["cases"].array
        for row in cases {
            let bytes = try row[0].hex
            #expect(try Base58.encode(bytes) == row[1].string)
            #expect(try Base58.decode(row[1].string) == bytes)
        }
        #expect(cases.count == 21)
    }

    @Test("any bytes up to the limit come back; one more, or more text, is refused")
    func limits() throws {
        var generator = SeededGenerator(seed: 58)
        for count in 0...Base58.maximumByteCount {
            let bytes = (0..<count).map { _ in
                UInt8.random(in: 0...255, using: &generator) & UInt8.random(in: 0...255)
            }
            #expect(try Base58.decode(Base58.encode(bytes)) == bytes)
        }
        let highest = Base58.encode([UInt8](repeating: 0xFF, count: 256))
        #expect(highest.utf8.count == Base58.maximumTextLength)
        #expect(throws: Base58.Failure.tooLong(found: 257, allowed: 256)) {
            try Base58.decode(String(repeating: "z", count: 350))
        }
        #expect(throws: Base58.Failure.tooLong(found: 257, allowed: 256)) {
            try Base58.decode(String(repeating: "1", count: 257))
        }
        #expect(throws: Base58.Failure.tooLong(found: 351, allowed: 350)) {
            try Base58.decode(String(repeating: "1", count: 351))
        }
    }

    @Test("letters that look alike, and everything else outside the alphabet, are named")
    func alphabet() {
        let alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
        #expect(alphabet.utf8.count == 58)
        for byte in UInt8(0)..<128 {
            let character = Character(Unicode.Scalar(byte))
            let text = "1\(character)"
            if alphabet.contains(character) {
                #expect((try? Base58.decode(text)) != nil)
            } else {
                #expect(throws: Base58.Failure.notADigit(position: 1)) { try Base58.decode(text) }
            }
        }
    }
}
