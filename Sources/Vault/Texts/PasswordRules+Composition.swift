import KeyTree
public import SecretMemory

extension PasswordRules {
    // DECLASSIFY: whoever chooses a password is warned of characters that keyboards write in
    // different ways; where they are is not said.
    /// Whether another keyboard may write the same characters as other bytes: whether Unicode's
    /// normal form C of the password can differ from it.
    ///
    /// False for bytes that are not UTF-8, which `check` refuses.
    public static func mayDifferWhenComposed(_ password: borrowing SecretBytes) -> Bool {
        password.withUnsafeBytes { bytes in
            var reader = UTF8Reader(bytes)
            while let value = try? reader.next() {
                if Unicode.Scalar(value).map(isComposed) ?? false { return true }
            }
            return false
        }
    }

    /// Marks that join the character before them, parts of Hangul syllables, and characters that
    /// normal form C always replaces.
    private static func isComposed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass != .notReordered
            || scalar.properties.isFullCompositionExclusion
            || (0x1160...0x11FF).contains(scalar.value)
    }
}
