import SecretMemory
public import StateFiles

extension SecretFieldsWriter {
    /// Appends what a recovery kit shows: the vault's id, its secret key and a recovery code.
    public mutating func write(
        kitOf id: VaultID, secretKey: borrowing VaultSecretKey, code: borrowing RecoveryCode
    ) {
        let text = Array(id.description.utf8)
        write(.vaultID, SecretBytes(count: text.count) { $0.copyBytes(from: text) })
        write(.secretKey, secretKey.text())
        write(.recoveryCode, code.text())
    }
}
