import KeyTree
public import SecretMemory
import Wire

/// What a new password must be: 8 to 64 characters (Unicode scalars) of three of the four classes
/// upper case, lower case, digits and symbols, and no control characters. It is used exactly as typed.
public enum PasswordRules {
    /// Unicode scalars.
    public static let lengths = 8...64
    /// Of upper case, lower case, digits and symbols.
    public static let neededClasses = 3

    /// A kind of characters.
    public enum CharacterClass: Hashable, Sendable, CaseIterable {
        case upperCase
        case lowerCase
        case digit
        case symbol
    }

    // DECLASSIFY: whoever chooses a password learns its length, the classes it lacks, and where a
    // character is that it cannot have.
    /// Holds a new password to the rules.
    ///
    /// - Throws: `notUTF8`, `controlCharacter`, `length`, `tooFewClasses`.
    public static func check(_ password: borrowing SecretBytes) throws(PasswordError) {
        var count = 0
        var classes: Set<CharacterClass> = []
        try password.withUnsafeBytes { bytes throws(PasswordError) in
            var reader = UTF8Reader(bytes)
            while let scalar = try next(&reader) {
                count += 1
                guard scalar.properties.generalCategory != .control else {
                    throw .controlCharacter(place: count)
                }
                classes.insert(characterClass(of: scalar))
            }
        }
        guard lengths.contains(count) else { throw .length(found: count, allowed: lengths) }
        guard classes.count >= neededClasses else {
            throw .tooFewClasses(missing: CharacterClass.allCases.filter { !classes.contains($0) })
        }
    }

    private static func next(
        _ reader: inout UTF8Reader
    ) throws(PasswordError) -> Unicode.Scalar? {
        do throws(NFKDError) {
            return try reader.next().flatMap { Unicode.Scalar($0) }
        } catch {
            throw .notUTF8(position: reader.position)
        }
    }

    /// Letters beyond ASCII count by their case, and everything else beyond it as a symbol.
    private static func characterClass(of scalar: Unicode.Scalar) -> CharacterClass {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: .upperCase
        case .lowercaseLetter: .lowerCase
        case .decimalNumber where scalar.isASCII: .digit
        default: .symbol
        }
    }
}

/// Why a new password is refused. It holds places and counts, never characters.
public enum PasswordError: Error, Hashable, Sendable {
    /// Bytes that are not UTF-8; the position counts bytes from 0.
    case notUTF8(position: Int)
    /// A control character, such as a tab; the first character has place 1.
    case controlCharacter(place: Int)
    /// Too few or too many characters.
    case length(found: Int, allowed: ClosedRange<Int>)
    /// Fewer than three of the four classes.
    case tooFewClasses(missing: [PasswordRules.CharacterClass])
}

extension PasswordError: CustomStringConvertible {
    /// One sentence: what, where, and what to do.
    public var description: String {
        switch self {
        case .notUTF8(let position): "the password is not UTF-8 at byte \(position + 1)"
        case .controlCharacter(let place):
            "character \(place) of the password is a control character, which cannot be typed "
                + "everywhere"
        case .length(let found, let allowed):
            "the password has \(counted(found, "character")), \(allowed.lowerBound) to \(allowed.upperBound) "
                + "are needed"
        case .tooFewClasses(let missing):
            "the password needs three of these: upper case, lower case, digits, symbols; it has no "
                + missing.map(\.description).joined(separator: " and no ")
        }
    }
}

extension PasswordRules.CharacterClass: CustomStringConvertible {
    /// What a person calls it.
    public var description: String {
        switch self {
        case .upperCase: "upper-case letter"
        case .lowerCase: "lower-case letter"
        case .digit: "digit"
        case .symbol: "symbol"
        }
    }
}
