import Bitcoin
import Descriptors

/// What all stories share: the wallet, its scripts, the genesis block.
public struct SimulationSetting: Sendable {
    private let descriptor: Descriptor
    private let scripts: [Script]
    private let genesis: (Block, [UInt8])

    /// A key that everybody knows (BIP32, test vector 2).
    private static let text =
        "wpkh(xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a"
        + "6mr8BDzTJY47LJhkJ8UB7WEGuduB/0/*)"

    /// Reads what the stories start from.
    public init() throws {
        descriptor = try Descriptor(SimulationSetting.text)
        scripts = try Simulation.scripts(of: descriptor)
        var tree = BlockTree()
        let path = try tree.insert(recorded: "core-regtest", most: 1)
        guard let entry = tree[path[0]] else { throw Failure.noGenesis }
        genesis = (entry.block, entry.filter)
    }

    private enum Failure: Error { case noGenesis }

    /// Tells the story of a seed.
    public func run(seed: UInt64) -> Simulation.Report {
        Simulation.run(seed: seed, descriptor, scripts: scripts, genesis: genesis)
    }
}
