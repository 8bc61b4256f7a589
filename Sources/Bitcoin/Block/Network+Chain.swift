import Wire

extension Network {
    /// The easiest target that headers may have.
    public var proofOfWorkLimit: UInt256 {
        switch self {
        case .mainnet, .testnet3, .testnet4: UInt256.max.shifted(right: 32)
        case .signet: UInt256(0x0003_77AE).shifted(left: 216)
        case .regtest: UInt256.max.shifted(right: 1)
        }
    }

    /// The first header of the chain.
    public var genesis: BlockHeader {
        let (time, bits, nonce): (UInt32, UInt32, UInt32) =
            switch self {
            case .mainnet: (1_231_006_505, 0x1D00_FFFF, 2_083_236_893)
            case .testnet3: (1_296_688_602, 0x1D00_FFFF, 414_098_458)
            case .testnet4: (1_714_777_860, 0x1D00_FFFF, 393_743_547)
            case .signet: (1_598_918_400, 0x1E03_77AE, 52_613_770)
            case .regtest: (1_296_688_602, 0x207F_FFFF, 2)
            }
        return BlockHeader(
            version: 1, previous: BlockHash(.zero), merkleRoot: genesisMerkleRoot, time: time,
            bits: CompactTarget(rawValue: bits), nonce: nonce)
    }

    /// Every network but testnet4 starts with the transaction that quotes The Times.
    private var genesisMerkleRoot: Bytes32 {
        let digits =
            self == .testnet4
            ? "7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e"
            : "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b"
        guard let txid = Txid(digits) else { preconditionFailure("64 digits stand above") }
        return txid.bytes
    }
}
