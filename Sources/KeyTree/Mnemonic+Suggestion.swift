public import SecretMemory

extension Mnemonic {
    // DECLASSIFY: for the person who typed the word and is asked whether another was meant; it must
    // reach nobody else.
    /// The word of the list that is nearest to the one at `place` of a text, counted from 1, as
    /// `MnemonicError.unknownWords` does; nil where the text has fewer.
    public static func suggestion(
        forPlace place: Int, in text: borrowing SecretBytes
    ) -> Int? {
        text.withUnsafeBytes { text in
            var rest = text.split(whereSeparator: isSpace).dropFirst(place - 1).makeIterator()
            guard let word = rest.next() else { return nil }
            return EnglishWords.nearest(
                to: SecretBytes(copying: UnsafeRawBufferPointer(rebasing: word)))
        }
    }
}
