import Hashing
public import Wire

extension SighashCalculator {
    /// The hash that a taproot key path signature commits to (BIP341).
    ///
    /// - Parameter annex: the annex with its leading 0x50, if the witness will carry one.
    public func taprootKeyPath(
        input index: Int, type: SighashType = .default, annex: [UInt8]? = nil
    ) throws(SighashError) -> Bytes32 {
        try taproot(index, type, annex, leaf: nil)
    }

    /// The hash that a signature inside a tapscript commits to (BIP342).
    ///
    /// - Parameters:
    ///   - leafHash: names the leaf, see `TapLeaf.hash`.
    ///   - annex: the annex with its leading 0x50, if the witness will carry one.
    ///   - codeSeparatorPosition: the place, counted in instructions, of the last executed
    ///     OP_CODESEPARATOR; none by default.
    public func taprootScriptPath(
        input index: Int, leafHash: Bytes32, type: SighashType = .default, annex: [UInt8]? = nil,
        codeSeparatorPosition: UInt32 = .max
    ) throws(SighashError) -> Bytes32 {
        try taproot(index, type, annex, leaf: (leafHash, codeSeparatorPosition))
    }

    private static let tag = TaggedHash(tag: "TapSighash")

    private func taproot(
        _ index: Int, _ type: SighashType, _ annex: [UInt8]?,
        leaf: (hash: Bytes32, codeSeparatorPosition: UInt32)?
    ) throws(SighashError) -> Bytes32 {
        let input = try checkInput(index)
        guard type.isValidForTaproot else { throw .invalidTaprootType(type) }
        guard annex.map({ $0.first == 0x50 }) ?? true else { throw .invalidAnnex }
        var writer = Writer(capacity: 256)
        writer.write(UInt8(0))  // epoch
        writer.write(UInt8(type.rawValue))
        writer.write(transaction.version)
        writer.write(transaction.lockTime.rawValue)
        if !type.isAnyoneCanPay { try writeShared(to: &writer) }
        if !type.isNone, !type.isSingle { writer.write(outputsHash) }
        writer.write(UInt8((leaf == nil ? 0 : 2) + (annex == nil ? 0 : 1)))
        if type.isAnyoneCanPay {
            input.outpoint.write(to: &writer)
            try spentOutput(index).write(to: &writer)
            writer.write(input.sequence.rawValue)
        } else {
            writer.write(UInt32(index))
        }
        if let annex { writer.write(SighashCalculator.hash { $0.writeVarBytes(annex) }) }
        if type.isSingle {
            guard index < transaction.outputs.count else { throw .noOutputForSingle(input: index) }
            writer.write(SHA256.hash(transaction.outputs[index].serialized))
        }
        if let leaf {
            writer.write(leaf.hash)
            writer.write(UInt8(0))  // key version
            writer.write(leaf.codeSeparatorPosition)
        }
        return SighashCalculator.tag.hash(writer.bytes)
    }

    private func writeShared(to writer: inout Writer) throws(SighashError) {
        guard let amountsHash, let scriptPubKeysHash else {
            throw .unknownSpentOutput(input: spentOutputs.firstIndex { $0 == nil } ?? 0)
        }
        writer.write(outpointsHash)
        writer.write(amountsHash)
        writer.write(scriptPubKeysHash)
        writer.write(sequencesHash)
    }
}
