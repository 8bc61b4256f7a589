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
            merkleRoot: MerkleTree.root(of: all.map(\.txid.bytes)).root, time: time(after: parent),
            bits: parent.bits, nonce: 0)
        while !header.provesWork(hash: header.hash, limit: Network.regtest.proofOfWorkLimit) {
            header.nonce += 1
        }
        let block = Block(header: header, transactions: all)
        return tree.insert(block, CompactFilter(block: block, spent: spent).bytes)
    }

    /// Ten minutes later, or now if that is sooner.
    private func time(after parent: BlockHeader) -> UInt32 {
        max(parent.time + 1, min(parent.time + 600, UInt32(clamping: trueClock)))
    }

    /// Headers of a branch that leaves a path and has no more work than what it leaves.
    ///
    /// - Parameter depth: headers that it has.
    public mutating func lightBranch(_ depth: Int, beside path: [BlockHash]) -> [BlockHeader] {
        guard path.count > depth, var parent = tree[path[path.count - 1 - depth]]?.block.header
        else { return [] }
        return (0..<depth).map { _ in
            var salt = random
            let root = Bytes32 { $0.storeBytes(of: salt.next(), as: UInt64.self) }
            random = salt
            var header = BlockHeader(
                version: 4, previous: parent.hash, merkleRoot: root, time: parent.time + 1,
                bits: parent.bits, nonce: 0)
            while !header.provesWork(hash: header.hash, limit: Network.regtest.proofOfWorkLimit) {
                header.nonce += 1
            }
            parent = header
            return header
        }
    }
}
