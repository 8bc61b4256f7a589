import Foundation
import TestSupport
import Testing

@testable import Wire

@Suite("Base64")
struct Base64Tests {
    @Test("texts are those of Foundation, for every length and any bytes")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 64)
        for count in 0...200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(try Base64.decode(text) == bytes)
        }
    }

    @Test("RFC 4648's examples come out")
    func examples() throws {
        let known = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg=="]
        for (plain, text) in known { #expect(Base64.encode(Array(plain.utf8)) == text) }
    }

    @Test("padding, alphabet and unused bits are held to, with the place of the fault")
    func strict() {
        let faults: [(String, Base64.Failure)] = [
            ("Zg=", .wrongLength(3)), ("Zg", .wrongLength(2)), ("Zg==\n", .wrongLength(5)),
            ("Zm9v\r\n==", .notADigit(position: 4)), ("Z===", .notADigit(position: 1)),
            ("====", .notADigit(position: 0)), ("=Zg=", .notADigit(position: 0)),
            ("Zg==Zg==", .notADigit(position: 2)), ("Zm-v", .notADigit(position: 2)),
            ("Zm_v", .notADigit(position: 2)), ("Zh==", .nonCanonical(position: 1)),
            ("Zm9=", .nonCanonical(position: 2)), ("Zgé", .notADigit(position: 2)),
        ]
        for (text, failure) in faults {
            #expect(throws: failure, "\(text)") { try Base64.decode(text) }
        }
    }

    @Test("what is read from mutated text is written as that text")
    func mutations() {
        var generator = SeededGenerator(seed: 4648)
        let start = Array(Base64.encode(Array(0...60)).utf8)
        for _ in 0..<20_000 {
            let text = generator.mutated(start)
            guard let bytes = try? Base64.decode(utf8: text) else { continue }
            #expect(Array(Base64.encode(bytes).utf8) == text)
        }
    }
}
