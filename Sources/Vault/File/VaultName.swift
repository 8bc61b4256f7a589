import SecretMemory
public import StateFiles

extension DomainLabel {
    static let name = DomainLabel("name")
}

/// The name that a person gave a vault, in `vaults/ID.name`: public, and authenticated under the index
/// key, so that nobody else can make one wallet look like another.
public struct VaultName: Hashable, Sendable {
    /// What is shown.
    public var text: String { name.text }

    private let name: GivenName

    /// The most bytes.
    private static let maximumBytes = 4 * GivenName.maximumScalars
    /// The lengths that the file can have.
    public static let sizes = overhead + 1...overhead + maximumBytes
    private static let overhead = FilePrefix.count + 2 + codeCount
    private static let codeCount = 32
    private static let prefix = FilePrefix(.name, name: "BHNAME")

    /// Takes a name that a person gives now.
    public init(_ text: String) throws(GivenNameError) { name = try GivenName(new: text) }

    /// Takes a name that a vault has already.
    public init(kept text: String) throws(GivenNameError) { name = try GivenName(kept: text) }

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
            let name = try? VaultName(kept: text)
        else { throw .malformed(.name, position: FilePrefix.count) }
        self = name
    }
}
