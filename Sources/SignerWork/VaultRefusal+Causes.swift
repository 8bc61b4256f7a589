import KeyTree
import Messages
import StateFiles
import Vault

extension VaultRefusal {
    /// Why a file of a vault, or a way into it, was not opened.
    init(_ error: VaultError, _ id: VaultID) {
        switch error {
        case .newerVersion(let part, let found, _): self = .newerVersion(part.file(of: id), found)
        case .wrongSize(let part, _, _), .notThisKind(let part), .otherVault(let part),
            .malformed(let part, _), .damaged(let part):
            self = .damaged(part.file(of: id), error.description)
        case .absurdCost: self = .damaged(.vault(id), error.description)
        case .wrongSecretKey: self = .wrongSecretKey
        case .wrongPassword: self = .wrongPassword(failures: 0, wait: 0)
        case .wrongCode: self = .wrongCode
        case .notEnoughMemory(let needed):
            self = .littleMemory(needed: UInt32(needed >> 20), free: 0)
        }
    }

    /// Why a recovery phrase was not taken.
    init(_ error: MnemonicError) {
        switch error {
        case .unknownWords(let places):
            self = .malformed(.words, place: UInt32(places.first ?? 0), error.description)
        case .wordCount(let found, _): self = .wordCount(found)
        case .entropyLength, .textTooLong, .wrongChecksum:
            self = .malformed(.words, place: 0, error.description)
        }
    }

    /// Why dice rolls were not taken.
    init(_ error: DiceError) {
        var place: UInt32 = 0
        if case .notARoll(let position) = error { place = UInt32(position + 1) }
        self = .malformed(.dice, place: place, error.description)
    }

    /// Why a text from the kit was not taken.
    init(_ error: CheckedTextError, _ field: SecretField) {
        var place: UInt32 = 0
        switch error {
        case .slips(_, let groups): place = UInt32(groups.first ?? 0)
        case .unknownCharacters(_, let places): place = UInt32(places.first ?? 0)
        case .tooLong, .wrongCount: break
        }
        // The sentence names the field already.
        let start = "the \(field.title): "
        let reason = error.description
        self = .malformed(
            field, place: place,
            reason.hasPrefix(start) ? String(reason.dropFirst(start.count)) : reason)
    }
}

extension SealedPart {
    /// The file that the part stands in.
    func file(of id: VaultID) -> StateFile {
        switch self {
        case .deviceKey: .deviceKey
        case .indexKey: .indexKey
        case .secretKey: .secretKey(id)
        case .vault, .passwordSlot, .recoverySlot, .body: .vault(id)
        case .name: .name(id)
        case .attempts: .attempts(id)
        case .index: .index(id)
        }
    }
}

/// Runs what opens files of one vault, and says in a person's words why it did not.
func opening<Result: ~Copyable>(
    _ id: VaultID, _ body: () throws(VaultError) -> Result
) throws(VaultRefusal) -> Result {
    do throws(VaultError) {
        return try body()
    } catch {
        throw VaultRefusal(error, id)
    }
}
