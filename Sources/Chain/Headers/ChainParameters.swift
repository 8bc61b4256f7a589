public import Bitcoin

/// The rules and names of one chain: a network, and for a signet the script that signs its blocks.
public struct ChainParameters: Hashable, Sendable {
    /// The network.
    public let network: Network
    /// The script that each block of a signet must satisfy (BIP325); nil on every other network.
    public let signetChallenge: Script?
    /// The first header.
    public let genesis: BlockHeader
    /// The four bytes that start every message between peers.
    public let messageStart: [UInt8]
    /// A chain of less work is not the network's; it is followed, never adopted. Zero where a chain
    /// may be new.
    public private(set) var minimumWork: UInt256
    /// The easiest target.
    let limit: UInt256
    /// `limit` as it stands in headers.
    let limitBits: CompactTarget

    /// Headers between two changes of difficulty.
    public static let period = 2016
    /// Seconds between two headers, as planned.
    static let spacing: Int64 = 600
    /// How far ahead of the clock a header's time may be.
    public static let futureLimit: Int64 = 2 * 60 * 60
    /// How far before its predecessor the first header of a period may be (BIP94).
    static let timewarpLimit: Int64 = 600

    /// The rules of a network; a signet is the public one.
    public init(_ network: Network) {
        let challenge = network == .signet ? Script(ChainParameters.publicSignetChallenge) : nil
        self.init(
            network, signetChallenge: challenge, messageStart: network.messageStart,
            minimumWork: ChainParameters.knownWork(of: network))
    }

    /// The rules of a signet with its own challenge. It shares genesis and limits with the public
    /// signet; where messages start follows from the challenge.
    public init(signetChallenge challenge: Script) {
        guard challenge.bytes != ChainParameters.publicSignetChallenge else {
            self.init(.signet)
            return
        }
        self.init(
            .signet, signetChallenge: challenge,
            messageStart: ChainParameters.messageStart(ofSignet: challenge), minimumWork: .zero)
    }

    private init(
        _ network: Network, signetChallenge: Script?, messageStart: [UInt8], minimumWork: UInt256
    ) {
        self.network = network
        self.signetChallenge = signetChallenge
        self.messageStart = messageStart
        self.minimumWork = minimumWork
        genesis = network.genesis
        limit = network.proofOfWorkLimit
        limitBits = CompactTarget(network.proofOfWorkLimit)
    }

    /// Asks for more or less work than the network's chain is known to have.
    public mutating func requireWork(_ work: UInt256) { minimumWork = work }

    /// The port that nodes listen on unless told otherwise.
    public var defaultPort: UInt16 {
        switch network {
        case .mainnet: 8333
        case .testnet3: 18333
        case .testnet4: 48333
        case .signet: 38333
        case .regtest: 18444
        }
    }

    /// Whether the difficulty changes at all.
    var retargets: Bool { network != .regtest }

    /// Whether a header more than 20 minutes after its predecessor has the easiest target.
    var allowsMinimumDifficulty: Bool { network == .testnet3 || network == .testnet4 }

    /// Whether BIP94 holds: a new difficulty starts from the first header of the period, whose time
    /// may not be far before its predecessor's.
    var enforcesBIP94: Bool { network == .testnet4 }

    /// The lowest version a header may have: raised by BIP34, BIP66 and BIP65.
    func minimumVersion(at height: Int) -> Int32 {
        let starts: (Int, Int, Int) =
            switch network {
            case .mainnet: (227_931, 363_725, 388_381)
            case .testnet3: (21_111, 330_776, 581_885)
            case .testnet4, .signet, .regtest: (1, 1, 1)
            }
        if height >= starts.2 { return 4 }
        if height >= starts.1 { return 3 }
        return height >= starts.0 ? 2 : .min
    }
}
