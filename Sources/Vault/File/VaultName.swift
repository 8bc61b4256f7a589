import SecretMemory
public import StateFiles

extension DomainLabel {
    static let name = DomainLabel("name")
}

/// The name that a person gave a vault, in `vaults/ID.name`: public, and authenticated under the index
/// key, so that nobody else can make one wallet look like another.
public struct VaultName: Hashable, Sendable {
    /// What is shown.
    public let text: String

    /// The most scalars and bytes.
    public static let maximumScalars = 64
    static let maximumBytes = 4 * maximumScalars
    /// The lengths that the file can have.
    public static let sizes = overhead + 1...overhead + maximumBytes
    private static let overhead = FilePrefix.count + 2 + codeCount
    private static let codeCount = 32
    private static let prefix = FilePrefix(.name, name: "BHNAME")

    /// Takes a name of 1 to 64 visible characters.
    ///
    /// - Throws: `empty`, `tooLong`, `invisible`, `spaceAtEnd`, `looksLikeID`.
    public init(_ text: String) throws(VaultNameError) {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { throw .empty }
        guard scalars.count <= VaultName.maximumScalars else {
            throw .tooLong(found: scalars.count, allowed: VaultName.maximumScalars)
        }
        for (place, scalar) in scalars.enumerated() where !VaultName.isVisible(scalar) {
            throw .invisible(place: place + 1)
        }
        guard first != " ", last != " " else { throw .spaceAtEnd }
        guard VaultID(text: text) == nil else { throw .looksLikeID }
        self.text = text
    }

    /// No controls, no marks that turn the direction of writing, no scalars without a character;
    /// the only space is the plain one.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }

    // MARK: The file

    /// The bytes of `vaults/ID.name`.
    public func sealed(for id: VaultID, under index: borrowing IndexKey) -> [UInt8] {
        let utf8 = Array(text.utf8)
        let file =
            VaultName.prefix.bytes(for: id) + [UInt8(utf8.count & 0xFF), UInt8(utf8.count >> 8)]
            + utf8
        return file + index.code(for: file, label: .name, salt: id.bytes).publicCopy()
    }

    /// Reads `vaults/ID.name`.
    ///
    /// - Throws: what is wrong with the file; `damaged` also when the index key is another.
    public init(
        sealed file: [UInt8], for id: VaultID, under index: borrowing IndexKey
    ) throws(VaultError) {
        let rest = try VaultName.prefix.check(file, count: VaultName.sizes, for: id)
        let signed = Array(file[..<(file.count - VaultName.codeCount)])
        let isAuthentic = file[signed.count...].withUnsafeBytes {
            index.code(for: signed, label: .name, salt: id.bytes).isEqual(to: $0)
        }
        guard isAuthentic else { throw .damaged(.name) }
        let count = Int(rest[0]) | Int(rest[1]) << 8
        guard count == rest.count - 2 - VaultName.codeCount,
            let text = String(validating: rest[2..<2 + count], as: UTF8.self),
            let name = try? VaultName(text)
        else { throw .malformed(.name, position: FilePrefix.count) }
        self = name
    }
}

/// Why a text is no name for a vault.
public enum VaultNameError: Error, Hashable, Sendable {
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
}

extension VaultNameError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .empty: "a wallet needs a name"
        case .tooLong(let found, let allowed):
            "the name has \(found) characters, at most \(allowed) allowed"
        case .invisible(let place): "character \(place) of the name cannot be seen"
        case .spaceAtEnd: "the name starts or ends with a space"
        case .looksLikeID: "the name has the form of a vault's id"
        }
    }
}
