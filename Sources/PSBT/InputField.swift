/// The fields of inputs that BIPs define.
enum InputField: UInt8, Field {
    case nonWitnessUTXO = 0x00
    case witnessUTXO = 0x01
    case partialSignature = 0x02
    case sighashType = 0x03
    case redeemScript = 0x04
    case witnessScript = 0x05
    case derivation = 0x06
    case finalScriptSig = 0x07
    case finalScriptWitness = 0x08
    case reserveCommitment = 0x09
    case ripemd160 = 0x0A
    case sha256 = 0x0B
    case hash160 = 0x0C
    case hash256 = 0x0D
    case previousTxid = 0x0E
    case outputIndex = 0x0F
    case sequence = 0x10
    case requiredTime = 0x11
    case requiredHeight = 0x12
    case taprootKeySignature = 0x13
    case taprootScriptSignature = 0x14
    case taprootLeafScript = 0x15
    case taprootDerivation = 0x16
    case taprootInternalKey = 0x17
    case taprootMerkleRoot = 0x18
    case payToContractTweak = 0x19
    case musigParticipants = 0x1A
    case musigPublicNonce = 0x1B
    case musigPartialSignature = 0x1C
    case silentPaymentShare = 0x1D
    case silentPaymentProof = 0x1E
    case silentPaymentSpendDerivation = 0x1F
    case silentPaymentTweak = 0x20
    case proprietary = 0xFC

    var rule: FieldRule {
        switch rawValue {
        case 0x00...0x09: basicRule
        case 0x0A...0x12: preimageOrTransactionRule
        case 0x13...0x18: taprootRule
        default: laterRule
        }
    }

    private var basicRule: FieldRule {
        switch self {
        case .nonWitnessUTXO: .single("PSBT_IN_NON_WITNESS_UTXO", .between(10, 4_000_000))
        case .witnessUTXO: .single("PSBT_IN_WITNESS_UTXO", .between(9, .max))
        case .partialSignature: .ecdsaKeyed("PSBT_IN_PARTIAL_SIG", FieldRule.signature)
        case .sighashType: .single("PSBT_IN_SIGHASH_TYPE", .exactly(4))
        case .redeemScript: .single("PSBT_IN_REDEEM_SCRIPT", .between(1, .max))
        case .witnessScript: .single("PSBT_IN_WITNESS_SCRIPT", .between(1, .max))
        case .derivation: .ecdsaKeyed("PSBT_IN_BIP32_DERIVATION", FieldRule.origin)
        case .finalScriptSig: .single("PSBT_IN_FINAL_SCRIPTSIG", .any)
        case .finalScriptWitness: .single("PSBT_IN_FINAL_SCRIPTWITNESS", .between(1, .max))
        default: .single("PSBT_IN_POR_COMMITMENT", .any)
        }
    }

    private var preimageOrTransactionRule: FieldRule {
        switch self {
        case .ripemd160:
            FieldRule(name: "PSBT_IN_RIPEMD160", keyData: .exactly(20), value: .any)
        case .sha256: FieldRule(name: "PSBT_IN_SHA256", keyData: .exactly(32), value: .any)
        case .hash160: FieldRule(name: "PSBT_IN_HASH160", keyData: .exactly(20), value: .any)
        case .hash256: FieldRule(name: "PSBT_IN_HASH256", keyData: .exactly(32), value: .any)
        case .previousTxid: .single("PSBT_IN_PREVIOUS_TXID", .exactly(32), .only2)
        case .outputIndex: .single("PSBT_IN_OUTPUT_INDEX", .exactly(4), .only2)
        case .sequence: .single("PSBT_IN_SEQUENCE", .exactly(4), .only2)
        case .requiredTime: .single("PSBT_IN_REQUIRED_TIME_LOCKTIME", .exactly(4), .only2)
        default: .single("PSBT_IN_REQUIRED_HEIGHT_LOCKTIME", .exactly(4), .only2)
        }
    }

    private var taprootRule: FieldRule {
        switch self {
        case .taprootKeySignature: .single("PSBT_IN_TAP_KEY_SIG", .either(64, 65))
        case .taprootScriptSignature:
            FieldRule(
                name: "PSBT_IN_TAP_SCRIPT_SIG", keyData: .exactly(64), value: .either(64, 65))
        case .taprootLeafScript:
            FieldRule(
                name: "PSBT_IN_TAP_LEAF_SCRIPT", keyData: FieldRule.controlBlock,
                value: .between(1, .max))
        case .taprootDerivation:
            FieldRule(
                name: "PSBT_IN_TAP_BIP32_DERIVATION", keyData: .exactly(32),
                value: FieldRule.taprootOrigin)
        case .taprootInternalKey: .single("PSBT_IN_TAP_INTERNAL_KEY", .exactly(32))
        default: .single("PSBT_IN_TAP_MERKLE_ROOT", .exactly(32))
        }
    }

    private var laterRule: FieldRule {
        switch self {
        case .payToContractTweak: .keyed("PSBT_IN_P2C_TWEAK", .exactly(32))
        case .musigParticipants:
            .keyed(
                "PSBT_IN_MUSIG2_PARTICIPANT_PUBKEYS", .steps(first: 33, step: 33, last: .max),
                keysInValue: .compressed)
        case .musigPublicNonce: InputField.musig("PSBT_IN_MUSIG2_PUB_NONCE", .exactly(66))
        case .musigPartialSignature: InputField.musig("PSBT_IN_MUSIG2_PARTIAL_SIG", .exactly(32))
        case .silentPaymentShare:
            .keyed("PSBT_IN_SP_ECDH_SHARE", .exactly(33), .only2, keysInValue: .compressed)
        case .silentPaymentProof: .keyed("PSBT_IN_SP_DLEQ", .exactly(64), .only2)
        case .silentPaymentSpendDerivation:
            .keyed("PSBT_IN_SP_SPEND_BIP32_DERIVATION", FieldRule.origin, .only2)
        case .silentPaymentTweak: .single("PSBT_IN_SP_TWEAK", .exactly(32), .only2)
        default: .proprietary("PSBT_IN_PROPRIETARY")
        }
    }

    private static func musig(_ name: String, _ value: Length) -> FieldRule {
        FieldRule(
            name: name, keyData: FieldRule.musigKey, value: value, keysInKeyData: .compressed)
    }

    static let rules = ruleTable()
}
