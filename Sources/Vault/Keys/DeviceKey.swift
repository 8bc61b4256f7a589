public import SecretMemory

/// The 32 random bytes of `device.key`, which seal what belongs to this machine. They are in no
/// backup.
public struct DeviceKey: ~Copyable {
    private let bytes: SecretBytes

    /// The length of the file.
    public static let byteCount = 32

    /// Takes the bytes of the file.
    ///
    /// - Throws: `wrongSize`.
    public init(_ bytes: consuming SecretBytes) throws(VaultError) {
        try checkKeyCount(bytes.count, .deviceKey)
        self.bytes = bytes
    }

    /// A fresh key.
    public static func random(using random: RandomSource = .kernel) -> DeviceKey {
        DeviceKey(unchecked: random.secret(count: byteCount))
    }

    private init(unchecked bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Gives the 32 bytes in place, for the file they are created in. They must not leave `body`.
    public borrowing func withUnsafeBytes<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// The key for one purpose.
    borrowing func key(for label: DomainLabel, salt: [UInt8]) -> SecretBytes {
        bytes.key(for: label, salt: salt)
    }
}

/// The 32 random bytes of `index.key`, which authenticate public data of this machine.
public struct IndexKey: ~Copyable {
    private let bytes: SecretBytes

    /// The length of the file.
    public static let byteCount = 32

    /// Takes the bytes of the file.
    ///
    /// - Throws: `wrongSize`.
    public init(_ bytes: consuming SecretBytes) throws(VaultError) {
        try checkKeyCount(bytes.count, .indexKey)
        self.bytes = bytes
    }

    /// A fresh key.
    public static func random(using random: RandomSource = .kernel) -> IndexKey {
        IndexKey(unchecked: random.secret(count: byteCount))
    }

    private init(unchecked bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Gives the 32 bytes in place, for the file they are created in. They must not leave `body`.
    public borrowing func withUnsafeBytes<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// HMAC-SHA256 under the key for one purpose and one vault.
    borrowing func code(
        for message: [UInt8], label: DomainLabel, salt: [UInt8]
    ) -> SecretBytes {
        bytes.key(for: label, salt: salt).hmacSHA256(message)
    }
}

/// The random key that seals a vault's body and, below it, everything that the vault holds.
public struct MasterKey: ~Copyable {
    let bytes: SecretBytes

    static let byteCount = 32

    /// A fresh key.
    static func random(using random: RandomSource) -> MasterKey {
        MasterKey(random.secret(count: byteCount))
    }

    init(_ bytes: consuming SecretBytes) {
        precondition(bytes.count == MasterKey.byteCount)
        self.bytes = bytes
    }

    /// The key for one purpose.
    borrowing func key(for label: DomainLabel, salt: [UInt8]) -> SecretBytes {
        bytes.key(for: label, salt: salt)
    }
}

private func checkKeyCount(_ count: Int, _ part: SealedPart) throws(VaultError) {
    guard count == 32 else { throw .wrongSize(part, found: count, allowed: 32...32) }
}
