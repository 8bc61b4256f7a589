import Bitcoin
import Curve
import PSBT
import Signing
import Wire

extension PSBTSigner {
    func signTaproot(
        _ index: Int, _ input: PSBT.Input, _ keys: OwnKeys,
        _ context: borrowing SigningContext, into records: inout [SignatureRecord]
    ) throws(PSBTSigningError) {
        let ours = input.taprootDerivations.filter { $0.origin.fingerprint == keys.fingerprint }
        guard let first = ours.first else { return }
        guard case .taproot(let outputKey) = try spend(index).kind else {
            throw .keyNotInScript(input: index, first.origin.path)
        }
        let type = input.sighashType ?? .default
        try check(type, index)
        guard type.isValidForTaproot else { throw .sighashNotAllowed(input: index, type) }
        // What other leaf versions mean is not known: nothing is signed for them.
        let leaves =
            ours.allSatisfy(\.leafHashes.isEmpty)
            ? [] : input.provenLeaves(outputKey: outputKey).filter { $0.version == .tapscript }
        for claim in ours {
            try withKey(index, claim.origin.path, keys, context) {
                key, context throws(PSBTSigningError) in
                guard key.publicKey.xOnly.bytes == claim.publicKey else {
                    throw .falseClaim(input: index, claim.origin.path)
                }
                if input.taprootInternalKey == claim.publicKey {
                    try signKeyPath(index, input, outputKey, type, key, context, into: &records)
                }
                try signLeaves(index, input, claim, leaves, type, key, context, into: &records)
            }
        }
    }

    private func signKeyPath(
        _ index: Int, _ input: PSBT.Input, _ outputKey: Bytes32, _ type: SighashType,
        _ key: borrowing SecretKey, _ context: borrowing SigningContext,
        into records: inout [SignatureRecord]
    ) throws(PSBTSigningError) {
        guard input.taprootKeySignature == nil else { return }
        let digest = try sighash(index) { () throws(SighashError) in
            try calculator.taprootKeyPath(input: index, type: type)
        }
        let signature: SchnorrSignature?
        do throws(SigningError) {
            let tweaked = try key.taprootTweaked(merkleRoot: input.taprootMerkleRoot, context)
            let isRight = tweaked.publicKey.xOnly.bytes == outputKey
            signature = isRight ? try tweaked.signSchnorr(digest, context) : nil
        } catch {
            throw .signing(input: index, error)
        }
        guard let signature else { throw .outputKeyDiffers(input: index) }
        records.append(
            SignatureRecord(input: index, kind: .taprootKey, value: signature.with(type)))
    }

    private func signLeaves(
        _ index: Int, _ input: PSBT.Input, _ claim: PSBT.TaprootDerivation,
        _ leaves: [ProvenLeaf], _ type: SighashType, _ key: borrowing SecretKey,
        _ context: borrowing SigningContext, into records: inout [SignatureRecord]
    ) throws(PSBTSigningError) {
        guard !claim.leafHashes.isEmpty else { return }
        // A leaf that stands in the tree twice is signed once.
        var wanted = Set(claim.leafHashes)
        for signature in input.taprootScriptSignatures where signature.publicKey == claim.publicKey
        {
            wanted.remove(signature.leafHash)
        }
        for leaf in leaves where leaf.has(claim.publicKey) && wanted.remove(leaf.hash) != nil {
            let digest = try sighash(index) { () throws(SighashError) in
                try calculator.taprootScriptPath(input: index, leafHash: leaf.hash, type: type)
            }
            let signature: SchnorrSignature
            do throws(SigningError) { signature = try key.signSchnorr(digest, context) } catch {
                throw .signing(input: index, error)
            }
            records.append(
                SignatureRecord(
                    input: index,
                    kind: .taprootScript(publicKey: claim.publicKey, leafHash: leaf.hash),
                    value: signature.with(type)))
        }
    }
}

extension SchnorrSignature {
    /// As it stands in a witness: DEFAULT adds no byte (BIP341).
    func with(_ type: SighashType) -> [UInt8] {
        type == .default ? bytes : bytes + [UInt8(truncatingIfNeeded: type.rawValue)]
    }
}
