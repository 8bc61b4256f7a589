import SecretMemory
import Wire

/// A way into a vault: 176 bytes that hold the master key, sealed twice.
///
/// The first 48 bytes say how the key of the inner layer is derived; both layers authenticate them.
struct Keyslot: Hashable, Sendable {
    let kind: Kind
    let derivation: Derivation
    let salt: [UInt8]
    /// Nonce, ciphertext and tag of the outer layer.
    let sealed: [UInt8]

    static let byteCount = 176
    static let saltCount = 32
    private static let clearCount = 48
    /// Nonce, master key and tag of the inner layer.
    private static let innerCount = MasterKey.byteCount + AES256GCM.overhead
    /// What fills the slot up between the layers.
    private static let fillCount = byteCount - clearCount - AES256GCM.overhead - innerCount

    enum Kind: UInt8, CaseIterable {
        case password = 1
        case recoveryCode = 2

        var part: SealedPart { self == .password ? .passwordSlot : .recoverySlot }
        var innerLabel: DomainLabel {
            self == .password ? .passwordSlotInner : .recoverySlotInner
        }
        var outerLabel: DomainLabel {
            self == .password ? .passwordSlotOuter : .recoverySlotOuter
        }
    }

    /// How what a person types becomes key material.
    enum Derivation: Hashable {
        case password(PasswordCost)
        /// The recovery code has 160 random bits and needs no stretching.
        case none
    }

    // MARK: Bytes

    /// Reads 176 bytes of a vault file and holds the costs to their limits.
    ///
    /// - Throws: `malformed`, `absurdCost`.
    init(_ kind: Kind, _ reader: inout Reader) throws(VaultError) {
        let start = reader.position
        guard let bytes = try? reader.read(Keyslot.byteCount) else {
            throw .malformed(.vault, position: start)
        }
        self.kind = kind
        guard bytes[0] == kind.rawValue else { throw .malformed(.vault, position: start) }
        func number(at offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let first = number(at: 4)
        let second = number(at: 8)
        switch (kind, bytes[1]) {
        case (.password, 1): derivation = .password(.argon2id(passes: first, memoryKiB: second))
        case (.password, 2): derivation = .password(.pbkdf2(iterations: first))
        case (.recoveryCode, 3): derivation = .none
        default: throw .malformed(.vault, position: start + 1)
        }
        salt = Array(bytes[16..<Keyslot.clearCount])
        sealed = Array(bytes[Keyslot.clearCount...])
        if let position = zip(bytes, clearBytes).enumerated().first(where: { $1.0 != $1.1 })?.offset
        {
            throw .malformed(.vault, position: start + position)
        }
        if case .password(let cost) = derivation { try cost.check() }
    }

    /// The 176 bytes.
    var bytes: [UInt8] { clearBytes + sealed }

    /// The first 48 bytes.
    private var clearBytes: [UInt8] {
        Keyslot.clearBytes(kind, derivation, salt: salt)
    }

    private static func clearBytes(
        _ kind: Kind, _ derivation: Derivation, salt: [UInt8]
    ) -> [UInt8] {
        let (number, first, second): (UInt8, UInt32, UInt32) =
            switch derivation {
            case .password(.argon2id(let passes, let memoryKiB)): (1, passes, memoryKiB)
            case .password(.pbkdf2(let iterations)): (2, iterations, 0)
            case .none: (3, 0, 0)
            }
        var writer = Writer(capacity: clearCount)
        writer.write(kind.rawValue)
        writer.write(number)
        writer.write(UInt16(0))
        writer.write(first)
        writer.write(second)
        writer.write(UInt32(0))
        writer.write(salt)
        return writer.bytes
    }

    // MARK: Layers

    /// Seals a master key for what a person types.
    ///
    /// - Throws: `notEnoughMemory`.
    init(
        _ kind: Kind, _ derivation: Derivation, sealing masterKey: borrowing MasterKey,
        for typed: borrowing SecretBytes, header: VaultHeader,
        secretKey: borrowing VaultSecretKey, using random: RandomSource
    ) throws(VaultError) {
        self.kind = kind
        self.derivation = derivation
        salt = random.bytes(count: Keyslot.saltCount)
        let context = header.bytes + Keyslot.clearBytes(kind, derivation, salt: salt)
        let innerKey = try Keyslot.innerKey(
            kind, derivation, salt: salt, typed: typed, secretKey: secretKey)
        let inner = AES256GCM.seal(
            masterKey.bytes, key: innerKey,
            associatedData: kind.innerLabel.associatedData(context), using: random)
        let padded = inner + [UInt8](repeating: 0, count: Keyslot.fillCount)
        sealed = padded.withUnsafeBytes {
            AES256GCM.seal(
                $0, key: secretKey.key(for: kind.outerLabel, salt: header.id.bytes),
                associatedData: kind.outerLabel.associatedData(context),
                nonce: random.bytes(count: AES256GCM.nonceCount))
        }
    }

    /// Opens the outer layer: cheap, and the proof that no bit of the slot was changed.
    ///
    /// - Throws: `damaged`.
    func openOuter(
        header: VaultHeader, secretKey: borrowing VaultSecretKey
    ) throws(VaultError) -> [UInt8] {
        let padded = AES256GCM.open(
            sealed, key: secretKey.key(for: kind.outerLabel, salt: header.id.bytes),
            associatedData: kind.outerLabel.associatedData(header.bytes + clearBytes))
        guard let padded, padded.count == Keyslot.innerCount + Keyslot.fillCount else {
            throw .damaged(kind.part)
        }
        let inner = padded.publicCopy()
        guard inner[Keyslot.innerCount...].allSatisfy({ $0 == 0 }) else {
            throw .damaged(kind.part)
        }
        return Array(inner[..<Keyslot.innerCount])
    }

    /// The master key behind the inner layer, for what a person typed. The slow derivation runs
    /// here and nowhere else.
    ///
    /// - Throws: `wrongPassword` or `wrongCode`, `notEnoughMemory`.
    func openInner(
        _ inner: [UInt8], typed: borrowing SecretBytes, header: VaultHeader,
        secretKey: borrowing VaultSecretKey
    ) throws(VaultError) -> MasterKey {
        let innerKey = try Keyslot.innerKey(
            kind, derivation, salt: salt, typed: typed, secretKey: secretKey)
        let opened = AES256GCM.open(
            inner, key: innerKey,
            associatedData: kind.innerLabel.associatedData(header.bytes + clearBytes))
        guard let opened else { throw kind == .password ? .wrongPassword : .wrongCode }
        return MasterKey(opened)
    }

    /// HKDF of what was typed, stretched if it is a password, and the secret key behind it.
    private static func innerKey(
        _ kind: Kind, _ derivation: Derivation, salt: [UInt8], typed: borrowing SecretBytes,
        secretKey: borrowing VaultSecretKey
    ) throws(VaultError) -> SecretBytes {
        let material =
            switch derivation {
            case .password(let cost): try cost.stretch(typed, salt: salt)
            case .none: typed.duplicate()
            }
        return material.joined(with: secretKey.bytes).key(for: kind.innerLabel, salt: salt)
    }
}

extension DomainLabel {
    static let passwordSlotInner = DomainLabel("slot/password/inner")
    static let passwordSlotOuter = DomainLabel("slot/password/outer")
    static let recoverySlotInner = DomainLabel("slot/recovery/inner")
    static let recoverySlotOuter = DomainLabel("slot/recovery/outer")
}
