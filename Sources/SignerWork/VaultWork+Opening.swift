import Bitcoin
import Messages
import SecretMemory
import StateFiles
import Vault

/// A vault that is authentic under its secret key, before anything typed was tried.
struct CheckedFiles: ~Copyable {
    let secretKey: VaultSecretKey
    let vault: CheckedVault
}

/// A vault that was opened.
struct OpenVault: ~Copyable {
    let files: CheckedFiles
    let masterKey: MasterKey
}

extension VaultWork {
    // MARK: Counting an attempt

    /// The first stage of a request that takes a password: finds damage, and says what is to be
    /// kept before the password is read. It is given no secret of a person.
    func count(_ keys: borrowing WorkKeys) throws(VaultRefusal) -> AttemptCount {
        guard let id = order.request.vault else { preconditionFailure("it takes a password") }
        return try keys.withDevice { device throws(VaultRefusal) in
            let checked = try check(id, device)
            try checkMemory(for: checked.vault.file.passwordCost)
            try checkRequest(id)
            switch order.request {
            case .signMessage(_, let message): _ = try place(of: message, id, keys)
            case .rename(_, let name): _ = try newName(name, of: id, keys)
            default: break
            }
            _ = try WorkLedger.open(order, device)
            let record = try attempts(id, device)
            let next = record.afterFailure(order.schedule)
            return AttemptCount(
                failures: record.failures, wait: record.waitSeconds,
                next: next.sealed(for: id, under: device))
        }
    }

    /// What can be refused of the request before an attempt counts.
    private func checkRequest(_ id: VaultID) throws(VaultRefusal) {
        let kind = try header(id).kind
        switch order.request {
        case .showPhrase, .signMessage:
            guard kind == .wallet else { throw .wrongKind(id, .items) }
        case .itemsAdd, .itemsList, .itemsGet, .itemsRemove:
            guard kind == .items else { throw .wrongKind(id, .wallet) }
        case .changePassword(_, let kdf): try checkMemory(for: kdf.cost)
        default: break
        }
    }

    func attempts(
        _ id: VaultID, _ device: borrowing DeviceKey
    ) throws(VaultRefusal) -> AttemptsRecord {
        let file = try order.load(.attempts(id))
        return try opening(id) { () throws(VaultError) in
            try AttemptsRecord(sealed: file, for: id, under: device)
        }
    }

    /// A derivation is not begun that the machine cannot end.
    func checkMemory(for cost: PasswordCost) throws(VaultRefusal) {
        let needed = UInt64(cost.memoryByteCount)
        guard needed > 0, let free = order.freeMemory else { return }
        guard free >= needed + VaultWork.spareMemory else {
            throw .littleMemory(
                needed: UInt32(clamping: (needed + VaultWork.spareMemory) >> 20),
                free: UInt32(clamping: free >> 20))
        }
    }

    /// What the rest of a worker takes while a derivation runs.
    static let spareMemory: UInt64 = 32 << 20

    // MARK: Opening

    /// The header of a vault that this instance can be asked about.
    func header(_ id: VaultID) throws(VaultRefusal) -> VaultHeader {
        guard order.contains(.vault(id)) else { throw .noSuchVault(id) }
        let file = try order.load(.vault(id))
        let header = try opening(id) { () throws(VaultError) in try VaultHeader(file) }
        guard header.id == id else {
            throw VaultRefusal(VaultError.otherVault(.vault), id)
        }
        guard header.network.chain == order.chain else {
            throw .wrongChain(header.network.chain)
        }
        return header
    }

    /// The vault and its secret key, all outer layers checked.
    func check(
        _ id: VaultID, _ device: borrowing DeviceKey
    ) throws(VaultRefusal) -> CheckedFiles {
        _ = try header(id)
        let sealed = try order.load(.secretKey(id))
        let key = try opening(id) { () throws(VaultError) in
            try VaultSecretKey(sealed: sealed, for: id, under: device)
        }
        return CheckedFiles(secretKey: key.duplicate(), vault: try check(id, key))
    }

    /// The vault, all outer layers checked under this secret key.
    func check(
        _ id: VaultID, _ key: borrowing VaultSecretKey
    ) throws(VaultRefusal) -> CheckedVault {
        let file = try order.load(.vault(id))
        return try opening(id) { () throws(VaultError) in try VaultFile(file).checkOuter(key) }
    }

    /// Opens the vault with the password from the pipe. The attempt was counted before.
    func open(
        _ id: VaultID, _ device: borrowing DeviceKey, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> OpenVault {
        let checked = try check(id, device)
        let record = try attempts(id, device)
        try checkRequest(id)
        let password = try secrets.need(.password)
        do throws(VaultError) {
            let masterKey = try checked.vault.open(password: password)
            progress.isOpen = true
            return OpenVault(files: checked, masterKey: masterKey)
        } catch {
            guard error == .wrongPassword else { throw VaultRefusal(error, id) }
            throw .wrongPassword(failures: record.failures, wait: record.waitSeconds)
        }
    }

    /// What is kept after a right password.
    func resetAttempts(_ id: VaultID, _ device: borrowing DeviceKey) -> StateChange {
        .put(.attempts(id), AttemptsRecord.none.sealed(for: id, under: device))
    }
}

extension SecretFields {
    /// A copy of a field.
    ///
    /// - Throws: `missingField`.
    borrowing func need(_ tag: Tag) throws(VaultRefusal) -> SecretBytes {
        guard let value = copy(tag) else {
            throw .missingField(tag)
        }
        return value
    }

    /// The new password, held to the rules.
    ///
    /// - Throws: `missingField`, `passwordRule`.
    borrowing func newPassword() throws(VaultRefusal) -> SecretBytes {
        let password = try need(.newPassword)
        do throws(PasswordError) {
            try PasswordRules.check(password)
        } catch {
            throw .passwordRule(error.description)
        }
        return password
    }
}

extension PasswordKDF {
    /// What a guess costs.
    var cost: PasswordCost {
        switch self {
        case .argon2id: .standard
        case .pbkdf2: .pbkdf2
        }
    }
}

extension Network {
    /// The name in messages.
    var chain: ChainName {
        switch self {
        case .mainnet: .mainnet
        case .testnet3: .testnet3
        case .testnet4: .testnet4
        case .signet: .signet
        case .regtest: .regtest
        }
    }

    init(_ chain: ChainName) {
        self =
            switch chain {
            case .mainnet: .mainnet
            case .testnet3: .testnet3
            case .testnet4: .testnet4
            case .signet: .signet
            case .regtest: .regtest
            }
    }
}
