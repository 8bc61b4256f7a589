import SecretMemory

/// How dear each guess at a password is.
public enum PasswordCost: Hashable, Sendable {
    /// Argon2id 1.3 with one lane.
    case argon2id(passes: UInt32, memoryKiB: UInt32)
    /// PBKDF2-HMAC-SHA256, for machines without the memory.
    case pbkdf2(iterations: UInt32)

    /// Argon2id, 3 passes over 128 MiB.
    public static let standard = PasswordCost.argon2id(passes: 3, memoryKiB: 128 << 10)
    /// PBKDF2 with 600,000 iterations.
    public static let pbkdf2 = PasswordCost.pbkdf2(iterations: 600_000)

    static let passes: ClosedRange<UInt32> = 2...16
    static let memoryKiB: ClosedRange<UInt32> = 64 << 10...1 << 20
    static let iterations: ClosedRange<UInt32> = 600_000...20_000_000

    /// What is allowed, as part of a sentence.
    static let limits =
        "Argon2id may take 2 to 16 passes over 64 to 1024 MiB, PBKDF2 600000 to 20000000 iterations"

    /// The memory that the derivation takes for itself, in bytes.
    public var memoryByteCount: Int {
        switch self {
        case .argon2id(_, let memoryKiB): Int(memoryKiB) << 10
        case .pbkdf2: 0
        }
    }

    /// Refuses costs that are too low to protect or too high to bear.
    ///
    /// - Throws: `absurdCost`.
    public func check() throws(VaultError) {
        let isAllowed =
            switch self {
            case .argon2id(let passes, let memoryKiB):
                PasswordCost.passes.contains(passes) && PasswordCost.memoryKiB.contains(memoryKiB)
            case .pbkdf2(let iterations): PasswordCost.iterations.contains(iterations)
            }
        guard isAllowed else { throw .absurdCost(self) }
    }

    /// The slow derivation.
    func stretch(
        _ password: borrowing SecretBytes, salt: [UInt8]
    ) throws(VaultError) -> SecretBytes {
        switch self {
        case .argon2id(let passes, let memoryKiB):
            try PasswordStretching.argon2id(
                password, salt: Array(salt[..<PasswordStretching.argon2idSaltCount]),
                passes: passes, memoryKiB: memoryKiB)
        case .pbkdf2(let iterations):
            PasswordStretching.pbkdf2(password, salt: salt, iterations: iterations)
        }
    }
}

extension PasswordCost: CustomStringConvertible {
    /// The derivation and its numbers.
    public var description: String {
        switch self {
        case .argon2id(let passes, let memoryKiB):
            memoryKiB % 1024 == 0
                ? "Argon2id, \(passes) passes over \(memoryKiB / 1024) MiB"
                : "Argon2id, \(passes) passes over \(memoryKiB) KiB"
        case .pbkdf2(let iterations): "PBKDF2, \(iterations) iterations"
        }
    }
}
