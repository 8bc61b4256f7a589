/// The fields of outputs that BIPs define.
enum OutputField: UInt8, Field {
    case redeemScript = 0x00
    case witnessScript = 0x01
    case derivation = 0x02
    case amount = 0x03
    case script = 0x04
    case taprootInternalKey = 0x05
    case taprootTree = 0x06
    case taprootDerivation = 0x07
    case musigParticipants = 0x08
    case silentPaymentAddress = 0x09
    case silentPaymentLabel = 0x0A
    case dnssecProof = 0x35
    case proprietary = 0xFC

    var rule: FieldRule {
        switch self {
        case .redeemScript: .single("PSBT_OUT_REDEEM_SCRIPT", .between(1, .max))
        case .witnessScript: .single("PSBT_OUT_WITNESS_SCRIPT", .between(1, .max))
        case .derivation: .ecdsaKeyed("PSBT_OUT_BIP32_DERIVATION", FieldRule.origin)
        case .amount: .single("PSBT_OUT_AMOUNT", .exactly(8), .only2)
        case .script: .single("PSBT_OUT_SCRIPT", .any, .only2)
        case .taprootInternalKey: .single("PSBT_OUT_TAP_INTERNAL_KEY", .exactly(32))
        case .taprootTree: .single("PSBT_OUT_TAP_TREE", .between(3, .max))
        case .taprootDerivation:
            FieldRule(
                name: "PSBT_OUT_TAP_BIP32_DERIVATION", keyData: .exactly(32),
                value: FieldRule.taprootOrigin)
        case .musigParticipants:
            .keyed(
                "PSBT_OUT_MUSIG2_PARTICIPANT_PUBKEYS", .steps(first: 33, step: 33, last: .max),
                keysInValue: .compressed)
        case .silentPaymentAddress:
            FieldRule(
                name: "PSBT_OUT_SP_V0_INFO", keyData: .none, value: .exactly(66),
                versions: .only2, keysInValue: .compressed)
        case .silentPaymentLabel: .single("PSBT_OUT_SP_V0_LABEL", .exactly(4), .only2)
        case .dnssecProof: .single("PSBT_OUT_DNSSEC_PROOF", .between(2, .max))
        case .proprietary: .proprietary("PSBT_OUT_PROPRIETARY")
        }
    }

    static let rules = ruleTable()
}
