/// A file of the signer's state, or a part of the vault, as a person is told of it.
public enum SealedPart: Hashable, Sendable {
    case deviceKey
    case indexKey
    case secretKey
    case vault
    case passwordSlot
    case recoverySlot
    case body
    case name
    case attempts
    case index
}

extension SealedPart: CustomStringConvertible {
    /// A noun with its article.
    public var description: String {
        switch self {
        case .deviceKey: "the device key"
        case .indexKey: "the index key"
        case .secretKey: "the sealed secret key"
        case .vault: "the vault file"
        case .passwordSlot: "the password slot of the vault"
        case .recoverySlot: "the recovery slot of the vault"
        case .body: "the body of the vault"
        case .name: "the name file"
        case .attempts: "the record of failed passwords"
        case .index: "the public index"
        }
    }
}

/// Why sealed bytes are not opened, or not made. Nothing secret is in it.
public enum VaultError: Error, Hashable, Sendable {
    /// More or fewer bytes than the part has.
    case wrongSize(SealedPart, found: Int, allowed: ClosedRange<Int>)
    /// The first bytes are those of another kind of file, or of none.
    case notThisKind(SealedPart)
    /// Written by a newer release.
    case newerVersion(SealedPart, found: UInt16, known: UInt16)
    /// It names another vault than the one asked for.
    case otherVault(SealedPart)
    /// A byte that format 1 does not allow at this place.
    case malformed(SealedPart, position: Int)
    /// A derivation so cheap that a password could be guessed, or so dear that it would block the
    /// machine.
    case absurdCost(PasswordCost)
    /// Not authentic: a bit was changed, or it was sealed under another key.
    case damaged(SealedPart)
    /// The secret key belongs to another vault.
    case wrongSecretKey
    /// The password does not open its slot.
    case wrongPassword
    /// The recovery code does not open its slot.
    case wrongCode
    /// The kernel does not give the memory that the derivation takes.
    case notEnoughMemory(needed: Int)
}

extension VaultError: CustomStringConvertible {
    /// One sentence: what, and what to do.
    public var description: String {
        switch self {
        case .wrongSize(let part, let found, let allowed):
            allowed.count == 1
                ? "\(part) has \(found) bytes instead of \(allowed.lowerBound): it is damaged"
                : "\(part) has \(found) bytes, \(allowed.lowerBound) to \(allowed.upperBound) "
                    + "allowed: it is damaged"
        case .notThisKind(let part): "\(part) does not start as such a file does"
        case .newerVersion(let part, let found, let known):
            "\(part) has format \(found), this release knows \(known): use a newer release"
        case .otherVault(let part): "\(part) belongs to another vault"
        case .malformed(let part, let position):
            "\(part) holds a value at byte \(position) that its format does not have"
        case .absurdCost(let cost): "a derivation by \(cost) is refused: \(PasswordCost.limits)"
        case .damaged(let part):
            "\(part) is damaged, or was sealed under another key: restore it from a backup"
        case .wrongSecretKey:
            "the secret key belongs to another vault: look for the recovery kit of this one"
        case .wrongPassword: "the password is wrong"
        case .wrongCode:
            "the recovery code does not open this vault: a newer kit may have replaced it"
        case .notEnoughMemory(let needed):
            "the derivation needs \(needed >> 20) MiB of free memory: close other programs, or "
                + "choose PBKDF2 (--kdf pbkdf2), which needs none but protects less against guessing"
        }
    }
}
