import SecretMemory

/// Where a password lies while it is typed: locked memory that is wiped when it is let go.
struct PasswordBuffer: ~Copyable {
    /// 64 characters of at most 4 bytes.
    static let capacity = 256
    private let bytes: SecretBytes

    /// Takes the memory; call it before confinement, which lets nothing be locked.
    init() throws(ClientFailure) {
        do throws(SecretMemoryError) {
            try SecretMemory.prepare()
        } catch {
            throw .confinement("\(error)")
        }
        bytes = SecretBytes(count: Self.capacity)
    }

    /// Lets the password go.
    consuming func wipe() {}
}
