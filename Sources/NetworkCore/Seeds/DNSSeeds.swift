public import Chain

/// Names under which a resolver gives addresses of peers.
public enum DNSSeeds {
    /// Asks a seed for peers with NETWORK, WITNESS and COMPACT_FILTERS only.
    static let servicePrefix = "x49."

    /// The seeds of a network, as Bitcoin Core lists them; none where nobody but oneself has peers.
    public static func names(of chain: ChainParameters) -> [String] {
        guard chain == ChainParameters(chain.network) else { return [] }
        switch chain.network {
        case .mainnet:
            return [
                "seed.bitcoin.sipa.be", "dnsseed.bluematt.me",
                "dnsseed.bitcoin.dashjr-list-of-p2p-nodes.us", "seed.bitcoin.jonasschnelli.ch",
                "seed.btc.petertodd.net", "seed.bitcoin.sprovoost.nl", "dnsseed.emzy.de",
                "seed.bitcoin.wiz.biz", "seed.mainnet.achownodes.xyz",
            ]
        case .testnet4:
            return ["seed.testnet4.bitcoin.sprovoost.nl", "seed.testnet4.wiz.biz"]
        case .signet:
            return ["seed.signet.bitcoin.sprovoost.nl", "seed.signet.achownodes.xyz"]
        case .testnet3, .regtest: return []
        }
    }
}
