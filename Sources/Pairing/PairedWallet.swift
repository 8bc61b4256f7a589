public import Accounts
public import Bitcoin
public import Descriptors

/// The public side of a wallet, as it is given to programs that watch it: no secret, but whoever has
/// it sees every address, past and future.
public struct PairedWallet: Hashable, Sendable {
    /// An account and its extended public key.
    public struct Account: Hashable, Sendable {
        /// Which one it is.
        public let kind: AccountPath
        /// The key at the account's path.
        public let node: ExtendedPublicKey

        /// An account by its parts.
        public init(_ kind: AccountPath, _ node: ExtendedPublicKey) {
            self.kind = kind
            self.node = node
        }
    }

    /// The name that a person gave it.
    public let name: String
    /// Where its coins are.
    public let network: Network
    /// The master key's fingerprint.
    public let fingerprint: Fingerprint
    /// Its Bitcoin accounts, in the order of `AccountPath`.
    public let accounts: [Account]
    /// When its keys were made, in seconds since 1970; nil if they may be older than is known.
    public let birthday: UInt64?

    /// A wallet by its parts; accounts of other coins are left out.
    public init(
        name: String, network: Network, fingerprint: Fingerprint, accounts: [Account],
        birthday: UInt64?
    ) {
        self.name = name
        self.network = network
        self.fingerprint = fingerprint
        self.accounts = accounts.filter { $0.kind.isBitcoin }
            .sorted { $0.kind.rawValue < $1.kind.rawValue }
        self.birthday = birthday
    }

    /// From the master key to the account.
    public func origin(of account: Account) -> KeyOrigin {
        KeyOrigin(fingerprint: fingerprint, path: account.kind.path(on: network))
    }

    /// The account's addresses on both branches (BIP389); nil for a part of a multisig wallet.
    public func descriptor(of account: Account) -> Descriptor? {
        let key = KeyExpression(
            origin: origin(of: account), base: .extended(account.node),
            steps: [.branches(AccountBranch.allCases.map { ChildNumber(rawValue: $0.rawValue) })],
            wildcard: .unhardened)
        let text: String
        switch account.kind {
        case .nativeSegwit: text = "wpkh(\(key))"
        case .taproot: text = "tr(\(key))"
        case .nestedSegwit: text = "sh(wpkh(\(key)))"
        case .legacy: text = "pkh(\(key))"
        case .nativeMultisig, .nestedMultisig, .evm, .tron: return nil
        }
        return try? Descriptor(text)
    }

    /// The addresses of one branch, for programs that do not read both in one.
    public func descriptor(of account: Account, branch: AccountBranch) -> Descriptor? {
        descriptor(of: account)?.branch(Int(branch.rawValue))
    }

    /// The first address of an account, by which a person compares two programs.
    public func firstAddress(of account: Account) -> Address? {
        guard let descriptor = descriptor(of: account, branch: .receiving),
            let output = try? OutputSeries(descriptor).output(at: 0)
        else { return nil }
        return output.address(on: network)
    }
}

/// The two branches of an account (BIP44).
public enum AccountBranch: UInt32, CaseIterable, Hashable, Sendable {
    /// Addresses that are given to others.
    case receiving = 0
    /// Addresses for what is left of a payment.
    case change = 1
}

extension AccountPath {
    /// Whether its coins are bitcoins.
    public var isBitcoin: Bool { self != .evm && self != .tron }
}
