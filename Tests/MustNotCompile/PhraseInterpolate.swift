// error: no exact matches in call to instance method 'appendInterpolation'
import KeyTree

func phraseInterpolate() throws {
    let phrase = try Mnemonic.random(wordCount: 24)
    #if LEAK
    _ = "\(phrase)"
    #else
    _ = "\(phrase.wordCount)"
    #endif
}
