import Curve
import Hashing
import Wire

extension SignedMessage {
    /// Checks a signature in its text form, with or without a prefix, against a script.
    ///
    /// It tells about single-key scripts: P2PKH, P2WPKH, that nested in P2SH, and the key path of
    /// P2TR. Of other scripts it only says when the signature cannot belong to them.
    public static func verify(
        _ signature: String, message: [UInt8], scriptPubKey: Script
    ) -> MessageVerdict {
        guard !signature.hasPrefix(proofOfFundsPrefix) else { return .inconclusive(.proofOfFunds) }
        do throws(MessageVerdict.Fault) {
            let transaction = try decode(signature, message: message, scriptPubKey: scriptPubKey)
            guard transaction.inputs.count == 1 else { return .inconclusive(.proofOfFunds) }
            guard [0, 2].contains(transaction.version) else {
                return .inconclusive(.unknownVersion)
            }
            if let reason = try check(transaction, scriptPubKey) { return .inconclusive(reason) }
            return .valid(
                lockTime: transaction.lockTime, sequence: transaction.inputs[0].sequence)
        } catch {
            return .invalid(error)
        }
    }

    /// The signed transaction, once it is the one for this message and script.
    private static func decode(
        _ text: String, message: [UInt8], scriptPubKey: Script
    ) throws(MessageVerdict.Fault) -> Transaction {
        let isSimple = text.hasPrefix(simplePrefix)
        let isFull = text.hasPrefix(fullPrefix)
        guard let bytes = try? Base64.decode(isSimple || isFull ? text.dropFirst(3) : text[...])
        else { throw .notBase64 }
        var expected = toSign(message: message, scriptPubKey: scriptPubKey)
        if !isFull, let witness = try? Witness(bytes) {
            expected.inputs[0].witness = witness
            if case .p2sh(let hash) = scriptPubKey.template, let last = witness.items.last {
                // The simple form leaves out the redeemScript, which follows from the last item.
                let programs = [Script.p2wpkh(hash160(last)), .p2wsh(SHA256.hash(last))]
                guard let redeemScript = programs.first(where: { hash160($0.bytes) == hash })
                else { throw .wrongSignature }
                expected.inputs[0].scriptSig = Script.build { $0.push(redeemScript.bytes) }
            }
            return expected
        }
        guard !isSimple, let transaction = try? Transaction(bytes) else { throw .malformed }
        guard transaction.outputs == expected.outputs,
            transaction.inputs.first?.outpoint == expected.inputs[0].outpoint
        else { throw .wrongTransaction }
        return transaction
    }

    /// Nil when the signature holds.
    private static func check(
        _ transaction: Transaction, _ scriptPubKey: Script
    ) throws(MessageVerdict.Fault) -> MessageVerdict.Reason? {
        let input = transaction.inputs[0]
        let checker = Checker(
            SighashCalculator(
                transaction,
                spentOutputs: [TransactionOutput(value: .zero, scriptPubKey: scriptPubKey)]))
        switch scriptPubKey.template {
        case .p2pkh(let hash):
            guard input.witness.isEmpty, let pushes = minimalPushes(input.scriptSig) else {
                throw .wrongSignature
            }
            try checker.checkECDSA(pushes, keyHash: hash, isSegwit: false)
        case .p2wpkh(let hash):
            guard input.scriptSig.isEmpty else { throw .wrongSignature }
            try checker.checkECDSA(input.witness.items, keyHash: hash, isSegwit: true)
        case .p2sh(let hash):
            guard let redeemScript = minimalPushes(input.scriptSig)?.last.map({ Script($0) }),
                hash160(redeemScript.bytes) == hash
            else { throw .wrongSignature }
            guard case .p2wpkh(let keyHash) = redeemScript.template else {
                return .needsInterpreter
            }
            guard minimalPushes(input.scriptSig)?.count == 1 else { throw .wrongSignature }
            try checker.checkECDSA(input.witness.items, keyHash: keyHash, isSegwit: true)
        case .p2tr(let key):
            guard input.scriptSig.isEmpty, !input.witness.isEmpty else { throw .wrongSignature }
            guard input.witness.items.count == 1 else {
                return try checkTaprootScript(input.witness, key)
            }
            try checker.checkSchnorr(input.witness.items[0], outputKey: key)
        case .p2wsh(let hash):
            guard input.scriptSig.isEmpty, let script = input.witness.items.last,
                SHA256.hash(script) == hash
            else { throw .wrongSignature }
            return .needsInterpreter
        case .unknownWitness, .p2a: return .unknownVersion
        case .p2pk, .multisig, .nonstandard: return .needsInterpreter
        case .opReturn: return .noSuchAddress
        }
        return nil
    }

    private static func checkTaprootScript(
        _ witness: Witness, _ outputKey: Bytes32
    ) throws(MessageVerdict.Fault) -> MessageVerdict.Reason {
        guard witness.annex == nil else { return .unknownVersion }
        guard let last = witness.items.last,
            let control = try? ControlBlock(last),
            control.proves(Script(witness.items[witness.items.count - 2]), in: outputKey)
        else { throw .wrongSignature }
        return .needsInterpreter
    }

    /// What a script of nothing but the shortest pushes leaves on the stack.
    private static func minimalPushes(_ script: Script) -> [[UInt8]]? {
        guard let instructions = try? script.instructions(),
            instructions.allSatisfy(\.isMinimalPush)
        else { return nil }
        return instructions.compactMap(\.pushed)
    }
}

/// Checks the one signature of a single-key script.
private struct Checker {
    let calculator: SighashCalculator

    init(_ calculator: SighashCalculator) { self.calculator = calculator }

    /// A signature and the key that hashes to `keyHash`.
    func checkECDSA(
        _ items: [[UInt8]], keyHash: Bytes20, isSegwit: Bool
    ) throws(MessageVerdict.Fault) {
        guard items.count == 2, hash160(items[1]) == keyHash, !isSegwit || items[1].count == 33,
            let key = try? PublicKey(items[1]), let type = items[0].last
        else { throw .wrongSignature }
        guard type == 1 else { throw .wrongSighashType }
        guard let signature = try? ECDSASignature(der: Array(items[0].dropLast())),
            signature.isLowS
        else { throw .malleableSignature }
        let code = Script.p2pkh(keyHash)
        let hash =
            isSegwit
            ? try? calculator.segwitV0(input: 0, scriptCode: code, type: .all)
            : try? calculator.legacy(input: 0, scriptCode: code, type: .all)
        guard let hash, key.verifies(signature, digest: hash) else { throw .wrongSignature }
    }

    /// A signature by the output key itself.
    func checkSchnorr(_ item: [UInt8], outputKey: Bytes32) throws(MessageVerdict.Fault) {
        guard item.count == 64 || item.count == 65 else { throw .wrongSignature }
        guard item.count == 64 || item[64] == 1 else { throw .wrongSighashType }
        guard let signature = try? SchnorrSignature(Array(item[..<64])),
            let key = try? XOnlyPublicKey(outputKey),
            let hash = try? calculator.taprootKeyPath(
                input: 0, type: item.count == 64 ? .default : .all),
            key.verifies(signature, message: hash)
        else { throw .wrongSignature }
    }
}
