/// What the files are called that signing a file makes.
public struct SignedFileNames: Hashable, Sendable {
    /// Where they go: empty, or ends with a slash.
    public let folder: String
    private let stem: String

    /// The names for what becomes of the file at `path`.
    ///
    /// - Parameter folder: Where they go; beside the file where it is nil.
    public init(_ path: String, folder: String? = nil) {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        if let folder {
            self.folder = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        } else {
            self.folder = String(path[..<slash])
        }
        let name = path[slash...]
        let ending = Self.endings.first { name.lowercased().hasSuffix($0) && name.count > $0.count }
        stem = String(name.dropLast(ending?.count ?? 0))
    }

    /// How PSBTs are called in binary and as text.
    private static let endings = [".psbt", ".base64", ".b64", ".hex", ".txt"]

    /// With every signature that it needs.
    public var signed: String { stem + "-signed.psbt" }
    /// With signatures still missing.
    public var part: String { stem + "-part.psbt" }
    /// The transaction in hexadecimal, as a node takes it; of `X-signed.psbt` as of `X.psbt`.
    public var final: String {
        let signed = "-signed"
        let isSigned = stem.hasSuffix(signed) && stem.count > signed.count
        return String(stem.dropLast(isSigned ? signed.count : 0)) + "-final.txn"
    }

    /// Where the signed file goes.
    public func path(isComplete: Bool) -> String { folder + (isComplete ? signed : part) }

    /// The longest name that a file may have, in bytes (NAME_MAX).
    public static let longest = 255

    /// A name that no file can have; nil where there is none.
    public func tooLong(withFinal: Bool) -> String? {
        ([signed, part] + (withFinal ? [final] : [])).first { $0.utf8.count > Self.longest }
    }

    /// Every name that may be needed, with its folder.
    public func paths(withFinal: Bool) -> [String] {
        ([signed, part] + (withFinal ? [final] : [])).map { folder + $0 }
    }
}
