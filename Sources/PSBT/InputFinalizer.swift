import Bitcoin
import Hashing
import Wire

/// Builds the final scripts of inputs.
struct InputFinalizer {
    typealias State = FinalizationError.InputState
    /// Why there are no final scripts.
    struct Shortfall: Error {
        let state: State
        init(_ state: State) { self.state = state }
    }

    private let psbt: PSBT
    private let satisfier: (any ScriptSatisfier)?
    private let checker: SignatureChecker
    private let verified: Set<SignatureRecord>

    init(
        _ psbt: PSBT, _ satisfier: (any ScriptSatisfier)?
    ) throws(UnsignedTransactionError) {
        self.init(psbt, satisfier, try SignatureChecker(psbt))
    }

    /// - Parameter verified: signatures that this checker has verified already.
    init(
        _ psbt: PSBT, _ satisfier: (any ScriptSatisfier)?, _ checker: SignatureChecker,
        verified: Set<SignatureRecord> = []
    ) {
        self.psbt = psbt
        self.satisfier = satisfier
        self.checker = checker
        self.verified = verified
    }

    /// The final scripts of an input, or why there are none.
    func finalize(_ index: Int) -> (scripts: FinalScripts?, state: State) {
        let input = psbt.inputs[index]
        if input.isFinal {
            let scripts = FinalScripts(
                scriptSig: input.finalScriptSig ?? .empty,
                witness: input.finalScriptWitness ?? .empty)
            return (scripts, .final)
        }
        do throws(Shortfall) { return (try scripts(of: input, index), .ready) } catch {
            return (nil, error.state)
        }
    }

    private func scripts(
        of input: PSBT.Input, _ index: Int
    ) throws(Shortfall) -> FinalScripts {
        let spend: Spend
        do throws(SpendError) { spend = try input.spend() } catch {
            throw Shortfall(.spend(error))
        }
        let leaves = input.provenLeaves(of: spend)
        let signatures = try verifiedSignatures(of: input, index, spend, leaves)
        var final = FinalScripts()
        switch spend.kind {
        case .legacy(let script):
            let items = try items(for: script, .legacy, signatures.ecdsa, input)
            final.scriptSig = Script.build { builder in
                for item in items { builder.push(item) }
            }
        case .witnessKeyHash(let hash):
            let key = try key(withHash: hash, signatures.ecdsa)
            final.witness = Witness([key.signature, key.publicKey])
        case .witnessScript(let script):
            let items = try items(for: script, .segwitV0, signatures.ecdsa, input)
            final.witness = Witness(items + [script.bytes])
        case .taproot: final.witness = try taprootWitness(leaves, input, signatures)
        case .unsupported: throw Shortfall(.unsupported)
        }
        if let redeem = spend.redeemScript {
            final.scriptSig = Script.build {
                $0.append(final.scriptSig)
                $0.push(redeem.bytes)
            }
        }
        return final
    }

    /// Signatures of one input, verified.
    private struct Signatures {
        var ecdsa: [[UInt8]: [UInt8]] = [:]
        var taprootKey: [UInt8]?
        /// By leaf hash, then by key.
        var leaves: [Bytes32: [[UInt8]: [UInt8]]] = [:]
    }

    private func verifiedSignatures(
        of input: PSBT.Input, _ index: Int, _ spend: Spend, _ leaves: [ProvenLeaf]
    ) throws(Shortfall) -> Signatures {
        var signatures = Signatures()
        var signed = SignatureChecker.SignedInput(spend: spend, leaves: leaves)
        for record in input.map.records {
            guard let signature = SignatureRecord(input: index, record) else { continue }
            switch signature.kind {
            case .ecdsa(let publicKey): signatures.ecdsa[publicKey] = signature.value
            case .taprootKey: signatures.taprootKey = signature.value
            case .taprootScript(let publicKey, let leafHash):
                signatures.leaves[leafHash, default: [:]][publicKey.array] = signature.value
            case .musigNonce, .musigPartial: continue
            }
            guard !verified.contains(signature) else { continue }
            do throws(SignatureError) { try checker.check(signature, of: &signed) } catch {
                throw Shortfall(.badSignature(signature.kind, error))
            }
        }
        return signatures
    }

    private func key(
        withHash hash: Bytes20, _ signatures: [[UInt8]: [UInt8]]
    ) throws(Shortfall) -> (publicKey: [UInt8], signature: [UInt8]) {
        guard let found = signatures.first(where: { hash160($0.key) == hash }) else {
            throw Shortfall(.signaturesMissing(found: 0, needed: 1))
        }
        return (found.key, found.value)
    }

    /// What goes below a script outside taproot.
    private func items(
        for script: Script, _ context: ScriptSpend.Context, _ signatures: [[UInt8]: [UInt8]],
        _ input: PSBT.Input
    ) throws(Shortfall) -> [[UInt8]] {
        switch script.template {
        case .p2pk(let publicKey):
            guard let signature = signatures[publicKey] else {
                throw Shortfall(.signaturesMissing(found: 0, needed: 1))
            }
            return [signature]
        case .p2pkh(let hash):
            let key = try key(withHash: hash, signatures)
            return [key.signature, key.publicKey]
        case .multisig(let required, let keys):
            let present = keys.compactMap { signatures[$0] }
            guard present.count >= required else {
                throw Shortfall(.signaturesMissing(found: present.count, needed: required))
            }
            // OP_CHECKMULTISIG takes one item more than it uses; it has to be empty (BIP147).
            return [[]] + present.prefix(required)
        default:
            let spend = ScriptSpend(
                script, in: context, signatures: signatures,
                transaction: checker.calculator.transaction, input: input)
            guard let items = satisfier?.items(for: spend) else {
                throw Shortfall(.scriptNotSatisfied)
            }
            return items
        }
    }

    /// The key path if it is signed, else the leaf with the smallest witness.
    private func taprootWitness(
        _ leaves: [ProvenLeaf], _ input: PSBT.Input, _ signatures: Signatures
    ) throws(Shortfall) -> Witness {
        if let signature = signatures.taprootKey { return Witness([signature]) }
        let witnesses = leaves.compactMap { leaf -> Witness? in
            let spend = ScriptSpend(
                leaf.script, in: .tapscript(leaf.version),
                signatures: signatures.leaves[leaf.hash] ?? [:],
                transaction: checker.calculator.transaction, input: input)
            guard let items = leaf.items(for: spend) ?? satisfier?.items(for: spend) else {
                return nil
            }
            return Witness(items + [leaf.script.bytes, leaf.controlBlock])
        }
        guard let best = witnesses.min(by: { $0.serializedSize < $1.serializedSize }) else {
            throw Shortfall(
                signatures.leaves.isEmpty
                    ? .signaturesMissing(found: 0, needed: 1) : .scriptNotSatisfied)
        }
        return best
    }
}

extension ProvenLeaf {
    /// What goes below a leaf of one key and OP_CHECKSIG.
    fileprivate func items(for spend: ScriptSpend) -> [[UInt8]]? {
        guard version == .tapscript, script.bytes.count == 34, script.bytes.first == 32,
            script.bytes.last == Opcode.checkSig.rawValue,
            let signature = spend.signatures[Array(script.bytes[1..<33])]
        else { return nil }
        return [signature]
    }
}
