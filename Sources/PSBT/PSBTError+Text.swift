import Wire

extension PSBTError: CustomStringConvertible {
    /// One sentence: where, what, how much.
    public var description: String {
        var text = place.description
        if let field { text += ", \(field)" }
        if let position { text += " at byte \(position)" }
        return text + ": " + problem.description
    }
}

extension PSBTError.Problem: CustomStringConvertible {
    /// What it is and what would be right, without the place.
    public var description: String {
        switch self {
        case .magic, .tooLarge, .tooManyRecords, .wire, .transaction: containerText
        case .duplicateKey, .conflict, .missing, .forbidden, .unsupportedVersion: presenceText
        default: valueText
        }
    }

    private var containerText: String {
        switch self {
        case .magic: "does not start as a PSBT does (bytes 70 73 62 74 ff)"
        case .tooLarge(let found, let allowed): "\(found) bytes, at most \(allowed) allowed"
        case .tooManyRecords(let allowed): "more than \(allowed) records"
        case .wire(let error): error.description
        case .transaction(let error): "\(error), counted from the start of the value"
        default: ""
        }
    }

    private var presenceText: String {
        switch self {
        case .duplicateKey: "the same key twice; ask for the file again, two readers could differ"
        case .conflict: "something else is there already"
        case .missing: "is missing"
        case .forbidden(let version): "not allowed in a PSBT of version \(version)"
        case .unsupportedVersion(let version):
            "version \(version) of PSBT is not known, 0 and 2 are"
        default: ""
        }
    }

    private var valueText: String {
        switch self {
        case .keyDataLength(let found, let allowed):
            "\(counted(found, "byte")) of key data, \(allowed) allowed"
        case .valueLength(let found, let allowed):
            "\(counted(found, "byte")) of value, \(allowed) allowed"
        case .publicKeyPrefix(let found): "no public key starts with byte \(found) here"
        case .signature(let error): error.description
        case .extendedPublicKey(let error): error.description
        case .scriptSigInUnsignedTransaction: "the unsigned transaction carries a scriptSig"
        case .otherPreviousTransaction(let found, let spent):
            "transaction \(found) is given, the input spends from \(spent)"
        case .noSuchOutput(let index, let count):
            "output \(index) is spent, the previous transaction has \(count)"
        case .utxosDisagree(let claimed, let proven):
            "claims \(claimed.value) to \(claimed.scriptPubKey), the previous transaction says "
                + "\(proven.value) to \(proven.scriptPubKey)"
        case .amountOutOfRange(let sats): "\(sats) sat, 0 to 21 million BTC allowed"
        case .lockTimeOutOfRange(let value):
            "\(value) (heights are 1 to 499999999, times 500000000 and up)"
        case .wrongPreimage: "the preimage does not have this hash"
        case .defaultSighashByte: "65-byte signature with sighash byte 0; such a one has 64 bytes"
        case .leafVersionsDiffer(let controlBlock, let value):
            "leaf version \(value), the control block says \(controlBlock)"
        case .notATree: "the depths of the leaves are no tree of at most 128 levels"
        case .pathLength(let found, let depth):
            "\(counted(found, "step")), the key is at depth \(depth)"
        case .shareWithoutProof: "ECDH share and DLEQ proof do not come in pairs"
        case .labelWithoutAddress: "needs PSBT_OUT_SP_V0_INFO beside it"
        case .modifiableAfterSilentPayment(let flags):
            "flags \(flags), but a silent payment script is already fixed"
        default: ""
        }
    }
}
