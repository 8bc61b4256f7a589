/// The name that a person gives a vault or a watched wallet: one rule for both sides of the wall, since
/// a wallet that is made on one is called the same on the other.
///
/// Watched wallets are known by numbers besides, so that no new name may be taken for one, nor for
/// anything else that a command line has in its place.
public struct GivenName: Hashable, Sendable {
    /// What is shown.
    public let text: String

    /// The most scalars.
    public static let maximumScalars = 64
    /// Marks on one letter, as many as written languages have; none may come first.
    private static let mostMarks = 2
    /// What stands before a number that is meant as one, whatever the names are.
    private static let numberMark = "number:"

    /// Takes a name that was given before: 1 to 64 visible characters.
    ///
    /// - Throws: `empty`, `tooLong`, `invisible`, `spaceAtEnd`, `looksLikeID`.
    public init(kept text: String) throws(GivenNameError) {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { throw .empty }
        guard scalars.count <= Self.maximumScalars else {
            throw .tooLong(found: scalars.count, allowed: Self.maximumScalars)
        }
        for (place, scalar) in scalars.enumerated() where !scalar.isVisible {
            throw .invisible(place: place + 1)
        }
        guard first != " ", last != " " else { throw .spaceAtEnd }
        guard VaultID(text: text) == nil else { throw .looksLikeID }
        self.text = text
    }

    /// Takes a name that is given now.
    ///
    /// - Throws: those of `init(kept:)`, `noLetter`, `leadingDash`, `slash`, `looksLikeNumber`,
    ///   `strayMark`.
    public init(new text: String) throws(GivenNameError) {
        try self.init(kept: text)
        let scalars = text.unicodeScalars
        var marks = Self.mostMarks
        for (place, scalar) in scalars.enumerated() {
            guard scalar.hasShape else { throw .invisible(place: place + 1) }
            marks = scalar.isMark ? marks + 1 : 0
            guard marks <= Self.mostMarks else { throw .strayMark(place: place + 1) }
        }
        guard scalars.first != "-" else { throw .leadingDash }
        guard !scalars.contains("/") else { throw .slash }
        guard scalars.contains(where: \.isLetterOrSymbol) else { throw .noLetter }
        guard !text.lowercased().hasPrefix(Self.numberMark) else { throw .looksLikeNumber }
    }

    /// Whether a person would take one for the other: names differ by more than upper and lower case, the
    /// number of spaces, and what cannot be seen of a name that was given before.
    public static func areTwins(_ one: String, _ other: String) -> Bool {
        looks(of: one) == looks(of: other)
    }

    /// What twins have in common, and others not: to look a name up among many.
    public static func looks(of name: String) -> String {
        var seen = String.UnicodeScalarView()
        seen.append(contentsOf: name.lowercased().unicodeScalars.filter(\.hasShape))
        return String(seen).split(separator: " ").joined(separator: " ")
    }

    /// How a watched wallet is named by its number where a name might be the same digits.
    public static func reference(toNumber number: UInt32) -> String { "\(numberMark)\(number)" }

    /// The number that is meant by such a reference, whatever the names are; nil for any other text.
    public static func number(inReference text: String) -> UInt32? {
        guard text.hasPrefix(numberMark), let number = UInt32(text.dropFirst(numberMark.count)),
            text == reference(toNumber: number)
        else { return nil }
        return number
    }
}

extension Unicode.Scalar {
    /// No controls, no marks that turn the direction of writing, no scalars without a character;
    /// the only space is the plain one.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        case .spaceSeparator: self == " "
        default: true
        }
    }

    /// Whether something of it is drawn: no filler, no selector of variants, no empty braille pattern.
    fileprivate var hasShape: Bool {
        !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
    }

    /// Whether it is drawn on the character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether it is more than a digit or a punctuation mark.
    fileprivate var isLetterOrSymbol: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .otherSymbol:
            true
        default: false
        }
    }
}

/// Why a text is no name.
public enum GivenNameError: Error, Hashable, Sendable {
    /// No characters.
    case empty
    /// Too many characters (Unicode scalars).
    case tooLong(found: Int, allowed: Int)
    /// A character that cannot be seen; the first has place 1.
    case invisible(place: Int)
    /// A space at the start or the end.
    case spaceAtEnd
    /// It could be taken for the id of a vault.
    case looksLikeID
    /// Digits and punctuation alone: it could be taken for a wallet's number, or for a folder.
    case noLetter
    /// It could be taken for a flag.
    case leadingDash
    /// It could be taken for the path of a file.
    case slash
    /// It begins as the number of a watched wallet does that is meant as one.
    case looksLikeNumber
    /// A mark without a letter, or a third one on a letter; the first character has place 1.
    case strayMark(place: Int)
}

extension GivenNameError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .empty: "a wallet needs a name"
        case .tooLong(let found, let allowed):
            "the name has \(found) characters, at most \(allowed) allowed"
        case .invisible(let place): "character \(place) of the name cannot be seen"
        case .spaceAtEnd: "the name starts or ends with a space"
        case .looksLikeID: "the name has the form of a vault's id"
        case .noLetter:
            "the name has no letter, and digits and punctuation alone could be a wallet's number"
        case .leadingDash: "the name starts with a dash, as flags do"
        case .slash: "the name has a slash, as paths of files do"
        case .looksLikeNumber: "the name starts as the number of a watched wallet is written"
        case .strayMark(let place):
            "character \(place) of the name is a mark without a letter, or one too many on it"
        }
    }
}
