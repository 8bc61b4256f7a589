import Bitcoin
import KeyTree
import Messages
import SecretMemory
import Signing
import StateFiles
import Vault

extension VaultWork {
    // MARK: A new wallet, or a vault for items

    func create(
        _ new: Messages.NewVault, words: UInt8, usesDice: Bool, hasPassphrase: Bool,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        var output = SecretFieldsWriter()
        guard new.kind == .wallet else {
            return try make(new, .items(), keys, secrets, output)
        }
        guard words == 12 || words == 24 else { throw .wordCount(Int(words)) }
        var entropy = SecretBytes.random(
            count: usesDice
                ? DiceEntropy.kernelByteCount : Mnemonic.entropyCount(wordCount: Int(words)))
        if usesDice {
            let typed = try secrets.need(.dice)
            do throws(DiceError) {
                let rolls = try DiceEntropy.rolls(text: typed, wordCount: Int(words))
                output.write(.kernelEntropy, DiceEntropy.hexDigits(entropy))
                entropy = DiceEntropy.mix(kernel: entropy, rolls: rolls, wordCount: Int(words))
            } catch {
                throw VaultRefusal(error)
            }
        }
        let phrase = try mnemonic { () throws(MnemonicError) in try Mnemonic(entropy: entropy) }
        output.write(.words, phrase.withText { SecretBytes(copying: $0) })
        let body = try body(
            phrase, hasPassphrase: hasPassphrase, birthday: order.time, secrets)
        return try make(new, body, keys, secrets, output)
    }

    func importWords(
        _ new: Messages.NewVault, hasPassphrase: Bool, _ keys: borrowing WorkKeys,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let text = try secrets.need(.words)
        let phrase = try mnemonic { () throws(MnemonicError) in try Mnemonic(text: text) }
        let body = try body(
            phrase, hasPassphrase: hasPassphrase, birthday: new.birthday, secrets)
        return try make(new, body, keys, secrets, SecretFieldsWriter())
    }

    func importXprv(
        _ new: Messages.NewVault, _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let key = try extendedKey(try secrets.need(.xprv))
        guard (key.network == .main) == (order.chain == .mainnet) else {
            let network = key.network == .main ? "mainnet" : "a test network"
            throw .malformed(
                .xprv, place: 0,
                "it is a key of \(network), and this instance runs on \(order.chain.name)")
        }
        return try make(new, try body(key, birthday: new.birthday), keys, secrets, .init())
    }

    // MARK: Parts

    private func mnemonic(
        _ body: () throws(MnemonicError) -> Mnemonic
    ) throws(VaultRefusal) -> Mnemonic {
        do throws(MnemonicError) {
            return try body()
        } catch {
            throw VaultRefusal(error)
        }
    }

    private func extendedKey(
        _ text: borrowing SecretBytes
    ) throws(VaultRefusal) -> ExtendedPrivateKey {
        do throws(ExtendedKeyError) {
            return try ExtendedPrivateKey(text: text, SigningContext())
        } catch {
            throw .malformed(.xprv, place: 0, error.description)
        }
    }

    private func body(
        _ key: borrowing ExtendedPrivateKey, birthday: UInt64?
    ) throws(VaultRefusal) -> VaultBody {
        do throws(ImportError) {
            return try VaultBody(key, birthday: birthday)
        } catch {
            throw .malformed(.xprv, place: 0, error.description)
        }
    }

    private func body(
        _ phrase: borrowing Mnemonic, hasPassphrase: Bool, birthday: UInt64?,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> VaultBody {
        let passphrase = hasPassphrase ? try secrets.need(.passphrase) : SecretBytes(count: 0)
        guard passphrase.count > 0 || !hasPassphrase else { throw .missingField(.passphrase) }
        do throws(NFKDError) {
            return try VaultBody(phrase, passphrase: passphrase, birthday: birthday)
        } catch {
            throw .malformed(.passphrase, place: 0, error.description)
        }
    }

    /// Makes all files of a vault with this body.
    private func make(
        _ new: Messages.NewVault, _ body: consuming VaultBody,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields,
        _ output: consuming SecretFieldsWriter
    ) throws(VaultRefusal) -> WorkDone {
        let name = try newName(new.name, keys)
        let password = try secrets.newPassword()
        try checkMemory(for: new.kdf.cost)
        let id = VaultID.random()
        let secretKey = VaultSecretKey.random()
        let code = RecoveryCode.random()
        let made = try opening(id) { () throws(VaultError) in
            try VaultFile.create(
                id: id, network: Network(order.chain), createdAt: order.time,
                body: body, password: password, cost: new.kdf.cost, code: code,
                secretKey: secretKey)
        }
        var changes: [StateChange] = [.put(.vault(id), made.file.bytes)]
        try keys.withDevice { device throws(VaultRefusal) in
            changes += [
                .put(.secretKey(id), secretKey.sealed(for: id, under: device)),
                resetAttempts(id, device),
            ]
        }
        if new.kind == .items {
            changes.append(.put(.itemsHead(id), try emptyItems(id, made.masterKey).bytes))
        }
        let index = try index(of: body)
        try keys.withIndex { key throws(VaultRefusal) in
            changes.append(.put(.name(id), name.sealed(for: id, under: key)))
            if let index { changes.append(.put(.index(id), index.sealed(for: id, under: key))) }
        }
        output.write(kitOf: id, secretKey: secretKey, code: code)
        return WorkDone(
            .made(
                id, fingerprint: index?.masterFingerprint.description ?? "", index?.rows ?? [],
                remarks: warnings(password)),
            changes, output: output.finish(),
            records: [record(of: id, named: name.text)])
    }

    /// What the person should know of a password that is allowed.
    func warnings(_ password: borrowing SecretBytes) -> [String] {
        guard PasswordRules.differsWhenComposed(password) else { return [] }
        return [
            "Some keyboards write a character of this password in another way. It is kept exactly as "
                + "typed (Unicode NFC would differ): type it on the same kind of keyboard."
        ]
    }
}
