public import Bitcoin
import Hashing
public import SecretMemory
public import Signing
import Wire

/// Secrets that follow from a master key (BIP85): each can be given away without giving away the
/// others or the master key. RSA and the other keys for GPG are not made here.
public struct BIP85: ~Copyable {
    private let entropy: SecretBytes
    private let network: KeyNetwork

    /// What this application cannot make.
    public enum Failure: Error, Hashable, Sendable {
        /// The path cannot be followed.
        case derivation(ExtendedKeyError)
        /// A number outside of what the application allows.
        case outOfRange(found: Int, allowed: ClosedRange<Int>)
    }

    /// The entropy at `m/83696968h/` and hardened steps of these numbers.
    ///
    /// - Throws: `outOfRange` for a number of 2^31 or more, `derivation`.
    public init(
        master: borrowing ExtendedPrivateKey, _ numbers: [UInt32],
        _ context: borrowing SigningContext
    ) throws(Failure) {
        var steps: [ChildNumber] = []
        for number in [83_696_968] + numbers {
            guard let step = ChildNumber(hardened: number) else {
                throw .outOfRange(found: Int(number), allowed: 0...Int(ChildNumber.maximumIndex))
            }
            steps.append(step)
        }
        do throws(ExtendedKeyError) {
            var path = DerivationPath.empty
            do throws(DerivationPathError) {
                path = try DerivationPath(steps)
            } catch {
                throw .tooDeep
            }
            let node = try master.derive(path, context)
            entropy = node.key.withUnsafeBytes { key in
                SecretBytes.hmacSHA512(label: "bip-entropy-from-k") { $0.update(key) }
            }
        } catch {
            throw .derivation(error)
        }
        network = master.network
    }

    /// The 64 bytes that everything is made from.
    public borrowing func bytes() -> SecretBytes { entropy.duplicate() }

    /// A recovery phrase in English of 12, 15, 18, 21 or 24 words (application 39).
    public static func mnemonic(
        master: borrowing ExtendedPrivateKey, wordCount: Int, index: UInt32,
        _ context: borrowing SigningContext
    ) throws(Failure) -> Mnemonic {
        let count = Mnemonic.entropyCount(wordCount: wordCount)
        guard Mnemonic.wordCounts.contains(wordCount) else {
            throw .outOfRange(found: wordCount, allowed: 12...24)
        }
        let entropy = try BIP85(master: master, [39, 0, UInt32(wordCount), index], context)
            .entropy.slice(0..<count)
        guard let mnemonic = try? Mnemonic(entropy: entropy) else {
            throw .outOfRange(found: wordCount, allowed: 12...24)
        }
        return mnemonic
    }

    /// A single private key, Bitcoin Core's `hdseed` (application 2).
    public static func wif(
        master: borrowing ExtendedPrivateKey, index: UInt32, _ context: borrowing SigningContext
    ) throws(Failure) -> WIF {
        let node = try BIP85(master: master, [2, index], context)
        return WIF(key: try node.secretKey(at: 0, context), network: node.network)
    }

    /// Another master key (application 32).
    public static func extendedKey(
        master: borrowing ExtendedPrivateKey, index: UInt32, _ context: borrowing SigningContext
    ) throws(Failure) -> ExtendedPrivateKey {
        let node = try BIP85(master: master, [32, index], context)
        return ExtendedPrivateKey(
            network: node.network, key: try node.secretKey(at: 32, context),
            chainCode: node.entropy.slice(0..<32))
    }

    /// 16 to 64 bytes (application 128169).
    public static func bytes(
        master: borrowing ExtendedPrivateKey, count: Int, index: UInt32,
        _ context: borrowing SigningContext
    ) throws(Failure) -> SecretBytes {
        try check(count, 16...64)
        return try BIP85(master: master, [128_169, UInt32(count), index], context)
            .entropy.slice(0..<count)
    }

    /// A private key for Nostr as an `nsec` text in ASCII (application 128002).
    public static func nostrKey(
        master: borrowing ExtendedPrivateKey, identity: UInt32, account: UInt32,
        _ context: borrowing SigningContext
    ) throws(Failure) -> SecretBytes {
        let node = try BIP85(master: master, [128_002, identity, account], context)
        let key = try node.secretKey(at: 0, context)
        return SecretBytes(capacity: Bech32.maximumLength) { text in
            key.withUnsafeBytes {
                Bech32.encode(prefix: "nsec", bytes: $0, variant: .bech32, into: text)
            }
        }
    }

    static func check(_ number: Int, _ allowed: ClosedRange<Int>) throws(Failure) {
        guard allowed.contains(number) else {
            throw .outOfRange(found: number, allowed: allowed)
        }
    }

    /// Gives the 64 bytes in place. They must not leave `body`.
    borrowing func withEntropy<Result: ~Copyable>(
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        entropy.withUnsafeBytes(body)
    }

    private borrowing func secretKey(
        at offset: Int, _ context: borrowing SigningContext
    ) throws(Failure) -> SecretKey {
        do throws(ExtendedKeyError) {
            return try SecretKey.reading(entropy, at: offset, context)
        } catch {
            throw .derivation(error)
        }
    }
}

extension BIP85.Failure: CustomStringConvertible {
    /// One sentence: what is wrong.
    public var description: String {
        switch self {
        case .derivation(let error): error.description
        case .outOfRange(let found, let allowed):
            "\(found), \(allowed.lowerBound) to \(allowed.upperBound) possible"
        }
    }
}
