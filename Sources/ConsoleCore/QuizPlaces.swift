/// Which words of a phrase a quiz asks for.
public enum QuizPlaces {
    /// Three places of a phrase of so many words, counted from 1 and rising, chosen by a random number:
    /// one in each third, so that every part of the paper is looked at.
    public static func chosen(of count: Int, by number: UInt64) -> [Int] {
        let third = max(1, count / 3)
        return (0..<min(3, count)).map { part in
            part * third + Int((number >> (16 * UInt64(part)) & 0xFFFF) % UInt64(third)) + 1
        }
    }
}
