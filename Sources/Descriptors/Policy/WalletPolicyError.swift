import Wire

/// Why something is no wallet policy (BIP388).
public enum WalletPolicyError: Error, Hashable, Sendable {
    /// The template is no descriptor with placeholders.
    case template(DescriptorError)
    /// A key in the list, from 0, is no extended public key with or without origin.
    case keyInformation(index: Int, DescriptorError)
    /// The template does not use all keys of the list.
    case unusedKeys(found: Int, used: Int)
    /// A key stands in the template itself.
    case literalKey
    /// `pk`, bare `multi`, `rawtr`, `combo`, `raw`, `addr` and `sh` around anything but `multi`,
    /// `wpkh` and `wsh` are no policies.
    case unsupportedForm
    /// A key is not an extended key, or has steps inside `musig`.
    case notExtendedKeys
    /// A key is not followed by `/**` or `/<m;n>/*`.
    case notTwoBranches
    /// The same extended key stands in the list twice; the index is that of the second, from 0.
    case repeatedKey(index: Int)
    /// Two placeholders of the same keys lead to the same key.
    case notDisjoint(indices: [Int])
    /// Keys of mainnet and of a test network stand side by side.
    case mixedNetworks
}

extension WalletPolicyError: CustomStringConvertible {
    /// One sentence: what, where, what is allowed.
    public var description: String {
        switch self {
        case .template(let error): "wallet policy template: \(error)"
        case .keyInformation(let index, let error): "key @\(index) of the policy: \(error)"
        case .unusedKeys(let found, let used):
            "the policy lists \(counted(found, "key")) and its template uses \(used)"
        case .literalKey: "a policy template has only placeholders such as @0/**, no keys"
        case .unsupportedForm:
            "a wallet policy is pkh, wpkh, sh(wpkh), sh(multi), wsh, sh(wsh) or tr"
        case .notExtendedKeys:
            "every key of a wallet policy is an extended public key, without steps in musig()"
        case .notTwoBranches: "every key of a wallet policy is followed by /** or /<m;n>/*"
        case .repeatedKey(let index): "key @\(index) of the policy is there for the second time"
        case .notDisjoint(let indices):
            "two uses of " + indices.map { "@\($0)" }.joined(separator: ", ")
                + " lead to the same key; give each its own numbers in <...>"
        case .mixedNetworks: "keys of mainnet and of a test network stand in one policy"
        }
    }
}
