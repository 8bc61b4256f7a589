import Hashing
import Wire

/// A transaction, signed or not. Any bytes that parse give back the same bytes.
///
/// `check()` tells whether it could be valid at all.
public struct Transaction: Hashable, Sendable {
    /// 2 enables relative locks (BIP68).
    public var version: UInt32
    /// What it spends.
    public var inputs: [TransactionInput]
    /// What it pays.
    public var outputs: [TransactionOutput]
    /// When it may be in a block.
    public var lockTime: LockTime

    /// A transaction from its parts.
    public init(
        version: UInt32 = 2, inputs: [TransactionInput], outputs: [TransactionOutput],
        lockTime: LockTime = .none
    ) {
        self.version = version
        self.inputs = inputs
        self.outputs = outputs
        self.lockTime = lockTime
    }

    /// Whether any input has a witness.
    public var hasWitness: Bool { inputs.contains { !$0.witness.isEmpty } }

    /// Whether it creates the coins of a block: one input that spends nothing.
    public var isCoinbase: Bool { inputs.count == 1 && inputs[0].outpoint == .null }

    /// Whether nLockTime binds: it does unless every input is final.
    public var lockTimeIsEnforced: Bool { inputs.contains { !$0.sequence.isFinal } }

    /// Names it, whatever its witnesses. Hashes the whole transaction: keep the result.
    public var txid: Txid { Txid(SHA256.doubleHash(serialized(.withoutWitness))) }

    /// Names it with its witnesses. Hashes the whole transaction: keep the result.
    public var wtxid: Wtxid { Wtxid(SHA256.doubleHash(serialized(.withWitness))) }

    /// The same without any witness.
    public var withoutWitness: Transaction {
        var copy = self
        for index in copy.inputs.indices { copy.inputs[index].witness = .empty }
        return copy
    }

    /// Four for each byte outside witnesses, one for each byte of them (BIP141).
    public var weight: Int { baseSize * 4 + witnessSize }

    /// A quarter of the weight, rounded up: what fees are paid for.
    public var vsize: Int { (weight + 3) / 4 }

    /// Bytes without witnesses.
    public var baseSize: Int {
        inputs.reduce(outputs.reduce(0) { $0 + $1.serializedSize }) { $0 + $1.baseSize }
            + compactSizeLength(inputs.count) + compactSizeLength(outputs.count) + 8
    }

    /// Bytes with marker, flag and witnesses, if it has any.
    public var totalSize: Int { baseSize + witnessSize }

    private var witnessSize: Int {
        hasWitness ? inputs.reduce(2) { $0 + $1.witness.serializedSize } : 0
    }
}
