/// The plain accounts: one key, one kind of script, and the purpose of their paths.
public enum AccountKind: String, Hashable, Sendable, CaseIterable {
    /// P2PKH.
    case bip44
    /// P2WPKH in P2SH.
    case bip49
    /// P2WPKH.
    case bip84
    /// P2TR, spent by its key.
    case bip86

    /// The first step of the path, hardened.
    public var purpose: UInt32 {
        switch self {
        case .bip44: 44
        case .bip49: 49
        case .bip84: 84
        case .bip86: 86
        }
    }

    /// The descriptor around a key expression.
    func descriptor(of key: String) -> String {
        switch self {
        case .bip44: "pkh(\(key))"
        case .bip49: "sh(wpkh(\(key)))"
        case .bip84: "wpkh(\(key))"
        case .bip86: "tr(\(key))"
        }
    }
}
