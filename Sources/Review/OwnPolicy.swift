public import Bitcoin
public import Descriptors

/// What locks the coins of one account of a wallet: the public side, from which every own script is
/// made again and compared.
///
/// The rest of this module asks a policy only for its outputs, the origins of its keys and the size
/// of its inputs, so that a policy need not be a plain account.
public struct OwnPolicy: Sendable {
    /// Which kind of plain account it is.
    public let kind: AccountKind
    /// The master key's fingerprint and the path of the account, such as `84h/0h/0h`.
    public let origin: KeyOrigin
    /// Every output of the account: branch 0 receives, branch 1 takes change.
    public let descriptor: Descriptor
    /// What an input that spends one of its outputs adds to a transaction at most.
    let inputSize: InputSize

    private let key: ExtendedPublicKey
    private let receiving: OutputSeries
    private let change: OutputSeries

    /// An account by its extended public key.
    ///
    /// - Parameter origin: the fingerprint of the master key and the path of BIP44: the purpose of the
    ///   kind, the coin type of the key's network and the account, all hardened.
    /// - Throws: `path`, `depth`, `network`; `descriptor` with a chance of 2^-127.
    public init(
        _ kind: AccountKind, origin: KeyOrigin, key: ExtendedPublicKey
    ) throws(OwnPolicyError) {
        let steps = origin.path.steps
        guard steps.count == 3, steps.allSatisfy(\.isHardened), steps[0].index == kind.purpose
        else { throw .path(origin.path, purpose: kind.purpose) }
        guard Int(key.depth) == steps.count, key.childNumber == steps[2] else {
            throw .depth(Int(key.depth))
        }
        guard steps[1].index == (key.network == .main ? 0 : 1) else {
            throw .network(key.network)
        }
        self.kind = kind
        self.origin = origin
        self.key = key
        do throws(DescriptorError) {
            descriptor = try Descriptor(kind.descriptor(of: "[\(origin)]\(key)/<0;1>/*"))
        } catch {
            throw .descriptor
        }
        do throws(DerivationError) {
            receiving = try OutputSeries(descriptor, branch: 0)
            change = try OutputSeries(descriptor, branch: 1)
        } catch {
            throw .descriptor
        }
        guard let size = descriptor.maximumSpendSize else { throw .descriptor }
        inputSize = InputSize(scriptSig: size.scriptSig, witness: size.witness)
    }

    /// Where the account lies on the coin type's network.
    var coinType: UInt32 { origin.path.steps[1].index }

    /// Whether an extended key is the account's.
    func has(_ other: ExtendedPublicKey) -> Bool {
        key.publicKey == other.publicKey && key.chainCode == other.chainCode
    }

    /// The output at the end of the steps below the account, which are not hardened; nil where a step
    /// leads to no key.
    func output(at steps: ArraySlice<ChildNumber>) -> DerivedOutput? {
        if steps.count == 2, let branch = steps.first, let index = steps.last {
            switch branch.rawValue {
            case 0: return try? receiving.output(at: index.rawValue)
            case 1: return try? change.output(at: index.rawValue)
            default: break
            }
        }
        let path = steps.map { "/\($0)" }.joined()
        let text = kind.descriptor(of: "[\(origin)]\(key)\(path)")
        return try? Descriptor(text).output()
    }
}

/// Why an account cannot be used.
public enum OwnPolicyError: Error, Hashable, Sendable {
    /// The path is not purpose, coin type and account of BIP44.
    case path(DerivationPath, purpose: UInt32)
    /// The key is not at the end of the path.
    case depth(Int)
    /// The key's version bytes name another network than the coin type.
    case network(KeyNetwork)
    /// No descriptor can be made of it (a chance of 2^-127).
    case descriptor
}

extension OwnPolicyError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .path(let path, let purpose):
            "account at \(path), a path such as m/\(purpose)h/0h/0h is needed"
        case .depth(let depth): "account key at depth \(depth), not at the end of its path"
        case .network: "account key and coin type belong to different networks"
        case .descriptor: "the account key leads to no outputs"
        }
    }
}
