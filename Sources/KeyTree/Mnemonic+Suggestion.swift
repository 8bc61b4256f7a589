public import SecretMemory

extension Mnemonic {
    // DECLASSIFY: for the person who typed the words and is asked whether others were meant; it must
    // reach nobody else.
    /// The words of the list that are nearest to those at `places` of a text, counted from 1, as
    /// `MnemonicError.unknownWords` does. ASCII lines of a place, a space and a word.
    ///
    /// Only the first 24 places count: no phrase has more.
    public static func suggestions(
        forPlaces places: [Int], in text: borrowing SecretBytes
    ) -> SecretBytes {
        let places = places.filter { $0 <= longest }
        return SecretBytes(capacity: places.count * 12) { lines in
            text.withUnsafeBytes { text in
                var end = 0
                func append(_ letters: some Sequence<UInt8>) {
                    for letter in letters {
                        lines[end] = letter
                        end += 1
                    }
                }
                for (place, word) in text.split(whereSeparator: isSpace).enumerated()
                where places.contains(place + 1) {
                    let nearest = EnglishWords.nearest(
                        to: SecretBytes(copying: UnsafeRawBufferPointer(rebasing: word)))
                    append("\(place + 1) ".utf8)
                    append(EnglishWords.utf8(at: nearest))
                    append("\n".utf8)
                }
                return end
            }
        }
    }
}
