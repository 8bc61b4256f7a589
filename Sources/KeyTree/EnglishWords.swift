public import SecretMemory

/// BIP39's English words: sorted, of three to eight letters, told apart by their first four.
public enum EnglishWords {
    /// How many there are: each stands for 11 bits.
    public static let count = 2048

    /// Where each word starts in the list, and where one more would.
    private static let starts: [UInt16] = {
        var starts: [UInt16] = [0]
        for offset in 0..<list.utf8CodeUnitCount where list.utf8Start[offset] == UInt8(ascii: " ") {
            starts.append(UInt16(offset + 1))
        }
        return starts
    }()

    /// The letters of the word at `index`, in memory that holds the whole list and never goes.
    ///
    /// - Precondition: `index` is below `count`.
    public static func utf8(at index: Int) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < count)
        let start = Int(starts[index])
        return UnsafeRawBufferPointer(
            start: list.utf8Start + start, count: Int(starts[index + 1]) - start - 1)
    }

    /// The place of a word in lower case; nil when it is not in the list.
    static func index(of word: UnsafeRawBufferPointer) -> Int? {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let candidate = utf8(at: middle)
            if candidate.elementsEqual(word) { return middle }
            if candidate.lexicographicallyPrecedes(word) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return nil
    }

    // DECLASSIFY: for the person who typed the word and is asked whether another was meant.
    /// The place of the word that is nearest to what a person typed: the fewest letters to insert,
    /// leave out, change or swap with their neighbour, and among equals the longest common start.
    ///
    /// Only the first 16 bytes count: no word has more than eight.
    public static func nearest(to typed: borrowing SecretBytes) -> Int {
        typed.withUnsafeBytes { typed in
            let typed = UnsafeRawBufferPointer(rebasing: typed.prefix(16))
            var best = (index: 0, distance: Int.max, common: 0)
            for index in 0..<count {
                let word = utf8(at: index)
                let distance = distance(typed, word)
                let common = zip(typed, word).prefix { lowerCased($0) == $1 }.count
                if distance < best.distance || distance == best.distance && common > best.common {
                    best = (index, distance, common)
                }
            }
            return best.index
        }
    }

    /// The optimal string alignment distance, over three rows of its table that are wiped.
    private static func distance(
        _ typed: UnsafeRawBufferPointer, _ word: UnsafeRawBufferPointer
    ) -> Int {
        let width = word.count + 1
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { rows in
            defer { SecretMemory.wipe(UnsafeMutableRawBufferPointer(rows)) }
            for column in 0..<width { rows[column] = column }
            for (line, byte) in typed.enumerated() {
                let letter = lowerCased(byte)
                let above = line % 3 * width
                let now = (line + 1) % 3 * width
                rows[now] = line + 1
                for column in 1..<width {
                    let change = letter == word[column - 1] ? 0 : 1
                    var cost = min(
                        rows[above + column] + 1, rows[now + column - 1] + 1,
                        rows[above + column - 1] + change)
                    if line > 0, column > 1, letter == word[column - 2],
                        lowerCased(typed[line - 1]) == word[column - 1]
                    {
                        cost = min(cost, rows[(line + 2) % 3 * width + column - 2] + 1)
                    }
                    rows[now + column] = cost
                }
            }
            return rows[typed.count % 3 * width + word.count]
        }
    }

    static func lowerCased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
