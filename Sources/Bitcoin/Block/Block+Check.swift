import Hashing
public import Wire

extension Block {
    /// Why the transactions are not those that the header commits to, or can be in no block.
    public enum Defect: Error, Hashable, Sendable {
        /// They have another merkle root than the header.
        case wrongMerkleRoot
        /// The list repeats its end, which leaves the root as it is (CVE-2012-2459). The header may
        /// belong to a good block.
        case repeatedTransactions
        /// The first transaction is no coinbase, or there is none.
        case noCoinbase
        /// A coinbase stands behind the first place.
        case misplacedCoinbase(transaction: Int)
        /// More than the four million that are allowed.
        case tooHeavy(weight: Int)
        /// A transaction can be valid in no block.
        case transaction(Int, Transaction.Defect)
        /// Witnesses without a commitment to them.
        case unexpectedWitness
        /// The coinbase's witness is not the single 32 bytes that the commitment hashes.
        case invalidWitnessNonce
        /// The witnesses are not those that the coinbase commits to.
        case wrongWitnessCommitment
    }

    /// Checks everything that needs no other block: merkle root, witness commitment, coinbase,
    /// weight, each transaction by itself. Proof of work is `BlockHeader.provesWork`.
    public func check() throws(Defect) {
        try checkMerkleRoot()
        guard let coinbase = transactions.first, coinbase.isCoinbase else { throw .noCoinbase }
        if let index = transactions.dropFirst().firstIndex(where: \.isCoinbase) {
            throw .misplacedCoinbase(transaction: index)
        }
        // First, for witnesses that somebody changed on the way are not the miner's.
        try checkWitnessCommitment(coinbase)
        guard weight <= Block.maximumWeight else { throw .tooHeavy(weight: weight) }
        for (index, transaction) in transactions.enumerated() {
            do throws(Transaction.Defect) {
                try transaction.check()
            } catch {
                throw .transaction(index, error)
            }
        }
    }

    /// Whether the header commits to exactly these transactions, witnesses aside.
    public func checkMerkleRoot() throws(Defect) {
        let (root, isMutated) = MerkleTree.root(of: transactions.map(\.txid.bytes))
        guard root == header.merkleRoot else { throw .wrongMerkleRoot }
        guard !isMutated else { throw .repeatedTransactions }
    }

    /// Checks the witnesses against the coinbase (BIP141).
    private func checkWitnessCommitment(_ coinbase: Transaction) throws(Defect) {
        guard let commitment = coinbase.witnessCommitment else {
            guard !transactions.contains(where: \.hasWitness) else { throw .unexpectedWitness }
            return
        }
        let items = coinbase.inputs[0].witness.items
        guard items.count == 1, let nonce = Bytes32(items[0]) else { throw .invalidWitnessNonce }
        // The coinbase's own witness is left out of what it commits to.
        let leaves = [.zero] + transactions.dropFirst().map(\.wtxid.bytes)
        let (root, _) = MerkleTree.root(of: leaves)
        guard MerkleTree.hash(root, nonce) == commitment else { throw .wrongWitnessCommitment }
    }
}

extension Transaction {
    /// What a coinbase says of its block's witnesses (BIP141).
    public var witnessCommitment: Bytes32? {
        witnessCommitmentPlace.flatMap { Bytes32(outputs[$0].scriptPubKey.bytes[6..<38]) }
    }

    /// The output that holds it: the last of at least 38 bytes that starts with 6a24aa21a9ed.
    public var witnessCommitmentPlace: Int? {
        outputs.lastIndex {
            $0.scriptPubKey.bytes.starts(with: [0x6A, 0x24, 0xAA, 0x21, 0xA9, 0xED])
                && $0.scriptPubKey.bytes.count >= 38
        }
    }
}

extension Block.Defect: CustomStringConvertible {
    /// One sentence: what and where. Transactions count from 0.
    public var description: String {
        switch self {
        case .wrongMerkleRoot: "the transactions are not those that the header commits to"
        case .repeatedTransactions: "the list of transactions repeats its end"
        case .noCoinbase: "the first transaction is no coinbase"
        case .misplacedCoinbase(let index): "transaction \(index) is a second coinbase"
        case .tooHeavy(let weight): "weight \(weight), at most \(Block.maximumWeight) allowed"
        case .transaction(let index, let defect): "transaction \(index): \(defect)"
        case .unexpectedWitness: "there are witnesses and no commitment to them"
        case .invalidWitnessNonce: "the coinbase's witness is not one item of 32 bytes"
        case .wrongWitnessCommitment: "the witnesses are not those that the coinbase commits to"
        }
    }
}
