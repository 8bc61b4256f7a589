import CSodium
import SecretMemory

/// libsodium, started.
enum Sodium {
    /// Picks the implementations for this processor; may be called any number of times.
    static func start() {
        guard sodium_init() >= 0 else { preconditionFailure("libsodium cannot start") }
    }
}

/// What the primitives need of the system, done ahead.
public enum VaultPrimitives {
    /// Loads what libcrypto and libsodium load on first use. Call it before confinement: later they
    /// could open no file.
    public static func prepare() {
        Sodium.start()
        let sealed = AES256GCM.seal(
            SecretBytes(count: 1), key: SecretBytes(count: 32), associatedData: [], using: .kernel)
        precondition(sealed.count == 1 + AES256GCM.overhead)
    }
}
