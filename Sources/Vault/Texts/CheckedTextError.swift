/// What a person types from the recovery kit.
public enum TypedSecret: Hashable, Sendable {
    case recoveryCode
    case secretKey
}

extension TypedSecret: CustomStringConvertible {
    /// A noun with its article.
    public var description: String {
        self == .recoveryCode ? "the recovery code" : "the secret key"
    }
}

/// What is wrong with a text that was typed from the kit. It holds places and counts, never
/// characters.
public enum CheckedTextError: Error, Hashable, Sendable {
    /// More text than the longest there is.
    case tooLong(TypedSecret, found: Int, allowed: Int)
    /// Characters that do not occur; the first character has place 1, separators do not count.
    case unknownCharacters(TypedSecret, places: [Int])
    /// Too few or too many characters, and the groups where they are missing or too many, if the
    /// groups tell; the first group has number 1.
    case wrongCount(TypedSecret, found: Int, needed: Int, groups: [Int])
    /// Groups that do not match their check character; the first group has number 1.
    case slips(TypedSecret, groups: [Int])
}

extension CheckedTextError: CustomStringConvertible {
    /// One sentence: what, where, and what to do.
    public var description: String {
        switch self {
        case .tooLong(let kind, let found, let allowed):
            "\(kind) has \(found) characters, at most \(allowed) are read"
        case .unknownCharacters(let kind, let places):
            "\(kind): \(CheckedTextError.places("character", places)) cannot occur: it has digits and "
                + "letters without U"
        case .wrongCount(let kind, let found, let needed, let groups):
            "\(kind) has \(needed) characters, not \(found)"
                + (groups.isEmpty
                    ? "" : ": look at \(CheckedTextError.places("group", groups))")
        case .slips(let kind, let groups):
            "\(kind): a slip in \(CheckedTextError.places("group", groups)): compare with the kit"
        }
    }

    private static func places(_ noun: String, _ numbers: [Int]) -> String {
        let list = numbers.map(String.init).joined(separator: ", ")
        return numbers.count == 1 ? "\(noun) \(list)" : "\(noun)s \(list)"
    }
}
