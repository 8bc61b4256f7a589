import Bitcoin
import Descriptors
import TestSupport
import Watch
import Wire

/// The chain that a real Bitcoin Core made, its forks, and what Core said of seventeen wallets.
struct RecordedChain {
    let blocks: [Block]

    /// The chain, heights 0 to 2033.
    static func load() throws -> RecordedChain {
        RecordedChain(blocks: try blocks(of: "core-regtest"))
    }

    /// The blocks of the branch that leaves the chain `depth` blocks below its tip.
    static func fork(_ depth: Int) throws -> [Block] {
        try blocks(of: "core-regtest-fork-\(depth)")
    }

    private static func blocks(of name: String) throws -> [Block] {
        var reader = Reader(try Fixture.bytes("chain/\(name).bin"))
        var blocks: [Block] = []
        while !reader.isAtEnd {
            blocks.append(try Block(reader.read(Int(reader.readUInt32()))))
            _ = try reader.read(Int(reader.readUInt32()))
            _ = try reader.read(32)
        }
        return blocks
    }
}

/// What Core said of a wallet at the tip.
struct RecordedWallet {
    let name: String
    let descriptor: Descriptor
    let confirmed: UInt64
    /// The txid, output, satoshis and height of each coin.
    let coins: Set<String>
    let txids: Set<String>

    private struct Expected: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let confirmed: UInt64
            let coins: [Coin]
            let txids: [String]
        }

        struct Coin: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                var fields = try decoder.unkeyedContainer()
                let txid = try fields.decode(String.self)
                let rest = try (0..<3).map { _ in try fields.decode(UInt64.self) }
                text = "\(txid):\(rest[0]) \(rest[1]) \(rest[2])"
            }
        }
    }

    private struct Descriptors: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let descriptor: String
        }
    }

    static func all() throws -> [RecordedWallet] {
        let descriptors: Descriptors = try Fixture.load("descriptors/core-wallets.json")
        let texts = Dictionary(
            uniqueKeysWithValues: descriptors.wallets.map { ($0.name, $0.descriptor) })
        let expected: Expected = try Fixture.load("watch/core-regtest.json")
        return try expected.wallets.map {
            RecordedWallet(
                name: $0.name, descriptor: try Descriptor(texts[$0.name] ?? ""),
                confirmed: $0.confirmed, coins: Set($0.coins.map(\.text)), txids: Set($0.txids))
        }
    }
}

extension WatchedWallet {
    /// As the fixture writes coins.
    var coinTexts: Set<String> {
        Set(
            unspent.map {
                "\($0.outpoint.txid):\($0.outpoint.vout) \($0.output.value.sats) \($0.height)"
            })
    }

    mutating func applyAll(_ blocks: some Sequence<Block>, from height: UInt32 = 0) throws {
        var height = height
        for block in blocks {
            _ = try apply(block, at: height)
            height += 1
        }
    }
}
