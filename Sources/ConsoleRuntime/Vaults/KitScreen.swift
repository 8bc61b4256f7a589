import KitDocument
import SecretMemory
import StateFiles

/// A recovery kit as it is read from the screen.
enum KitScreen {
    static func text(
        id: VaultID, secretKey: borrowing SecretBytes, code: borrowing SecretBytes
    ) -> SecretBytes {
        var text = SecretText(capacity: 1024)
        text.append("Vault id\r\n    \(id)\r\n\r\nSecret key\r\n")
        append(secretKey, to: &text)
        text.append("\r\nRecovery code\r\n")
        append(code, to: &text)
        return text.finish()
    }

    private static func append(_ secret: borrowing SecretBytes, to text: inout SecretText) {
        secret.withUnsafeBytes { bytes in
            for line in GroupedText.lines(of: bytes, longest: 36) {
                text.append("    ")
                text.append(UnsafeRawBufferPointer(rebasing: bytes[line]))
                text.append("\r\n")
            }
        }
    }
}
