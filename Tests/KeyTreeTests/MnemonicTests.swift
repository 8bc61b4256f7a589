import Bitcoin
import SecretMemory
import Signing
import TestSupport
import Testing
import Wire

@testable import KeyTree

@Suite("Recovery phrases")
struct MnemonicTests {
    @Test("BIP39: entropy, words, seed and master key of every English vector")
    func bip39() throws {
        let context = SigningContext()
        let cases = try Fixture.json("keys/bip39.json")["english"].array
        for row in cases {
            let mnemonic = try Mnemonic(entropy: SecretBytes(row[0].hex))
            #expect(try mnemonic.text == row[1].string)
            let read = try Mnemonic(row[1].string)
            #expect(try read.entropy().hex == row[0].string)
            let seed = try read.seed(passphrase: SecretBytes(text: "TREZOR"))
            #expect(try seed.hex == row[2].string)
            let master = try ExtendedPrivateKey(seed: seed, network: .main, context)
            #expect(try master.text().text == row[3].string)
        }
        #expect(cases.count == 24)
    }

    @Test("capital letters, tabs and line breaks change nothing")
    func lenientText() throws {
        let words = [String](repeating: "zoo", count: 11) + ["wrong"]
        let plain = try Mnemonic(words.joined(separator: " "))
        let typed = try Mnemonic(" \t" + words.joined(separator: "\r\n ").uppercased() + "\n")
        #expect(typed.text == plain.text)
    }

    @Test("every unknown word is named by its place, before the count and the checksum")
    func unknownWords() throws {
        var words = [String](repeating: "abandon", count: 12)
        words[1] = "abandom"
        words[10] = "é"
        #expect(throws: MnemonicError.unknownWords(places: [2, 11])) {
            _ = try Mnemonic(words.joined(separator: " "))
        }
        #expect(throws: MnemonicError.unknownWords(places: [30])) {
            _ = try Mnemonic(
                ([String](repeating: "zoo", count: 29) + ["zo"]).joined(separator: " "))
        }
    }

    @Test("each word at a named place gets the nearest of the list")
    func suggestions() throws {
        let text = SecretBytes(text: "abandom\tzoo  abotu \n ZOOO")
        let lines = Mnemonic.suggestions(forPlaces: [1, 3, 4, 5], in: text).text
        #expect(lines == "1 abandon\n3 about\n4 zoo\n")
        let many = SecretBytes(
            text: [String](repeating: "acount", count: 30).joined(separator: " "))
        let longest = Mnemonic.suggestions(forPlaces: Array(1...30), in: many).text
        #expect(longest.split(separator: "\n").count == 24)
    }

    @Test("only 12, 15, 18, 21 and 24 words are a phrase")
    func wordCounts() throws {
        for count in 0...30 {
            let text = [String](repeating: "abandon", count: count).joined(separator: " ")
            let error: MnemonicError =
                Mnemonic.wordCounts.contains(count)
                ? .wrongChecksum : .wordCount(found: count, allowed: [12, 15, 18, 21, 24])
            #expect(throws: error) { _ = try Mnemonic(text) }
            if Mnemonic.wordCounts.contains(count) {
                let random = try Mnemonic.random(wordCount: count)
                #expect(random.wordCount == count)
                #expect(try Mnemonic(random.text).entropy().hex == random.entropy().hex)
            }
        }
        #expect(throws: MnemonicError.textTooLong(found: 1025, allowed: 1024)) {
            _ = try Mnemonic(String(repeating: " ", count: 1025))
        }
        for length in [0, 15, 17, 33] {
            #expect(throws: MnemonicError.self) {
                _ = try Mnemonic(entropy: SecretBytes(count: length))
            }
        }
    }

    @Test("one word in 16 makes the checksum of 12 words hold, one in 256 that of 24")
    func checksumStrength() throws {
        for (count, expected) in [(12, 128), (24, 8)] {
            let start = [String](repeating: "zoo", count: count - 1).joined(separator: " ")
            var held = 0
            for index in 0..<EnglishWords.count {
                let word = String(decoding: EnglishWords.utf8(at: index), as: UTF8.self)
                if (try? Mnemonic(start + " " + word)) != nil { held += 1 }
            }
            #expect(held == expected)
        }
    }

    @Test("the list has 2048 sorted words of 3 to 8 letters whose first four differ")
    func list() {
        let words = (0..<EnglishWords.count).map { Array(EnglishWords.utf8(at: $0)) }
        #expect(words.allSatisfy { (3...8).contains($0.count) })
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        #expect(Set(words.map { $0.prefix(4) }).count == 2048)
        for (index, word) in words.enumerated() {
            #expect(word.withUnsafeBytes { EnglishWords.index(of: $0) } == index)
        }
        #expect(Array("zzz".utf8).withUnsafeBytes { EnglishWords.index(of: $0) } == nil)
    }

    @Test("the nearest word is the one that was meant, however it was mistyped")
    func nearest() {
        let typed = [
            "abandom": "abandon", "abandno": "abandon", "abndon": "abandon", "Zooo": "zoo",
            "aband": "abandon", "recieve": "receive", "satochi": "satoshi",
            "vitl": "vital",
        ]
        for (word, meant) in typed {
            let index = EnglishWords.nearest(to: SecretBytes(text: word))
            #expect(String(decoding: EnglishWords.utf8(at: index), as: UTF8.self) == meant)
        }
        for index in stride(from: 0, to: EnglishWords.count, by: 50) {
            #expect(
                EnglishWords.nearest(to: SecretBytes(Array(EnglishWords.utf8(at: index)))) == index)
        }
    }

    @Test("errors say places and counts and never a word")
    func descriptions() {
        let errors: [MnemonicError] = [
            .unknownWords(places: [3]), .unknownWords(places: [3, 7]), .wrongChecksum,
            .wordCount(found: 13, allowed: Mnemonic.wordCounts),
            .textTooLong(found: 2000, allowed: 1024),
            .entropyLength(found: 3, allowed: [16, 20, 24, 28, 32]),
        ]
        #expect(Set(errors.map(\.description)).count == 6)
        #expect(
            errors[3].description == "recovery phrase of 13 words, 12, 15, 18, 21 or 24 needed")
    }
}
