import TestSupport

@testable import Vault

/// Vaults that several tests look at; made once, at the full cost.
enum Samples {
    /// 24 words with a passphrase, Argon2id.
    static let words: VaultInputs = FormatVectorTests.vaults()[0].1
    /// 12 words, PBKDF2.
    static let short: VaultInputs = FormatVectorTests.vaults()[1].1
    /// An items vault, PBKDF2.
    static let items: VaultInputs = FormatVectorTests.vaults()[3].1

    static let wordsFile = file(words)
    static let shortFile = file(short)
    static let itemsFile = file(items)

    private static func file(_ inputs: VaultInputs) -> VaultFile {
        guard let vault = try? inputs.create() else { preconditionFailure("a right vault") }
        return vault.file
    }
}

/// Each way to flip one bit of some bytes.
func eachBitFlip(of bytes: [UInt8], _ body: ([UInt8], Int) throws -> Void) rethrows {
    var changed = bytes
    for bit in 0..<bytes.count * 8 {
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        try body(changed, bit)
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
    }
}

/// Each shorter form of some bytes, and forms with bytes behind the end.
func eachWrongLength(of bytes: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows {
    for count in bytes.indices { try body(Array(bytes[..<count])) }
    for extra in [1, 2, 16, 256, 4096] {
        try body(bytes + [UInt8](repeating: 0, count: extra))
    }
}
