import KeyTree
public import SecretMemory

extension PasswordRules {
    // DECLASSIFY: whoever chooses a password is warned of characters that keyboards write in
    // different ways; where they are is not said.
    /// Whether another keyboard may write the same characters as other bytes: whether Unicode's
    /// normal form C of the password differs from it.
    ///
    /// False for bytes that are not UTF-8, which `check` refuses.
    public static func differsWhenComposed(_ password: borrowing SecretBytes) -> Bool {
        (try? NFC.isNormalised(password)) == false
    }
}
