public import SecretMemory

/// What stands on a recovery kit: one page that opens a vault without its password, and a backup of
/// it on a new machine.
public struct KitPage: ~Copyable {
    /// The vault's id, 32 hexadecimal digits.
    public let vaultID: String
    /// The name that the person gave the vault; already safe to print.
    public let name: String
    /// What the vault holds, such as `a Bitcoin wallet on mainnet`.
    public let holds: String
    /// The day on which the kit was made, as 2026-11-30.
    public let date: String
    /// The secret key's text in groups, ASCII.
    public let secretKey: SecretBytes
    /// The recovery code's text in groups, ASCII.
    public let recoveryCode: SecretBytes

    /// A kit of these parts.
    public init(
        vaultID: String, name: String, holds: String, date: String,
        secretKey: consuming SecretBytes, recoveryCode: consuming SecretBytes
    ) {
        self.vaultID = vaultID
        self.name = name
        self.holds = holds
        self.date = date
        self.secretKey = secretKey
        self.recoveryCode = recoveryCode
    }

    /// The words around the secrets, which both forms share.
    enum Words {
        static let title = "Bulkhead recovery kit"
        static let warning =
            "Whoever holds this page and a copy of the vault or of a backup owns what is in it."
        static let secretKey = "Secret key"
        static let secretKeyUse =
            "Opens backups, and a vault whose machine has lost its device key."
        static let recoveryCode = "Recovery code"
        static let recoveryCodeUse =
            "Opens the vault without the password, and sets a new one."
        static let steps = [
            "Print or copy this page, keep it where only you can get it, then delete the file.",
            "Keep a backup (bulkhead backup FILE) somewhere else: the page alone holds no coins.",
            "Password forgotten: bulkhead wallet recover NAME, then type the recovery code.",
            "Machine lost: on the new one bulkhead restore FILE, then type the secret key.",
            "Device key lost, state still there: bulkhead wallet adopt NAME, then the secret key.",
            "A new kit replaces the recovery code. The secret key stays the same, and a backup "
                + "made before the new kit still opens with this page.",
        ]
    }

    /// The lines that say which vault it is.
    var heading: [(label: String, value: String)] {
        [("Vault", vaultID), ("Name", name), ("Holds", holds), ("Made on", date)]
    }
}

/// Why there is no document.
public enum KitDocumentError: Error, Hashable, Sendable {
    /// There is no locked memory for the PDF library; the error number of the kernel.
    case noMemory(errno: Int32)
    /// The PDF library refused a call, with its number for the reason.
    case library(status: UInt)
    /// A text does not fit into a QR code.
    case tooLongForCode
}

extension KitDocumentError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .noMemory(let number):
            "no locked memory for the PDF (error \(number)): allow this user to lock "
                + "\(PDFMemory.capacity) bytes more (ulimit -l), or choose a text file"
        case .library(let status): "the PDF library failed with status \(status)"
        case .tooLongForCode: "the text is too long for a QR code"
        }
    }
}
