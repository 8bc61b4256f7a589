import Bitcoin
import Hashing
public import PSBT
import Wire

/// Finalises the P2WSH scripts and tapscript leaves of a PSBT that are miniscripts, from the scripts
/// themselves: no descriptor is needed.
public struct MiniscriptSatisfier: ScriptSatisfier, Sendable {
    /// Public keys by their HASH160, for `pk_h` keys that have not signed.
    private let keys: [Bytes20: [UInt8]]

    /// Knows the public keys that the PSBT names.
    public init(_ psbt: PSBT) {
        var keys: [Bytes20: [UInt8]] = [:]
        for input in psbt.inputs {
            let named =
                input.derivations.map(\.publicKey)
                + input.taprootDerivations.map(\.publicKey.array)
            for key in named { keys[hash160(key)] = key }
        }
        self.keys = keys
    }

    /// The smallest items that nobody else can change; nil if what is at hand is not enough, or the
    /// script is no miniscript of its context.
    public func items(for spend: ScriptSpend) -> [[UInt8]]? {
        guard let miniscript = miniscript(of: spend) else { return nil }
        return try? miniscript.satisfaction(from: source(for: spend))
    }

    /// The fewest things that would have to come; nil if the script is no miniscript of its context
    /// or nothing can ever satisfy it.
    public func missing(for spend: ScriptSpend) -> [Requirement<EncodedKey>]? {
        miniscript(of: spend)?.missing(from: source(for: spend))
    }

    private func miniscript(of spend: ScriptSpend) -> Miniscript<EncodedKey>? {
        switch spend.context {
        case .segwitV0: try? Miniscript(spend.script, in: .wsh)
        case .tapscript(.tapscript): try? Miniscript(spend.script, in: .tapscript)
        case .legacy, .tapscript: nil
        }
    }

    private func source(for spend: ScriptSpend) -> SpendSource {
        let signers = spend.signatures.keys.map { (hash160($0), $0) }
        return SpendSource(
            spend: spend, keys: keys,
            signers: Dictionary(signers, uniquingKeysWith: { first, _ in first }))
    }
}

/// What one input has for one script.
private struct SpendSource: SatisfactionSource {
    let spend: ScriptSpend
    /// The keys that the PSBT names, shared by all inputs.
    let keys: [Bytes20: [UInt8]]
    /// The keys that signed here.
    let signers: [Bytes20: [UInt8]]

    func bytes(of key: EncodedKey, in context: ScriptContext) -> [UInt8]? {
        switch key {
        case .key(let bytes): bytes
        case .hash(let hash): Bytes20(hash).flatMap { signers[$0] ?? keys[$0] }
        }
    }

    func signature(for key: EncodedKey) -> [UInt8]? {
        bytes(of: key, in: .wsh).flatMap { spend.signatures[$0] }
    }

    func preimage(of lock: HashLock) -> Bytes32? {
        let hash: PSBT.PreimageHash? =
            switch lock.function {
            case .sha256: Bytes32(lock.digest).map { .sha256($0) }
            case .hash256: Bytes32(lock.digest).map { .hash256($0) }
            case .ripemd160: Bytes20(lock.digest).map { .ripemd160($0) }
            case .hash160: Bytes20(lock.digest).map { .hash160($0) }
            }
        // Scripts want 32 bytes, a PSBT may hold any.
        return hash.flatMap { spend.preimage(of: $0) }.flatMap { Bytes32($0) }
    }

    func isMet(older value: UInt32) -> Bool {
        guard spend.transactionVersion >= 2, let own = spend.sequence.relativeLock,
            let needed = SequenceNumber(rawValue: value).relativeLock
        else { return false }
        return own.satisfies(needed)
    }

    func isMet(after value: UInt32) -> Bool {
        !spend.sequence.isFinal && spend.lockTime.satisfies(LockTime(rawValue: value))
    }
}
