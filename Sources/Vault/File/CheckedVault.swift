public import SecretMemory

/// A vault file that is authentic under its secret key. Only here can a password or a code be tried.
public struct CheckedVault: ~Copyable {
    /// The file.
    public let file: VaultFile
    private let secretKey: VaultSecretKey
    private let passwordSlot: [UInt8]
    private let recoverySlot: [UInt8]
    private let innerBody: [UInt8]

    init(
        file: VaultFile, secretKey: consuming VaultSecretKey, passwordSlot: [UInt8],
        recoverySlot: [UInt8], body: [UInt8]
    ) {
        self.file = file
        self.secretKey = secretKey
        self.passwordSlot = passwordSlot
        self.recoverySlot = recoverySlot
        innerBody = body
    }

    /// Tries a password: the slow derivation. The attempt was counted before.
    ///
    /// - Throws: `wrongPassword`, `notEnoughMemory`.
    public borrowing func open(
        password: borrowing SecretBytes
    ) throws(VaultError) -> MasterKey {
        try file.passwordSlot.openInner(
            passwordSlot, typed: password, header: file.header, secretKey: secretKey)
    }

    /// Tries a recovery code.
    ///
    /// - Throws: `wrongCode`.
    public borrowing func open(code: borrowing RecoveryCode) throws(VaultError) -> MasterKey {
        try file.recoverySlot.openInner(
            recoverySlot, typed: code.bytes, header: file.header, secretKey: secretKey)
    }

    /// What the vault holds.
    ///
    /// - Throws: `damaged`, `newerVersion`, `malformed`.
    public borrowing func body(_ masterKey: borrowing MasterKey) throws(VaultError) -> VaultBody {
        let header = file.header
        let encoded = AES256GCM.open(
            innerBody, key: masterKey.key(for: .bodyInner, salt: header.id.bytes),
            associatedData: DomainLabel.bodyInner.associatedData(header.bytes))
        guard let encoded else { throw .damaged(.body) }
        return try VaultBody(encoded, of: header.kind)
    }

    /// The file with another password or cost: only the password slot differs.
    ///
    /// The password is taken as it is: `PasswordRules` come before.
    ///
    /// - Throws: `absurdCost`, `notEnoughMemory`.
    public borrowing func replacingPassword(
        _ password: borrowing SecretBytes, cost: PasswordCost, masterKey: borrowing MasterKey,
        using random: RandomSource = .kernel
    ) throws(VaultError) -> VaultFile {
        try cost.check()
        let slot = try Keyslot(
            .password, .password(cost), sealing: masterKey, for: password, header: file.header,
            secretKey: secretKey, using: random)
        return VaultFile(
            header: file.header, passwordSlot: slot, recoverySlot: file.recoverySlot,
            sealedBody: file.sealedBody)
    }

    /// The file with another recovery code, which kills the code before: only the recovery slot
    /// differs.
    public borrowing func replacingRecoveryCode(
        _ code: borrowing RecoveryCode, masterKey: borrowing MasterKey,
        using random: RandomSource = .kernel
    ) throws(VaultError) -> VaultFile {
        let slot = try Keyslot(
            .recoveryCode, .none, sealing: masterKey, for: code.bytes, header: file.header,
            secretKey: secretKey, using: random)
        return VaultFile(
            header: file.header, passwordSlot: file.passwordSlot, recoverySlot: slot,
            sealedBody: file.sealedBody)
    }
}
