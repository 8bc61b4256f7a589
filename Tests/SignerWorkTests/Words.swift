import KeyTree

/// BIP39's list as texts.
enum Words {
    static let english = (0..<EnglishWords.count).map {
        String(decoding: EnglishWords.utf8(at: $0), as: UTF8.self)
    }
}
