import Bitcoin
import PSBT
import Wire

extension Review {
    /// Verifies the signatures that came with the file, as far as the limits let it.
    mutating func examineSignatures() {
        let signed = psbt.inputs.indices.filter { psbt.inputs[$0].hasSignature }
        hasSignatures = !signed.isEmpty
        guard hasSignatures, let checker = try? SignatureChecker(psbt) else { return }
        var budget = Int(clamping: limits.verificationBytes)
        let allowed = Int(clamping: limits.signaturesOfInput)
        for index in signed {
            let input = psbt.inputs[index]
            guard !input.isFinal else {
                log.record(.inputFinal, .input(index), "it is final already")
                continue
            }
            let records = input.signatureRecords(of: index)
            for record in records.prefix(allowed) {
                budget -= cost(of: record)
                guard budget >= 0 else {
                    log.record(
                        .signatureUnverified, .input(index),
                        "it was not verified: the signatures before took too long")
                    break
                }
                verify(record, checker)
            }
            if records.count > allowed {
                log.record(
                    .signatureUnverified, .input(index),
                    "only \(allowed) of \(records.count) signatures were verified")
            }
            if !input.musigPartialSignatures.isEmpty {
                log.record(
                    .signatureUnverified, .input(index),
                    "partial signatures of MuSig2 cannot be verified one by one")
            }
        }
    }

    private mutating func verify(_ record: SignatureRecord, _ checker: SignatureChecker) {
        let place = PSBT.Place.input(record.input)
        do throws(SignatureError) {
            try checker.check(record)
            inputs[record.input].verifiedSignatures += 1
            log.record(
                .signaturePresent, place, "it carries the signature of \(record.keyText)")
            guard !bindsEverything(record.type) else { return }
            let isOwn = inputs[record.input].owner != nil
            log.record(
                isOwn ? .sighashNotAllowed : .sighashForeign, place,
                "a signature has the sighash type \(record.type)")
        } catch {
            switch error {
            case .spend, .unsupported, .sighash:
                log.record(
                    .signatureUnverified, place,
                    "the signature of \(record.keyText) cannot be verified: \(error)")
            default:
                log.record(
                    .signatureWrong, place,
                    "the signature of \(record.keyText) is not accepted: \(error)")
            }
        }
    }

    /// Bytes that are hashed for a signature, and a share for each operation on the curve: every leaf
    /// of the map is proven for a signature in one of them.
    private func cost(of record: SignatureRecord) -> Int {
        let curve = 4_096
        switch spends[record.input]?.kind {
        case .legacy: return curve + transactionBytes
        case .witnessScript(let script): return curve + script.bytes.count
        case .taproot:
            guard case .taprootScript = record.kind else { return curve }
            return psbt.inputs[record.input].taprootLeafScripts.reduce(curve) {
                $0 + curve + $1.script.bytes.count + 2 * $1.controlBlock.count
            }
        default: return curve
        }
    }
}

extension PSBT.Input {
    /// The signatures of the map, but for those of MuSig2.
    fileprivate func signatureRecords(of index: Int) -> [SignatureRecord] {
        var records = partialSignatures.map {
            SignatureRecord(
                input: index, kind: .ecdsa(publicKey: $0.publicKey), value: $0.signature)
        }
        if let signature = taprootKeySignature {
            records.append(SignatureRecord(input: index, kind: .taprootKey, value: signature))
        }
        records += taprootScriptSignatures.map {
            SignatureRecord(
                input: index,
                kind: .taprootScript(publicKey: $0.publicKey, leafHash: $0.leafHash),
                value: $0.signature)
        }
        return records
    }
}

extension SignatureRecord {
    /// The type that the signature itself says.
    fileprivate var type: SighashType {
        switch kind {
        case .ecdsa: SighashType(rawValue: UInt32(value.last ?? 0))
        default: SighashType(rawValue: value.count == 65 ? UInt32(value[64]) : 0)
        }
    }

    /// The key in hexadecimal.
    fileprivate var keyText: String {
        switch kind {
        case .ecdsa(let key): "the key " + Hex.encode(key)
        case .taprootScript(let key, _): "the key \(key)"
        default: "the output key"
        }
    }
}
