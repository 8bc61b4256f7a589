import Bitcoin
import Chain
import Hashing
import TestSupport
import Wire

/// Headers and blocks for tests.
enum TestChain {
    /// Headers of regtest that follow `previous`, ten minutes apart, with proof of work.
    ///
    /// - Parameter branch: makes the headers differ from those of other branches.
    static func mine(
        _ count: Int, after previous: BlockHeader = Network.regtest.genesis, branch: UInt8 = 0
    ) -> [BlockHeader] {
        var headers: [BlockHeader] = []
        headers.reserveCapacity(count)
        var last = previous
        var hash = previous.hash
        for _ in 0..<count {
            last = mine(after: hash, time: last.time + 600, branch: branch)
            hash = last.hash
            headers.append(last)
        }
        return headers
    }

    /// One header of regtest with proof of work.
    static func mine(
        after hash: BlockHash, time: UInt32, version: Int32 = 4, branch: UInt8 = 0
    ) -> BlockHeader {
        var header = BlockHeader(
            version: version, previous: hash, merkleRoot: SHA256.hash([branch]), time: time,
            bits: Network.regtest.genesis.bits, nonce: 0)
        while !header.provesWork(hash: header.hash, limit: Network.regtest.proofOfWorkLimit) {
            header.nonce += 1
        }
        return header
    }

    /// The headers of a file of 80 bytes each.
    static func headers(_ name: String) throws -> [BlockHeader] {
        var reader = Reader(try Fixture.bytes("headers/\(name).bin"))
        var headers: [BlockHeader] = []
        while !reader.isAtEnd { headers.append(try BlockHeader(from: &reader)) }
        return headers
    }

    /// A block of the recorded chain with what Bitcoin Core says of its filter.
    struct Record {
        let block: Block
        let filter: [UInt8]
        let filterHeader: Bytes32
    }

    /// The blocks of the recorded chain or of one of its forks.
    static func records(_ name: String = "core-regtest") throws -> [Record] {
        var reader = Reader(try Fixture.bytes("chain/\(name).bin"))
        var records: [Record] = []
        while !reader.isAtEnd {
            let block = try Block(reader.read(Int(reader.readUInt32())))
            let filter = try reader.read(Int(reader.readUInt32()))
            records.append(
                Record(block: block, filter: filter, filterHeader: try reader.readBytes32()))
        }
        return records
    }

    /// The alternate chain of mainnet, heights 1 to 2016.
    static func alternateMainnet() throws -> [BlockHeader] {
        var reader = Reader(try Fixture.bytes("headers/mainnet-alt.bin"))
        let program = try Hex.decode("76a914eadbac7f36c37e39361168b7aaee3cb24a25312d88ac")
        var headers: [BlockHeader] = []
        var previous = Network.mainnet.genesis.hash
        for height in 1...2016 {
            var scriptSig = Script.build { $0.push(number: Int64(height)) }
            // Core's test pushes the numbers up to 16 by their opcodes and fills up to two bytes.
            if height <= 16 { scriptSig = Script(scriptSig.bytes + [0]) }
            let coinbase = Transaction(
                version: 2, inputs: [TransactionInput(outpoint: .null, scriptSig: scriptSig)],
                outputs: [
                    TransactionOutput(
                        value: Amount(sats: 5_000_000_000) ?? .zero, scriptPubKey: Script(program))
                ])
            let header = BlockHeader(
                version: 0x2000_0000, previous: previous, merkleRoot: coinbase.txid.bytes,
                time: try reader.readUInt32(),
                bits: CompactTarget(rawValue: height < 2016 ? 0x1D00_FFFF : 0x1C3F_FFC0),
                nonce: try reader.readUInt32())
            headers.append(header)
            previous = header.hash
        }
        return headers
    }
}

extension RandomAccessCollection where Index == Int {
    /// The elements in runs of at most `size`.
    func parts(of size: Int) -> [[Element]] {
        stride(from: startIndex, to: endIndex, by: size).map {
            Array(self[$0..<Swift.min($0 + size, endIndex)])
        }
    }
}
