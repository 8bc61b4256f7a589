import Hashing
public import Wire

extension SighashCalculator {
    /// The hash that signatures of P2WPKH and P2WSH inputs commit to (BIP143), nested ones too.
    ///
    /// - Parameter scriptCode: for P2WPKH the P2PKH script of the same hash, for P2WSH the
    ///   witnessScript, from behind the last executed OP_CODESEPARATOR.
    public func segwitV0(
        input index: Int, scriptCode: Script, type: SighashType
    ) throws(SighashError) -> Bytes32 {
        let input = try checkInput(index)
        let spent = try spentOutput(index)
        let coversOutputs = !type.isNone && !type.isSingle
        var writer = Writer(capacity: 160 + scriptCode.serializedSize)
        writer.write(transaction.version)
        writer.write(type.isAnyoneCanPay ? .zero : SHA256.hash(outpointsHash))
        writer.write(
            type.isAnyoneCanPay || !coversOutputs ? .zero : SHA256.hash(sequencesHash))
        input.outpoint.write(to: &writer)
        writer.writeVarBytes(scriptCode.bytes)
        writer.write(spent.value.sats)
        writer.write(input.sequence.rawValue)
        if coversOutputs {
            writer.write(SHA256.hash(outputsHash))
        } else if type.isSingle, index < transaction.outputs.count {
            writer.write(SHA256.doubleHash(transaction.outputs[index].serialized))
        } else {
            writer.write(Bytes32.zero)
        }
        writer.write(transaction.lockTime.rawValue)
        writer.write(type.rawValue)
        return SHA256.doubleHash(writer.bytes)
    }
}
