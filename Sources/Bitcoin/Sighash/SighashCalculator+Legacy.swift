import Hashing
public import Wire

extension SighashCalculator {
    /// The hash that signatures of inputs from before segwit commit to.
    ///
    /// With SINGLE at an input that has no output beside it the result is the number 1, as consensus
    /// has it: such a signature signs everything, never make one.
    ///
    /// - Parameter scriptCode: the scriptPubKey, or the redeemScript of P2SH; executed
    ///   OP_CODESEPARATORs cut off, the signature itself deleted (`Script.deleting`).
    public func legacy(
        input index: Int, scriptCode: Script, type: SighashType
    ) throws(SighashError) -> Bytes32 {
        let input = try checkInput(index)
        if type.isSingle, index >= transaction.outputs.count { return SighashCalculator.one }
        let code = scriptCode.withoutCodeSeparators
        var hash = SHA256()
        if type.isAnyoneCanPay || type.isNone || type.isSingle {
            hash.update(partialPreimage(index, input, code, type))
        } else {
            let start = blankedInputsStart + 41 * index
            blanked.withUnsafeBytes { bytes in
                hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<(start + 36)]))
                var writer = Writer(capacity: code.serializedSize)
                writer.writeVarBytes(code.bytes)
                hash.update(writer.bytes)
                // One byte, the empty script's length, gives way to the script.
                hash.update(UnsafeRawBufferPointer(rebasing: bytes[(start + 37)...]))
            }
        }
        var tail = Writer(capacity: 4)
        tail.write(type.rawValue)
        hash.update(tail.bytes)
        return hash.finalizeDouble()
    }

    /// The number 1, little-endian.
    private static let one = Bytes32 { $0[0] = 1 }

    /// The transaction as NONE, SINGLE and ANYONECANPAY see it.
    private func partialPreimage(
        _ index: Int, _ input: TransactionInput, _ code: Script, _ type: SighashType
    ) -> [UInt8] {
        let others = type.isAnyoneCanPay ? [] : transaction.inputs
        var writer = Writer(capacity: 64 + code.bytes.count + 41 * others.count)
        writer.write(transaction.version)
        writer.writeCompactSize(max(1, others.count))
        let signed = TransactionInput(
            outpoint: input.outpoint, scriptSig: code, sequence: input.sequence)
        if others.isEmpty { signed.write(to: &writer) }
        for (place, other) in others.enumerated() {
            guard place != index else {
                signed.write(to: &writer)
                continue
            }
            let hidesSequence = type.isNone || type.isSingle
            TransactionInput(
                outpoint: other.outpoint,
                sequence: hidesSequence ? SequenceNumber(rawValue: 0) : other.sequence
            ).write(to: &writer)
        }
        writeOutputs(to: &writer, index, type)
        writer.write(transaction.lockTime.rawValue)
        return writer.bytes
    }

    private func writeOutputs(to writer: inout Writer, _ index: Int, _ type: SighashType) {
        if type.isNone {
            writer.writeCompactSize(0)
        } else if type.isSingle {
            writer.writeCompactSize(index + 1)
            for _ in 0..<index {
                // A blanked output: value -1, empty script.
                writer.write(UInt64.max)
                writer.writeCompactSize(0)
            }
            transaction.outputs[index].write(to: &writer)
        } else {
            writer.writeCompactSize(transaction.outputs.count)
            for output in transaction.outputs { output.write(to: &writer) }
        }
    }
}

extension Script {
    /// The script without any OP_CODESEPARATOR. Where a push breaks off, the rest stays as it is.
    var withoutCodeSeparators: Script {
        guard bytes.contains(Opcode.codeSeparator.rawValue) else { return self }
        var kept: [UInt8] = []
        var copied = 0
        var reader = ScriptReader(self)
        while let instruction = try? reader.next() {
            guard instruction.opcode == .codeSeparator else { continue }
            kept += bytes[copied..<instruction.offset]
            copied = reader.offset
        }
        return copied == 0 ? self : Script(kept + bytes[copied...])
    }

    /// The script without every push of `signature`, as legacy OP_CHECKSIG hashes it
    /// (`FindAndDelete`). Matches count only where an instruction starts.
    public func deleting(pushOf signature: [UInt8]) -> Script {
        var push = ScriptBuilder()
        push.pushDirectly(signature)
        let pattern = push.script.bytes
        var kept: [UInt8] = []
        var copied = 0
        var reader = ScriptReader(self)
        var next = 0
        while next < bytes.count {
            if bytes[next...].starts(with: pattern) {
                kept += bytes[copied..<next]
                next += pattern.count
                copied = next
                reader = ScriptReader(self, offset: next)
                continue
            }
            guard (try? reader.next()) != nil else { break }
            next = reader.offset
        }
        return Script(kept + bytes[copied...])
    }
}
