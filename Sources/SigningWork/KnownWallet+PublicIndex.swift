import Accounts
import Bitcoin
public import Review
public import StateFiles
public import Vault

extension KnownWallet {
    /// What a wallet's public index tells a review: its plain accounts.
    ///
    /// An account whose key cannot be used has a chance of 2^-127 and is left out, so that a claim to
    /// it is refused.
    public init(_ id: VaultID, _ index: PublicIndex) {
        let policies = AccountKind.allCases.compactMap { kind -> OwnPolicy? in
            guard let key = index.accounts[kind.account] else { return nil }
            let origin = KeyOrigin(
                fingerprint: index.masterFingerprint,
                path: kind.account.path(on: index.network))
            return try? OwnPolicy(kind, origin: origin, key: key)
        }
        self.init(id: id.bytes, fingerprint: index.masterFingerprint, policies: policies)
    }
}

extension AccountKind {
    fileprivate var account: AccountPath {
        switch self {
        case .bip44: .legacy
        case .bip49: .nestedSegwit
        case .bip84: .nativeSegwit
        case .bip86: .taproot
        }
    }
}
