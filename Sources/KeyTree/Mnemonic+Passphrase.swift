public import SecretMemory

extension Mnemonic {
    /// Refuses a passphrase that no seed can be made with, before anybody relies on it.
    ///
    /// - Throws: `tooLong`, `notUTF8`.
    public static func checkPassphrase(_ passphrase: borrowing SecretBytes) throws(NFKDError) {
        _ = try NFKD.normalise(passphrase)
    }
}
