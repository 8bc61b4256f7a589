public import Bitcoin
public import StateFiles

/// An account whose extended public key a wallet shows without its password.
public enum AccountPath: UInt8, CaseIterable, Hashable, Sendable {
    /// P2WPKH (BIP84).
    case nativeSegwit = 1
    /// P2TR by its key (BIP86).
    case taproot
    /// P2WPKH inside P2SH (BIP49).
    case nestedSegwit
    /// P2PKH (BIP44).
    case legacy
    /// This wallet's part of P2WSH multisig (BIP48, script type 2).
    case nativeMultisig
    /// This wallet's part of P2WSH inside P2SH multisig (BIP48, script type 1).
    case nestedMultisig
    /// Ethereum and its kind (BIP44, coin 60).
    case evm
    /// TRON (BIP44, coin 195).
    case tron

    /// The path from the master key to the account with number 0. Coins of EVM chains and TRON have
    /// one number for all their networks, as the wallets of these coins do.
    public func path(on network: Network) -> DerivationPath {
        let coin = network.coinType
        return switch self {
        case .nativeSegwit: DerivationPath(hardened: 84, coin, 0)
        case .taproot: DerivationPath(hardened: 86, coin, 0)
        case .nestedSegwit: DerivationPath(hardened: 49, coin, 0)
        case .legacy: DerivationPath(hardened: 44, coin, 0)
        case .nativeMultisig: DerivationPath(hardened: 48, coin, 0, 2)
        case .nestedMultisig: DerivationPath(hardened: 48, coin, 0, 1)
        case .evm: DerivationPath(hardened: 44, 60, 0)
        case .tron: DerivationPath(hardened: 44, 195, 0)
        }
    }

    /// The standard that names the path, for a table.
    public var standard: String {
        switch self {
        case .nativeSegwit: "BIP84"
        case .taproot: "BIP86"
        case .nestedSegwit: "BIP49"
        case .legacy: "BIP44"
        case .nativeMultisig: "BIP48 native"
        case .nestedMultisig: "BIP48 nested"
        case .evm: "EVM"
        case .tron: "TRON"
        }
    }
}

extension AccountPath {
    /// The account that was chosen.
    public init(_ choice: AccountChoice) {
        self =
            switch choice {
            case .nativeSegwit: .nativeSegwit
            case .taproot: .taproot
            case .nestedSegwit: .nestedSegwit
            case .legacy: .legacy
            }
    }
}

/// The paths that wallets of Solana use, the shortest first.
public enum SolanaPath: UInt8, CaseIterable, Hashable, Sendable {
    /// `m/44h/501h`.
    case coin = 1
    /// `m/44h/501h/0h`.
    case account
    /// `m/44h/501h/0h/0h`.
    case address

    /// The path from the master key (SLIP-10).
    public var path: DerivationPath {
        switch self {
        case .coin: DerivationPath(hardened: 44, 501)
        case .account: DerivationPath(hardened: 44, 501, 0)
        case .address: DerivationPath(hardened: 44, 501, 0, 0)
        }
    }
}

extension DerivationPath {
    /// Hardened steps, as accounts have them.
    fileprivate init(hardened numbers: UInt32...) {
        let steps = numbers.compactMap { ChildNumber(hardened: $0) }
        guard steps.count == numbers.count, let path = try? DerivationPath(steps) else {
            preconditionFailure("the numbers stand in this file")
        }
        self = path
    }
}
