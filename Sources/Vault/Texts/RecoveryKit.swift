public import SecretMemory
public import StateFiles

/// What a recovery kit shows: the vault's id, its secret key and a recovery code.
public enum RecoveryKit {
    /// The three as fields for the pipe to whoever prints the kit.
    public static func fields(
        id: VaultID, secretKey: borrowing VaultSecretKey, code: borrowing RecoveryCode
    ) -> SecretBytes {
        var writer = SecretFieldsWriter()
        let name = Array(id.description.utf8)
        writer.write(.vaultID, SecretBytes(count: name.count) { $0.copyBytes(from: name) })
        writer.write(.secretKey, secretKey.text())
        writer.write(.recoveryCode, code.text())
        return writer.finish()
    }
}
