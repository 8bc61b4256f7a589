public import Bitcoin
import Chain
import Wire

extension World {
    /// Empty blocks on top of a path: the path with them.
    public mutating func mine(_ count: Int, on path: [BlockHash]) -> [BlockHash] {
        var path = path
        for _ in 0..<count { path.append(mine([], spending: [], on: path)) }
        return path
    }

    /// A block with these transactions behind its coinbase.
    ///
    /// - Parameter spent: the scripts that they spend.
    public mutating func mine(
        _ transactions: [Transaction], spending spent: [Script], on path: [BlockHash],
        reward: Script = Script([0x51])
    ) -> BlockHash {
        let height = path.count
        let parent = path.last.flatMap { tree[$0]?.block.header } ?? parameters.genesis
        var salt = random
        let extra = withUnsafeBytes(of: salt.next()) { [8] + Array($0) }
        random = salt
        let number = [4] + (0..<4).map { UInt8(truncatingIfNeeded: height >> ($0 * 8)) }
        let coinbase = Transaction(
            inputs: [TransactionInput(outpoint: .null, scriptSig: Script(number + extra))],
            outputs: [
                TransactionOutput(
                    value: Amount(sats: 5_000_000_000) ?? .zero, scriptPubKey: reward)
            ])
        let all = [coinbase] + transactions
        var header = BlockHeader(
            version: 4, previous: parent.hash,
            merkleRoot: MerkleTree.root(of: all.map(\.txid.bytes)).root, time: parent.time + 600,
            bits: parent.bits, nonce: 0)
        while !header.provesWork(hash: header.hash, limit: Network.regtest.proofOfWorkLimit) {
            header.nonce += 1
        }
        let block = Block(header: header, transactions: all)
        return tree.insert(block, CompactFilter(block: block, spent: spent).bytes)
    }
}
