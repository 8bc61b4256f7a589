public import SecretMemory

/// Which of the machine's two keys.
public protocol MachineKeyKind {
    /// The file that holds it, as errors name it.
    static var part: SealedPart { get }
}

/// The key that seals what belongs to this machine.
public enum DeviceKeyKind: MachineKeyKind {
    /// `device.key`.
    public static let part = SealedPart.deviceKey
}

/// The key that authenticates public data of this machine.
public enum IndexKeyKind: MachineKeyKind {
    /// `index.key`.
    public static let part = SealedPart.indexKey
}

/// The 32 random bytes of `device.key`. They are in no backup.
public typealias DeviceKey = MachineKey<DeviceKeyKind>

/// The 32 random bytes of `index.key`.
public typealias IndexKey = MachineKey<IndexKeyKind>

/// 32 random bytes in a file of their own.
public struct MachineKey<Kind: MachineKeyKind>: ~Copyable {
    private let bytes: SecretBytes

    /// The length of the file.
    public static var byteCount: Int { 32 }

    /// Takes the bytes of the file.
    ///
    /// - Throws: `wrongSize`.
    public init(_ bytes: consuming SecretBytes) throws(VaultError) {
        let count = bytes.count
        guard count == Self.byteCount else {
            throw .wrongSize(Kind.part, found: count, allowed: Self.byteCount...Self.byteCount)
        }
        self.bytes = bytes
    }

    /// A fresh key.
    public static func random(using random: RandomSource = .kernel) -> MachineKey {
        MachineKey(unchecked: random.secret(count: byteCount))
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

extension MachineKey where Kind == IndexKeyKind {
    /// HMAC-SHA256 under the key for one purpose and one vault.
    borrowing func code(
        for message: [UInt8], label: DomainLabel, salt: [UInt8]
    ) -> SecretBytes {
        key(for: label, salt: salt).hmacSHA256(message)
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
