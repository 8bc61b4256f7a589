import Bitcoin
import Hashing
import Wire

extension ChainParameters {
    /// The least work of each public chain. A chain with less is no fault, it is only not adopted.
    ///
    /// Two sources give the same four numbers: Bitcoin Core 30 (`src/kernel/chainparams.cpp`,
    /// nMinimumChainWork, from TheCharlatan/rust-bitcoinkernel @12d54753d3d1), and the defaults of
    /// `minimumchainwork` that jlopp/bitcoin-core-config-generator lists for that release.
    static func knownWork(of network: Network) -> UInt256 {
        switch network {
        case .mainnet: work(0xDEE8_E2A3, 0x09AD_8A98_2043_3C68)
        case .testnet3: work(0x16DD, 0x270D_D94F_AC1D_7632)
        case .testnet4: work(0x034A, 0x4690_FE59_2DC4_9C7C)
        case .signet: work(0, 0x0000_067D_328E_681A)
        case .regtest: .zero
        }
    }

    private static func work(_ high: UInt64, _ low: UInt64) -> UInt256 {
        UInt256(high).shifted(left: 64).adding(UInt256(low)) ?? .max
    }

    /// One of two keys (BIP325).
    static let publicSignetChallenge: [UInt8] =
        [0x51, 0x21]
        + [
            0x03, 0xAD, 0x5E, 0x0E, 0xDA, 0xD1, 0x8C, 0xB1, 0xF0, 0xFC, 0x0D, 0x28, 0xA3, 0xD4,
            0xF1, 0xF3, 0xE4, 0x45, 0x64, 0x03, 0x37, 0x48, 0x9A, 0xBB, 0x10, 0x40, 0x4F, 0x2D,
            0x1E, 0x08, 0x6B, 0xE4, 0x30,
        ] + [0x21]
        + [
            0x03, 0x59, 0xEF, 0x50, 0x21, 0x96, 0x4F, 0xE2, 0x2D, 0x6F, 0x8E, 0x05, 0xB2, 0x46,
            0x3C, 0x95, 0x40, 0xCE, 0x96, 0x88, 0x3F, 0xE3, 0xB2, 0x78, 0x76, 0x0F, 0x04, 0x8F,
            0x51, 0x89, 0xF2, 0xE6, 0xC4,
        ] + [0x52, 0xAE]

    /// The first four bytes of the double hash of the challenge with its length in front (BIP325).
    static func messageStart(ofSignet challenge: Script) -> [UInt8] {
        var writer = Writer(capacity: challenge.serializedSize)
        writer.writeVarBytes(challenge.bytes)
        return Array(SHA256.doubleHash(writer.bytes).array.prefix(4))
    }
}
