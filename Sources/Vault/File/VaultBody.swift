public import Bitcoin
public import KeyTree
public import SecretMemory
public import Signing
import Wire

/// What a vault seals: the root of a wallet's keys, or nothing but the fact that it holds items.
public struct VaultBody: ~Copyable {
    /// What the keys of the vault start from.
    public enum Kind: Hashable, Sendable {
        /// A BIP39 recovery phrase, with a passphrase or without.
        case phrase
        /// An extended private key that was imported.
        case extendedKey
        /// No keys: the vault holds documents.
        case items
    }

    /// What the keys of the vault start from.
    public let kind: Kind
    /// When the first of its addresses can have been used, in seconds since 1970; nil when nobody
    /// knows.
    public let birthday: UInt64?
    /// The entropy of the phrase, or the ASCII text of the extended key.
    let root: SecretBytes
    /// UTF-8 as it was typed; empty when there is none.
    let passphrase: SecretBytes

    init(
        _ kind: Kind, root: consuming SecretBytes, passphrase: consuming SecretBytes,
        birthday: UInt64?
    ) {
        self.kind = kind
        self.root = root
        self.passphrase = passphrase
        self.birthday = birthday
    }

    /// A wallet of a recovery phrase. An empty passphrase is none.
    ///
    /// - Throws: when the passphrase is not UTF-8 or longer than BIP39's functions take here.
    public init(
        _ phrase: borrowing Mnemonic, passphrase: borrowing SecretBytes, birthday: UInt64?
    ) throws(NFKDError) {
        try Mnemonic.checkPassphrase(passphrase)
        self.init(
            .phrase, root: phrase.entropy(), passphrase: passphrase.duplicate(), birthday: birthday)
    }

    /// A wallet of an extended private key. Accounts are derived from a master key only.
    ///
    /// - Throws: `notAMasterKey`.
    public init(
        _ key: borrowing ExtendedPrivateKey, birthday: UInt64?
    ) throws(ImportError) {
        guard key.depth == 0 else { throw .notAMasterKey(depth: key.depth) }
        self.init(
            .extendedKey, root: key.text(), passphrase: SecretBytes(count: 0), birthday: birthday)
    }

    /// The body of an items vault.
    public static func items() -> VaultBody {
        VaultBody(
            .items, root: SecretBytes(count: 0), passphrase: SecretBytes(count: 0), birthday: nil)
    }

    // MARK: What it holds

    /// The recovery phrase; nil when there is none.
    public borrowing func phrase() -> Mnemonic? {
        guard kind == .phrase else { return nil }
        return try? Mnemonic(entropy: root)
    }

    /// Whether a BIP39 passphrase belongs to the phrase.
    public var hasPassphrase: Bool { passphrase.count > 0 }

    /// Gives the passphrase in place, as UTF-8; empty when there is none. It must not leave `body`.
    public borrowing func withPassphrase<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try passphrase.withUnsafeBytes(body)
    }

    /// Gives the text of the extended key in place, as ASCII; empty when there is none. It must not
    /// leave `body`.
    public borrowing func withExtendedKeyText<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard kind == .extendedKey else {
            return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return try root.withUnsafeBytes(body)
    }

    /// The BIP39 seed, 64 bytes; nil when there is no phrase.
    public borrowing func seed() -> SecretBytes? {
        guard let phrase = phrase() else { return nil }
        return try? phrase.seed(passphrase: passphrase)
    }

    /// The BIP32 master key; nil for an items vault.
    ///
    /// - Throws: as `ExtendedPrivateKey`.
    public borrowing func masterKey(
        on network: Network, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) -> ExtendedPrivateKey? {
        if let seed = seed() {
            return try ExtendedPrivateKey(seed: seed, network: network.keyNetwork, context)
        }
        guard kind == .extendedKey else { return nil }
        return try ExtendedPrivateKey(text: root, context)
    }
}

extension Network {
    /// What extended keys tell networks apart by.
    var keyNetwork: KeyNetwork { self == .mainnet ? .main : .test }
}

/// Why a key cannot become a wallet.
public enum ImportError: Error, Hashable, Sendable {
    /// An extended key below another one.
    case notAMasterKey(depth: UInt8)
}

extension ImportError: CustomStringConvertible {
    /// One sentence: what, and what to do.
    public var description: String {
        switch self {
        case .notAMasterKey(let depth):
            "the extended key stands \(counted(depth, "step")) below its master key: the accounts of a wallet "
                + "follow from the master key only, so import that one or the recovery phrase"
        }
    }
}
