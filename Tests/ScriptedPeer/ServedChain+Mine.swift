public import Bitcoin
public import Chain
import Wire

extension ServedChain {
    /// A chain of regtest of its genesis block alone.
    public static func genesis() -> ServedChain {
        var chain = ServedChain()
        let header = ChainParameters(.regtest).genesis
        // Nothing in it can be spent, so nobody asks for the block itself.
        let block = Block(header: header, transactions: [])
        chain.append(
            header: header, block: block.serialized,
            filter: CompactFilter(block: block, spent: []).bytes)
        return chain
    }

    /// This chain with so many blocks behind it, each of which pays its coinbase to the script that
    /// belongs to its height.
    public func mined(
        _ count: Int, paying script: (Int) -> Script = { _ in Script([0x51]) }
    ) -> ServedChain {
        mined(count, paying: script) { block, _ in CompactFilter(block: block, spent: []) }
    }

    /// The same, with filters that have more in them than what a block pays.
    public func mined(
        _ count: Int, paying script: (Int) throws -> Script,
        filter: (Block, Int) throws -> CompactFilter
    ) rethrows -> ServedChain {
        var chain = self
        for _ in 0..<count {
            let height = chain.tipHeight + 1
            let coinbase = Transaction(
                version: 2,
                inputs: [
                    TransactionInput(
                        outpoint: .null,
                        scriptSig: Script.build {
                            $0.push(number: Int64(height))
                            $0.push(number: 1000)
                        })
                ],
                outputs: [
                    TransactionOutput(
                        value: Amount(sats: 2_500_000_000) ?? .zero,
                        scriptPubKey: try script(height))
                ])
            let last = chain.headers[height - 1]
            var header = BlockHeader(
                version: 0x2000_0000, previous: chain.hashes[height - 1],
                merkleRoot: coinbase.txid.bytes, time: last.time + 1,
                bits: ChainParameters(.regtest).genesis.bits, nonce: 0)
            while !header.provesWork(hash: header.hash, limit: Network.regtest.proofOfWorkLimit) {
                header.nonce += 1
            }
            let block = Block(header: header, transactions: [coinbase])
            chain.append(
                header: header, block: block.serialized, filter: try filter(block, height).bytes)
        }
        return chain
    }
}
