public import Bitcoin
public import KeyTree
public import SecretMemory
public import Signing

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
    private let root: SecretBytes
    /// UTF-8 as it was typed; empty when there is none.
    private let passphrase: SecretBytes

    private init(
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

// MARK: - Encoding

extension VaultBody {
    /// Lengths are multiples of this, so that the size of the file says little.
    static let step = 256
    /// The longest encoded body: the longest passphrase fits.
    static let maximumCount = 8 * step
    static let version: UInt16 = 1
    private static let entropyCounts = [16, 20, 24, 28, 32]
    private static let longestKeyText = 112

    private enum Field: UInt8 {
        case entropy = 1
        case passphrase = 2
        case extendedKey = 3
        case birthday = 4
    }

    /// The version, the fields, and zero bytes up to the next step.
    package borrowing func encoded() -> SecretBytes {
        let birthday = SecretBytes(count: birthday == nil ? 0 : 8) { out in
            if let birthday = self.birthday {
                out.storeBytes(of: birthday.littleEndian, as: UInt64.self)
            }
        }
        let needed = 2 + 4 * 3 + root.count + passphrase.count + birthday.count
        let count = (needed + VaultBody.step - 1) / VaultBody.step * VaultBody.step
        return SecretBytes(count: count) { out in
            out.storeBytes(of: VaultBody.version.littleEndian, as: UInt16.self)
            var end = 2
            func write(_ field: Field, _ value: borrowing SecretBytes) {
                guard value.count > 0 else { return }
                out[end] = field.rawValue
                out[end + 1] = UInt8(value.count & 0xFF)
                out[end + 2] = UInt8(value.count >> 8)
                value.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: out[(end + 3)...]).copyMemory(from: $0)
                }
                end += 3 + value.count
            }
            if kind == .phrase { write(.entropy, root) }
            write(.passphrase, passphrase)
            if kind == .extendedKey { write(.extendedKey, root) }
            write(.birthday, birthday)
        }
    }

    /// Reads an encoded body that was authentic.
    ///
    /// - Throws: `newerVersion`, `malformed`.
    package init(_ encoded: borrowing SecretBytes, of vaultKind: VaultKind) throws(VaultError) {
        let fields = try encoded.withUnsafeBytes { bytes throws(VaultError) in
            try VaultBody.fields(of: bytes)
        }
        func copy(_ field: Field) -> SecretBytes {
            encoded.slice(fields[field.rawValue] ?? 0..<0)
        }
        let kind: Kind
        switch (vaultKind, fields[Field.entropy.rawValue], fields[Field.extendedKey.rawValue]) {
        case (.wallet, .some(let entropy), nil)
        where VaultBody.entropyCounts.contains(entropy.count):
            kind = .phrase
        case (.wallet, nil, .some(let text)) where text.count <= VaultBody.longestKeyText:
            kind = .extendedKey
        case (.items, nil, nil): kind = .items
        default: throw .malformed(.body, position: 2)
        }
        if let passphrase = fields[Field.passphrase.rawValue], kind != .phrase {
            throw .malformed(.body, position: passphrase.lowerBound)
        }
        var birthday: UInt64?
        if let range = fields[Field.birthday.rawValue] {
            guard range.count == 8 else { throw .malformed(.body, position: range.lowerBound) }
            birthday = encoded.withUnsafeBytes { bytes in
                range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
            }
        }
        self.init(
            kind, root: kind == .phrase ? copy(.entropy) : copy(.extendedKey),
            passphrase: copy(.passphrase), birthday: birthday)
    }

    /// Where each field's value stands. Fields come in the order of their numbers, none twice; behind
    /// them there are zero bytes only.
    private static func fields(
        of bytes: UnsafeRawBufferPointer
    ) throws(VaultError) -> [UInt8: Range<Int>] {
        guard bytes.count >= 2 else { throw .malformed(.body, position: 0) }
        let version = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        guard version > 0 else { throw .malformed(.body, position: 0) }
        guard version <= VaultBody.version else {
            throw .newerVersion(.body, found: version, known: VaultBody.version)
        }
        var fields: [UInt8: Range<Int>] = [:]
        var position = 2
        var last: UInt8 = 0
        while position < bytes.count, bytes[position] != 0 {
            let number = bytes[position]
            guard Field(rawValue: number) != nil, number > last, position + 3 <= bytes.count else {
                throw .malformed(.body, position: position)
            }
            let count = Int(bytes[position + 1]) | Int(bytes[position + 2]) << 8
            let start = position + 3
            guard count > 0, start + count <= bytes.count else {
                throw .malformed(.body, position: position + 1)
            }
            fields[number] = start..<start + count
            last = number
            position = start + count
        }
        if let rest = (position..<bytes.count).first(where: { bytes[$0] != 0 }) {
            throw .malformed(.body, position: rest)
        }
        return fields
    }
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
            "the extended key stands \(depth) steps below its master key: the accounts of a wallet "
                + "follow from the master key only, so import that one or the recovery phrase"
        }
    }
}
