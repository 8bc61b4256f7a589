public import SecretMemory

/// The second way into a vault: 160 random bits on the recovery kit.
public struct RecoveryCode: ~Copyable {
    let bytes: SecretBytes

    static let byteCount = 20

    /// A fresh code.
    public static func random(using random: RandomSource = .kernel) -> RecoveryCode {
        RecoveryCode(random.secret(count: byteCount))
    }

    init(_ bytes: consuming SecretBytes) {
        precondition(bytes.count == RecoveryCode.byteCount)
        self.bytes = bytes
    }

    /// As the recovery kit prints it: ASCII, see `CheckedText`.
    public borrowing func text() -> SecretBytes { CheckedText.recoveryCode.encode(bytes) }

    /// Reads what a person typed from the kit.
    ///
    /// - Throws: where the slip is.
    public init(text: borrowing SecretBytes) throws(CheckedTextError) {
        self.init(try CheckedText.recoveryCode.decode(text))
    }
}
