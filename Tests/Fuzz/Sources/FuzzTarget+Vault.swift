import SecretMemory
import StateFiles
import Vault

extension FuzzTarget {
    /// The files of a vault, and what a person types.
    func checkVault(_ bytes: [UInt8]) {
        switch self {
        case .vaultFile: checkVaultFile(bytes)
        case .vaultBody: checkVaultBody(bytes)
        case .sealedFiles: checkSealedFiles(bytes)
        case .publicIndex:
            if let index = try? PublicIndex(payload: bytes) { expect(index.payload == bytes) }
        case .importedLedgerKeys: checkImportedLedgerKeys(bytes)
        case .kitText: checkKitText(bytes)
        case .secretFields: checkSecretFields(bytes)
        case .password: checkPassword(bytes)
        default: expect(false)
        }
    }

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    private func checkVaultFile(_ bytes: [UInt8]) {
        guard let file = try? VaultFile(bytes) else { return }
        expect(file.bytes == bytes)
        do throws(VaultError) {
            _ = try file.checkOuter(VaultSecretKey.random())
            expect(false)
        } catch {
            expect(error == .wrongSecretKey)
        }
    }

    private func checkVaultBody(_ bytes: [UInt8]) {
        guard bytes.count <= 4096 else { return }
        for kind in VaultKind.allCases {
            guard let body = try? VaultBody(secret(bytes), of: kind) else { continue }
            let again = body.encoded()
            guard let second = try? VaultBody(again, of: kind) else { return expect(false) }
            expect(second.kind == body.kind && second.birthday == body.birthday)
            let isSame = second.encoded().isEqual(to: again)
            expect(isSame)
        }
    }

    /// Nobody makes a code or a tag that fits a random key.
    private func checkSealedFiles(_ bytes: [UInt8]) {
        guard let id = VaultID([UInt8](repeating: 0, count: VaultID.length)) else { return }
        expect((try? VaultName(sealed: bytes, for: id, under: .random())) == nil)
        expect((try? PublicIndex(sealed: bytes, for: id, under: .random())) == nil)
        expect((try? AttemptsRecord(sealed: bytes, for: id, under: .random())) == nil)
        let key = try? VaultSecretKey(sealed: bytes, for: id, under: .random())
        let isRefused = key == nil
        expect(isRefused)
    }

    private func checkImportedLedgerKeys(_ bytes: [UInt8]) {
        guard var keys = try? ImportedLedgerKeys(bytes) else { return }
        expect(keys.bytes == bytes)
        expect(keys.vaults.map { $0.count <= keys.files.count } ?? true)
        // A key that is there already, and opens with no device's key, changes nothing but its place.
        let (count, first) = (keys.files.count, keys.files[0])
        keys.add(first, under: .random())
        expect(keys.files.count == count && keys.publicKey == first.publicKey)
    }

    private func checkKitText(_ bytes: [UInt8]) {
        guard bytes.count <= 4096 else { return }
        if let code = try? RecoveryCode(text: secret(bytes)) {
            let text = code.text()
            let again = try? RecoveryCode(text: text)
            let isSame = again?.text().isEqual(to: text) ?? false
            expect(isSame)
        }
        if let key = try? VaultSecretKey(text: secret(bytes)) {
            let text = key.text()
            let again = try? VaultSecretKey(text: text)
            let isSame = again?.text().isEqual(to: text) ?? false
            expect(isSame)
        }
    }

    private func checkSecretFields(_ bytes: [UInt8]) {
        guard let fields = try? SecretFields(secret(bytes)) else { return }
        var count = 0
        for tag in fields.tags {
            guard let value = fields.copy(tag) else { return expect(false) }
            count += 3 + value.count
        }
        expect(count == bytes.count)
    }

    private func checkPassword(_ bytes: [UInt8]) {
        guard bytes.count <= 4096 else { return }
        let isAllowed = (try? PasswordRules.check(secret(bytes))) != nil
        if isAllowed { expect((8...256).contains(bytes.count)) }
        _ = PasswordRules.differsWhenComposed(secret(bytes))
    }
}
