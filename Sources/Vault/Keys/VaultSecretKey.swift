public import SecretMemory
public import StateFiles

extension DomainLabel {
    static let keyCheck = DomainLabel("key-check")
    static let secretKey = DomainLabel("secret-key")
}

/// A vault's own 256-bit secret key: without it, a copy of the vault file cannot be guessed at. It is
/// made once and never changes; the recovery kit prints it, and this machine keeps it in
/// `secrets/ID.key`, sealed under the device key.
public struct VaultSecretKey: ~Copyable {
    let bytes: SecretBytes

    static let byteCount = 32
    /// The length of the file `secrets/ID.key`.
    public static let sealedCount = FilePrefix.count + AES256GCM.overhead + byteCount

    private static let prefix = FilePrefix(.secretKey, name: "BHSECRET")

    /// A fresh key.
    public static func random(using random: RandomSource = .kernel) -> VaultSecretKey {
        VaultSecretKey(random.secret(count: byteCount))
    }

    init(_ bytes: consuming SecretBytes) {
        precondition(bytes.count == VaultSecretKey.byteCount)
        self.bytes = bytes
    }

    /// The same key once more.
    public borrowing func duplicate() -> VaultSecretKey { VaultSecretKey(bytes.duplicate()) }

    // MARK: The file

    /// The bytes of `secrets/ID.key`.
    public borrowing func sealed(
        for id: VaultID, under device: borrowing DeviceKey, using random: RandomSource = .kernel
    ) -> [UInt8] {
        let prefix = VaultSecretKey.prefix.bytes(for: id)
        return prefix
            + AES256GCM.seal(
                bytes, key: device.key(for: .secretKey, salt: id.bytes),
                associatedData: DomainLabel.secretKey.associatedData(prefix), using: random)
    }

    /// Opens `secrets/ID.key`.
    ///
    /// - Throws: what is wrong with the file; `damaged` also when the device key is another.
    public init(
        sealed file: [UInt8], for id: VaultID, under device: borrowing DeviceKey
    ) throws(VaultError) {
        let count = VaultSecretKey.sealedCount
        let sealed = try VaultSecretKey.prefix.check(file, count: count...count, for: id)
        let bytes = AES256GCM.open(
            sealed, key: device.key(for: .secretKey, salt: id.bytes),
            associatedData: DomainLabel.secretKey.associatedData(Array(file[..<FilePrefix.count])))
        guard let bytes else { throw .damaged(.secretKey) }
        self.init(bytes)
    }

    // MARK: What follows from it

    static let keyCheckCount = 16

    // DECLASSIFY: the key has 256 random bits; 128 bits of a hash of it help nobody to guess it.
    /// The value in a vault's header that tells whether this is the vault's key.
    borrowing func keyCheck(for id: VaultID) -> [UInt8] {
        key(for: .keyCheck, salt: id.bytes).prefix(VaultSecretKey.keyCheckCount).publicCopy()
    }

    /// Whether this is the key of the vault with this header. Costs nothing: no slow derivation runs.
    public borrowing func belongs(to header: VaultHeader) -> Bool {
        keyCheck(for: header.id) == header.keyCheck
    }

    /// The key for one purpose.
    borrowing func key(for label: DomainLabel, salt: [UInt8]) -> SecretBytes {
        bytes.key(for: label, salt: salt)
    }

    // MARK: The kit

    /// As the recovery kit prints it: ASCII, see `CheckedText`.
    public borrowing func text() -> SecretBytes { CheckedText.secretKey.encode(bytes) }

    /// Reads what a person typed from the kit.
    ///
    /// - Throws: where the slip is.
    public init(text: borrowing SecretBytes) throws(CheckedTextError) {
        self.init(try CheckedText.secretKey.decode(text))
    }
}
