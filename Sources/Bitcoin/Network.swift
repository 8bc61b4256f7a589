/// The five Bitcoin networks. Every key, address and transaction of an instance belongs to one.
public enum Network: String, Hashable, Sendable, CaseIterable {
    /// The network whose coins have value.
    case mainnet
    /// Test network of 2012, with resets of difficulty.
    case testnet3
    /// Test network of BIP94.
    case testnet4
    /// Test network of BIP325, whose blocks are signed.
    case signet
    /// A private network on one machine.
    case regtest

    /// The prefix of segwit addresses (BIP173): `bc`, `tb` or `bcrt`.
    public var bech32Prefix: String {
        switch self {
        case .mainnet: "bc"
        case .testnet3, .testnet4, .signet: "tb"
        case .regtest: "bcrt"
        }
    }

    /// The BIP44 coin type: 0 on mainnet, 1 on every other network.
    public var coinType: UInt32 { self == .mainnet ? 0 : 1 }

    /// The four bytes that start every message between peers. A custom signet has others.
    public var messageStart: [UInt8] {
        switch self {
        case .mainnet: [0xF9, 0xBE, 0xB4, 0xD9]
        case .testnet3: [0x0B, 0x11, 0x09, 0x07]
        case .testnet4: [0x1C, 0x16, 0x3F, 0x28]
        case .signet: [0x0A, 0x03, 0xCF, 0x40]
        case .regtest: [0xFA, 0xBF, 0xB5, 0xDA]
        }
    }
}

extension Network: CustomStringConvertible {
    /// The name as it is typed.
    public var description: String { rawValue }
}
