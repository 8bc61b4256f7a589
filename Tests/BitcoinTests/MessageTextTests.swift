import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("What may be signed as a message")
struct MessageTextTests {
    private func fault(_ bytes: [UInt8]) -> MessageText.Fault? {
        thrown(MessageText.Fault.self) { try MessageText(bytes) }
    }

    private func fault(_ text: String) -> MessageText.Fault? { fault(Array(text.utf8)) }

    private static let transaction = SignedMessage.toSign(
        message: [1], scriptPubKey: .p2wpkh(.zero)
    ).serialized()

    @Test("What could be the hash of a transaction is refused, in every form")
    func hashes() {
        let digits = String(repeating: "0aF1", count: 16)
        for text in [
            digits, "0x" + digits, digits + "\n", " " + digits.uppercased(),
            String(digits.prefix(32)) + "\n" + String(digits.suffix(32)),
            Base64.encode([UInt8](repeating: 7, count: 32)), String(repeating: "a", count: 32),
        ] {
            #expect(fault(text) == .hash, "\(text)")
        }
        #expect(fault([UInt8](repeating: 0xFF, count: 32)) == .hash)
        #expect(fault(String(digits.dropLast())) == nil)
        #expect(fault("txid " + digits) == nil)
    }

    @Test("A transaction or a PSBT is refused: binary, in hexadecimal digits or in base64")
    func containers() {
        let psbt = Array("psbt".utf8) + [0xFF, 1, 0]
        for (bytes, expected) in [
            (Self.transaction, MessageText.Fault.transaction), (psbt, .psbt),
        ] {
            #expect(fault(bytes) == expected)
            #expect(fault(Hex.encode(bytes)) == expected)
            #expect(fault("0x" + Hex.encode(bytes) + "\n") == expected)
            #expect(fault(Base64.encode(bytes)) == expected)
            #expect(fault(Base64.encode(bytes) + "\r\n") == expected)
        }
    }

    @Test("Characters that are not seen hide neither a hash nor a container")
    func hidden() {
        let digits = String(repeating: "0aF1", count: 16)
        let psbt = Hex.encode(Array("psbt".utf8) + [0xFF, 1, 0])
        for hidden in ["\u{FEFF}", "\u{200B}", "\u{200D}", "\u{0}", "\u{AD}", "\u{2060}"] {
            for (text, expected) in [(digits, MessageText.Fault.hash), (psbt, .psbt)] {
                #expect(fault(hidden + text) == expected)
                let cut = String(text.prefix(7)) + hidden + String(text.dropFirst(7))
                #expect(fault(cut) == expected)
                #expect(fault(text.map { String($0) }.joined(separator: hidden)) == expected)
            }
        }
    }

    @Test("The bytes are signed as they came, in whichever Unicode form")
    func exactBytes() throws {
        let (composed, decomposed) = (Array("Zo\u{EB}".utf8), Array("Zoe\u{308}".utf8))
        for bytes in [composed, decomposed] { #expect(try MessageText(bytes).bytes == bytes) }
        #expect(try MessageText(composed).bytes != MessageText(decomposed).bytes)
    }

    @Test("What nobody can read whole is refused")
    func text() {
        #expect(fault([0x48, 0xC3]) == .notText)
        #expect(fault([UInt8](repeating: 0x61, count: 65_537)) == .tooLong(65_537))
        #expect(fault([UInt8](repeating: 0x61, count: 65_536)) == nil)
    }

    @Test("Nothing, hidden characters and outer white space are warned of, plain lines are not")
    func warnings() throws {
        let rows: [(String, [MessageText.Warning])] = [
            ("I hold this address,\nas of today: 測試 😄", []), ("", [.empty]),
            ("a\u{202E}b", [.hiddenCharacters]), ("a\u{1B}[2J", [.hiddenCharacters]),
            ("a\u{200B}b", [.hiddenCharacters]), ("a\r\nb", [.hiddenCharacters]),
            ("a\tb", [.hiddenCharacters]), ("a\n", [.outerSpace]), (" a", [.outerSpace]),
            ("\u{2066}a ", [.hiddenCharacters, .outerSpace]),
        ]
        for (text, expected) in rows {
            #expect(try MessageText(Array(text.utf8)).warnings == expected, "\(text)")
        }
    }

    @Test("Every fault and every warning is said in words")
    func words() {
        for fault in [MessageText.Fault.tooLong(9), .notText, .hash, .psbt, .transaction] {
            #expect(fault.description.count > 20)
        }
        for warning in MessageText.Warning.allCases { #expect(warning.description.hasSuffix(".")) }
    }
}
