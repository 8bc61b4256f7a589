import Hashing
import Wire

/// Computes what the signatures of one transaction commit to.
///
/// What inputs have in common is hashed once, so segwit and taproot hashes cost the same for each
/// input however many there are. A legacy hash covers the whole transaction each time; the bytes
/// for it are laid out once.
public struct SighashCalculator: Sendable {
    /// The transaction to sign; scriptSigs and witnesses do not matter.
    public let transaction: Transaction
    /// The outputs it spends, in the order of the inputs; nil where unknown.
    public let spentOutputs: [TransactionOutput?]

    /// Single SHA-256 over outpoints, sequence numbers, outputs; BIP143 hashes each once more.
    let outpointsHash, sequencesHash, outputsHash: Bytes32
    /// Nil if a spent output is unknown.
    let amountsHash, scriptPubKeysHash: Bytes32?
    /// The transaction without scriptSigs and witnesses, as SIGHASH_ALL lays it out.
    let blanked: [UInt8]
    /// Where the inputs start in `blanked`; each takes 41 bytes.
    let blankedInputsStart: Int

    /// Prepares the shared hashes.
    ///
    /// - Parameter spentOutputs: one for each input, nil where unknown. Legacy hashes need none,
    ///   BIP143 the input's own, taproot all (with ANYONECANPAY only the input's own).
    /// - Precondition: there are as many spent outputs as inputs.
    public init(_ transaction: Transaction, spentOutputs: [TransactionOutput?]) {
        precondition(spentOutputs.count == transaction.inputs.count)
        self.transaction = transaction
        self.spentOutputs = spentOutputs
        var blank = transaction.withoutWitness
        for index in blank.inputs.indices { blank.inputs[index].scriptSig = .empty }
        blanked = blank.serialized(.withoutWitness)
        blankedInputsStart = 4 + compactSizeLength(transaction.inputs.count)

        outpointsHash = SighashCalculator.hash { writer in
            for input in transaction.inputs { input.outpoint.write(to: &writer) }
        }
        sequencesHash = SighashCalculator.hash { writer in
            for input in transaction.inputs { writer.write(input.sequence.rawValue) }
        }
        outputsHash = SighashCalculator.hash { writer in
            for output in transaction.outputs { output.write(to: &writer) }
        }
        let known = spentOutputs.compactMap { $0 }
        let amounts = SighashCalculator.hash { writer in
            for output in known { writer.write(output.value.sats) }
        }
        let scriptPubKeys = SighashCalculator.hash { writer in
            for output in known { writer.writeVarBytes(output.scriptPubKey.bytes) }
        }
        let isComplete = known.count == spentOutputs.count
        amountsHash = isComplete ? amounts : nil
        scriptPubKeysHash = isComplete ? scriptPubKeys : nil
    }

    /// The SHA-256 of what `write` writes.
    static func hash(_ write: (inout Writer) -> Void) -> Bytes32 {
        var writer = Writer()
        write(&writer)
        return SHA256.hash(writer.bytes)
    }

    func checkInput(_ index: Int) throws(SighashError) -> TransactionInput {
        guard transaction.inputs.indices.contains(index) else {
            throw .noSuchInput(index, count: transaction.inputs.count)
        }
        return transaction.inputs[index]
    }

    func spentOutput(_ index: Int) throws(SighashError) -> TransactionOutput {
        guard let output = spentOutputs[index] else { throw .unknownSpentOutput(input: index) }
        return output
    }
}
