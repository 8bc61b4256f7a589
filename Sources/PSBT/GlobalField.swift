/// The global fields that BIPs define.
enum GlobalField: UInt8, Field {
    case unsignedTransaction = 0x00
    case extendedPublicKey = 0x01
    case transactionVersion = 0x02
    case fallbackLockTime = 0x03
    case inputCount = 0x04
    case outputCount = 0x05
    case modifiable = 0x06
    case silentPaymentShare = 0x07
    case silentPaymentProof = 0x08
    case signedMessage = 0x09
    case version = 0xFB
    case proprietary = 0xFC

    var rule: FieldRule {
        switch self {
        case .unsignedTransaction: .single("PSBT_GLOBAL_UNSIGNED_TX", .any, .only0)
        case .extendedPublicKey:
            FieldRule(
                name: "PSBT_GLOBAL_XPUB", keyData: .exactly(78), value: FieldRule.origin)
        case .transactionVersion: .single("PSBT_GLOBAL_TX_VERSION", .exactly(4), .only2)
        case .fallbackLockTime: .single("PSBT_GLOBAL_FALLBACK_LOCKTIME", .exactly(4), .only2)
        case .inputCount: .single("PSBT_GLOBAL_INPUT_COUNT", .between(1, 9), .only2)
        case .outputCount: .single("PSBT_GLOBAL_OUTPUT_COUNT", .between(1, 9), .only2)
        case .modifiable: .single("PSBT_GLOBAL_TX_MODIFIABLE", .exactly(1), .only2)
        case .silentPaymentShare:
            .keyed("PSBT_GLOBAL_SP_ECDH_SHARE", .exactly(33), .only2, keysInValue: .compressed)
        case .silentPaymentProof: .keyed("PSBT_GLOBAL_SP_DLEQ", .exactly(64), .only2)
        case .signedMessage: .single("PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE", .any)
        case .version: .single("PSBT_GLOBAL_VERSION", .exactly(4))
        case .proprietary: .proprietary("PSBT_GLOBAL_PROPRIETARY")
        }
    }

    static let rules = ruleTable()
}
