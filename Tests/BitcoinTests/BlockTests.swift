import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Blocks")
struct BlockTests {
    /// The blocks of a file, each as bytes.
    static func records(_ name: String) throws -> [[UInt8]] {
        var reader = Reader(try Fixture.bytes("blocks/\(name).bin"))
        var records: [[UInt8]] = []
        while !reader.isAtEnd { records.append(try reader.read(Int(reader.readUInt32()))) }
        return records
    }

    @Test(
        "Real blocks read, write back, pass all checks and prove their work",
        arguments: [
            ("mainnet-1-255", 255, Network.mainnet), ("mainnet-13b8a", 1, .mainnet),
            ("mainnet-413567", 1, .mainnet), ("testnet3", 11, .testnet3),
            ("signet-0-120", 121, .signet), ("regtest", 206, .regtest),
            ("regtest-reorg", 21, .regtest),
        ])
    func real(name: String, count: Int, network: Network) throws {
        let records = try Self.records(name)
        #expect(records.count == count)
        for bytes in records {
            let block = try Block(bytes)
            #expect(block.serialized == bytes)
            try block.check()
            #expect(
                block.header.provesWork(
                    hash: block.header.hash, limit: network.proofOfWorkLimit))
        }
    }

    @Test("Runs of blocks are linked, and start at the genesis that each network has")
    func links() throws {
        for (name, network) in [
            ("mainnet-1-255", Network.mainnet), ("signet-0-120", .signet), ("regtest", .regtest),
        ] {
            var previous = network.genesis.hash
            for bytes in try Self.records(name) {
                let header = try Block(bytes).header
                if header != network.genesis { #expect(header.previous == previous) }
                previous = header.hash
            }
        }
        let testnet = try Block(try Self.records("testnet3")[1])
        #expect(testnet.header == Network.testnet3.genesis)
    }

    @Test("Block 413567 has its 1557 transactions and its size")
    func big() throws {
        let bytes = try #require(try Self.records("mainnet-413567").first)
        let block = try Block(bytes)
        #expect(block.transactions.count == 1_557)
        #expect(block.weight == bytes.count * 4)
        #expect(
            block.header.hash.description
                == "0000000000000000025aff8be8a55df8f89c77296db6198f272d6577325d4069")
    }

    @Test("CVE-2012-2459: a list that repeats its end keeps the root and is refused")
    func repeatedTransactions() throws {
        let block = try #require(
            try Self.records("mainnet-413567").map { try Block($0) }.first)
        var odd = block
        odd.transactions.removeLast(block.transactions.count - 3)
        odd.header.merkleRoot = MerkleTree.root(of: odd.transactions.map(\.txid.bytes)).root
        try odd.check()
        var repeated = odd
        repeated.transactions.append(repeated.transactions[2])
        #expect(throws: Block.Defect.repeatedTransactions) { try repeated.check() }
        var six = odd
        six.transactions += block.transactions[3..<6]
        six.header.merkleRoot = MerkleTree.root(of: six.transactions.map(\.txid.bytes)).root
        try six.check()
        six.transactions += six.transactions[4..<6]
        #expect(throws: Block.Defect.repeatedTransactions) { try six.check() }
    }

    @Test("Every change of a segwit block is found: order, witness, nonce, commitment, coinbase")
    func changes() throws {
        let blocks = try Self.records("signet-0-120").map { try Block($0) }
        let block = try #require(blocks.first { $0.transactions[0].witnessCommitment != nil })
        func expect(_ defect: Block.Defect, _ change: (inout Block) -> Void) {
            var changed = block
            change(&changed)
            #expect(throws: defect) { try changed.check() }
        }
        expect(.wrongMerkleRoot) { $0.transactions[0].lockTime = LockTime(rawValue: 9) }
        expect(.wrongMerkleRoot) { $0.transactions = [] }
        expect(.invalidWitnessNonce) { $0.transactions[0].inputs[0].witness = .empty }
        expect(.wrongWitnessCommitment) {
            $0.transactions[0].inputs[0].witness.items[0][0] ^= 1
        }
        func rooted(_ change: @escaping (inout Block) -> Void) -> (inout Block) -> Void {
            {
                change(&$0)
                let txids = $0.transactions.map(\.txid.bytes)
                $0.header.merkleRoot = MerkleTree.root(of: txids).root
            }
        }
        expect(.noCoinbase, rooted { $0.transactions = [] })
        expect(
            .misplacedCoinbase(transaction: 1),
            rooted { block in
                var second = block.transactions[0]
                second.lockTime = LockTime(rawValue: 9)
                block.transactions.append(second)
            })
        expect(
            .unexpectedWitness,
            rooted { block in
                block.transactions[0].outputs.removeAll { $0.scriptPubKey.isUnspendable }
            })
        expect(
            .transaction(0, .noOutputs),
            rooted { block in
                block.transactions[0].inputs[0].witness = .empty
                block.transactions[0].outputs = []
            })
        // An output of so many bytes: its value, the length of its script, the script.
        expect(
            .tooHeavy(weight: block.weight + 4 * (8 + 5 + 1_000_000)),
            rooted { block in
                let script = Script([UInt8](repeating: 0x6A, count: 1_000_000))
                block.transactions[0].outputs.append(
                    TransactionOutput(value: .zero, scriptPubKey: script))
            })
        // What nobody committed to can be added by whoever passes a block on.
        expect(.invalidWitnessNonce) {
            $0.transactions[0].inputs[0].witness.items[0] += [UInt8](
                repeating: 0, count: 4_000_000)
        }
    }

    @Test("A shortened block is refused wherever it ends, a lengthened one too")
    func lengths() throws {
        let bytes = try #require(try Self.records("mainnet-13b8a").first)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: TransactionError.self) { try Block(Array(bytes[..<count])) }
        }
        #expect(throws: TransactionError.self) { try Block(bytes + [0]) }
    }

    @Test("A transaction of 64 bytes looks like two hashes")
    func sixtyFourBytes() {
        let output = TransactionOutput(value: .zero, scriptPubKey: .p2a)
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: .null)], outputs: [output])
        #expect(transaction.baseSize == 64)
        #expect(transaction.canPoseAsMerkleNode)
    }
}
