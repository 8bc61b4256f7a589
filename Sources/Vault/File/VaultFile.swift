public import Bitcoin
public import SecretMemory
public import StateFiles
import Wire

extension DomainLabel {
    static let bodyInner = DomainLabel("body/inner")
    static let bodyOuter = DomainLabel("body/outer")
}

/// A vault file of format 1: the header, the password slot, the recovery slot and the sealed body.
///
/// Reading one checks its form only. `checkOuter` checks that it is authentic; nothing is derived from
/// what a person types before that.
public struct VaultFile: Hashable, Sendable {
    /// What never changes.
    public let header: VaultHeader
    let passwordSlot: Keyslot
    let recoverySlot: Keyslot
    /// Nonce, ciphertext and tag of the outer layer.
    let sealedBody: [UInt8]

    /// The lengths that a vault file can have.
    public static let sizes =
        frameCount + bodyOverhead + VaultBody.step...frameCount + bodyOverhead
        + VaultBody.maximumCount
    /// Header, slots and the length of the body.
    private static let frameCount = VaultHeader.byteCount + 2 * Keyslot.byteCount + 4
    /// What two layers add.
    private static let bodyOverhead = 2 * AES256GCM.overhead

    init(
        header: VaultHeader, passwordSlot: Keyslot, recoverySlot: Keyslot, sealedBody: [UInt8]
    ) {
        self.header = header
        self.passwordSlot = passwordSlot
        self.recoverySlot = recoverySlot
        self.sealedBody = sealedBody
    }

    // MARK: Bytes

    /// Reads a file.
    ///
    /// - Throws: `notThisKind`, `newerVersion`, `wrongSize`, `malformed`, `absurdCost`.
    public init(_ file: [UInt8]) throws(VaultError) {
        header = try VaultHeader(file)
        guard VaultFile.sizes.contains(file.count) else {
            throw .wrongSize(.vault, found: file.count, allowed: VaultFile.sizes)
        }
        var reader = Reader(file, in: VaultHeader.byteCount..<file.count)
        passwordSlot = try Keyslot(.password, &reader)
        recoverySlot = try Keyslot(.recoveryCode, &reader)
        let position = reader.position
        guard let count = try? reader.readUInt32(), Int(count) == reader.remaining,
            (Int(count) - VaultFile.bodyOverhead).isMultiple(of: VaultBody.step)
        else { throw .malformed(.vault, position: position) }
        sealedBody = reader.readRest()
    }

    /// The file.
    public var bytes: [UInt8] {
        var writer = Writer(capacity: VaultFile.sizes.lowerBound)
        writer.write(header.bytes)
        writer.write(passwordSlot.bytes)
        writer.write(recoverySlot.bytes)
        writer.write(UInt32(sealedBody.count))
        writer.write(sealedBody)
        return writer.bytes
    }

    /// How dear a guess at the password of this vault is.
    public var passwordCost: PasswordCost {
        guard case .password(let cost) = passwordSlot.derivation else {
            preconditionFailure("a password slot has a cost")
        }
        return cost
    }

    // MARK: Making one

    /// Makes a vault with a fresh master key, which comes back for what else is sealed under it.
    ///
    /// The password is taken as it is: `PasswordRules` come before.
    ///
    /// - Throws: `absurdCost`, `notEnoughMemory`.
    public static func create(
        id: VaultID, network: Network, createdAt: UInt64, body: borrowing VaultBody,
        password: borrowing SecretBytes, cost: PasswordCost, code: borrowing RecoveryCode,
        secretKey: borrowing VaultSecretKey, using random: RandomSource = .kernel
    ) throws(VaultError) -> NewVault {
        try cost.check()
        let header = VaultHeader(
            kind: body.kind == .items ? .items : .wallet, network: network, id: id,
            createdAt: createdAt, secretKey: secretKey)
        let masterKey = MasterKey.random(using: random)
        let passwordSlot = try Keyslot(
            .password, .password(cost), sealing: masterKey, for: password, header: header,
            secretKey: secretKey, using: random)
        let recoverySlot = try Keyslot(
            .recoveryCode, .none, sealing: masterKey, for: code.bytes, header: header,
            secretKey: secretKey, using: random)
        let inner = AES256GCM.seal(
            body.encoded(), key: masterKey.key(for: .bodyInner, salt: id.bytes),
            associatedData: DomainLabel.bodyInner.associatedData(header.bytes), using: random)
        let sealedBody = inner.withUnsafeBytes {
            AES256GCM.seal(
                $0, key: secretKey.key(for: .bodyOuter, salt: id.bytes),
                associatedData: DomainLabel.bodyOuter.associatedData(header.bytes),
                nonce: random.bytes(count: AES256GCM.nonceCount))
        }
        let file = VaultFile(
            header: header, passwordSlot: passwordSlot, recoverySlot: recoverySlot,
            sealedBody: sealedBody)
        return NewVault(file: file, masterKey: masterKey)
    }

    // MARK: Opening

    /// Checks the secret key against the header and opens the outer layer of both slots and of the
    /// body, which fails if any bit of the file was changed. Takes no password: damage is found
    /// before an attempt can count.
    ///
    /// - Throws: `wrongSecretKey`, `damaged`.
    public func checkOuter(
        _ secretKey: borrowing VaultSecretKey
    ) throws(VaultError) -> CheckedVault {
        guard secretKey.belongs(to: header) else { throw .wrongSecretKey }
        return CheckedVault(
            file: self, secretKey: secretKey.duplicate(),
            passwordSlot: try passwordSlot.openOuter(header: header, secretKey: secretKey),
            recoverySlot: try recoverySlot.openOuter(header: header, secretKey: secretKey),
            body: try openOuterBody(secretKey))
    }

    private func openOuterBody(
        _ secretKey: borrowing VaultSecretKey
    ) throws(VaultError) -> [UInt8] {
        let inner = AES256GCM.open(
            sealedBody, key: secretKey.key(for: .bodyOuter, salt: header.id.bytes),
            associatedData: DomainLabel.bodyOuter.associatedData(header.bytes))
        guard let inner else { throw .damaged(.body) }
        return inner.publicCopy()
    }
}

/// A vault that was just made.
public struct NewVault: ~Copyable {
    /// The file.
    public let file: VaultFile
    /// The key of everything in the vault.
    public let masterKey: MasterKey

    init(file: VaultFile, masterKey: consuming MasterKey) {
        self.file = file
        self.masterKey = masterKey
    }
}
