import TestSupport
import Testing
import Wire

@Suite("Base 32")
struct Base32Tests {
    /// RFC 4648, section 10, without its padding.
    private let vectors = [
        "": "", "f": "my", "fo": "mzxq", "foo": "mzxw6", "foob": "mzxw6yq", "fooba": "mzxw6ytb",
        "foobar": "mzxw6ytboi",
    ]

    @Test("the vectors of the standard come out, in either case")
    func standard() {
        for (plain, text) in vectors {
            #expect(Base32.encode(Array(plain.utf8)) == text)
            #expect(Base32.decode(text) == Array(plain.utf8))
            #expect(Base32.decode(text.uppercased()) == Array(plain.utf8))
        }
    }

    @Test("other characters, impossible lengths and bits behind the end are refused")
    func refused() {
        for text in ["m", "mzx", "mzxw6y", "my=", "m1", "m8", "mz", "mzxr", "m y", "mä"] {
            #expect(Base32.decode(text) == nil, "\(text)")
        }
    }

    @Test("any bytes come back")
    func roundTrip() {
        var random = SeededGenerator(seed: 1)
        for count in 0..<64 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
        }
    }
}
