public import Bitcoin

/// The public side of one of the signer's own wallets.
public struct KnownWallet: Sendable {
    /// What the signer calls it; stands in reports in hexadecimal.
    public let id: [UInt8]
    /// The fingerprint of its master key.
    public let fingerprint: Fingerprint
    /// Its accounts.
    public let policies: [OwnPolicy]

    /// A wallet with its accounts.
    ///
    /// - Precondition: all accounts have the wallet's fingerprint.
    public init(id: [UInt8], fingerprint: Fingerprint, policies: [OwnPolicy]) {
        precondition(policies.allSatisfy { $0.origin.fingerprint == fingerprint })
        self.id = id
        self.fingerprint = fingerprint
        self.policies = policies
    }
}

/// Finds accounts by the origins that a PSBT claims.
struct WalletIndex: Sendable {
    /// An account among the known wallets.
    struct Account: Hashable, Sendable {
        let wallet: Int
        let policy: Int
    }

    let wallets: [KnownWallet]
    let fingerprints: Set<Fingerprint>
    private let accounts: [KeyOrigin: Account]
    /// Lengths of account paths, the longest first.
    private let lengths: [Int]

    init(_ wallets: [KnownWallet]) {
        self.wallets = wallets
        fingerprints = Set(wallets.map(\.fingerprint))
        var accounts: [KeyOrigin: Account] = [:]
        for (wallet, known) in wallets.enumerated() {
            // Of two wallets with the same keys the first is named.
            for (policy, own) in known.policies.enumerated() where accounts[own.origin] == nil {
                accounts[own.origin] = Account(wallet: wallet, policy: policy)
            }
        }
        self.accounts = accounts
        lengths = Set(accounts.keys.map(\.path.steps.count)).sorted(by: >)
    }

    func policy(_ account: Account) -> OwnPolicy {
        wallets[account.wallet].policies[account.policy]
    }

    /// The account that an origin lies in, and the steps below it.
    func account(
        of origin: KeyOrigin
    ) -> (account: Account, steps: ArraySlice<ChildNumber>)? {
        let steps = origin.path.steps
        for length in lengths where length <= steps.count {
            guard let path = try? DerivationPath(Array(steps[..<length])) else { continue }
            let key = KeyOrigin(fingerprint: origin.fingerprint, path: path)
            if let account = accounts[key] { return (account, steps[length...]) }
        }
        return nil
    }
}
