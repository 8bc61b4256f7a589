/// Where harmless ends. Fees are judged only where they are proven; feerates are satoshis per 1,000
/// vbytes, shares are thousandths.
public struct ReviewLimits: Hashable, Sendable {
    /// A fee of this share of what others are paid is a warning; of everything that is paid, where
    /// nothing goes to others. 10 %.
    public var feeShareWarning: UInt64 = 100
    /// A fee of this share of what is spent stops. 50 %.
    public var feeShareStop: UInt64 = 500
    /// Up to this feerate no share of a fee is too high: a small payment cannot do with less. 5 sat/vB.
    public var quietFeerate: UInt64 = 5_000
    /// From this feerate there is a warning. 500 sat/vB.
    public var feerateWarning: UInt64 = 500_000
    /// From this feerate nothing is signed. 10,000 sat/vB, Bitcoin Core's `-maxfeerate`.
    public var feerateStop: UInt64 = 10_000_000
    /// Below this feerate nodes do not pass the transaction on. 0.1 sat/vB.
    public var relayFeerate: UInt64 = 100
    /// A fee of so many satoshis is a warning, whatever the share. 0.01 BTC.
    public var feeWarning: UInt64 = 1_000_000
    /// An output is dust where spending it at this feerate costs more than it holds. 3 sat/vB, Bitcoin
    /// Core's `-dustrelayfee`.
    public var dustFeerate: UInt64 = 3_000
    /// How far the index of an own output may lie above the highest index that is spent of its account
    /// before there is a warning: a wallet that is restored looks for so many addresses.
    public var indexDistance: UInt64 = 1_000
    /// Own outputs at higher indices stop: nobody finds them again.
    public var maximumIndex: UInt64 = 1_000_000
    /// More outputs of change than this are a warning.
    public var changeOutputs: UInt64 = 2
    /// More bytes of data in OP_RETURN than this are a warning.
    public var dataBytes: UInt64 = 80
    /// Own paths with more steps stop.
    public var pathSteps: UInt64 = 12
    /// So many claims to own keys are looked at in one map; more stop.
    public var claimsOfMap: UInt64 = 20
    /// So many signatures that came with the file are verified in one input.
    public var signaturesOfInput: UInt64 = 20
    /// So many bytes are hashed to verify signatures that came with the file. 256 MiB.
    public var verificationBytes: UInt64 = 256 << 20

    /// The limits as they stand here.
    public static let standard = ReviewLimits()

    /// The limits as they stand here, to be changed one by one.
    public init() {}
}

extension ReviewLimits {
    /// A limit by its name in reports and documents.
    struct Row: Sendable {
        let name: String
        let meaning: String
        let value: @Sendable (ReviewLimits) -> UInt64
    }

    /// All of them, in the order of reports.
    static let rows: [Row] = [
        Row(name: "fee_share_warning", meaning: "thousandths of what others are paid") {
            $0.feeShareWarning
        },
        Row(name: "fee_share_stop", meaning: "thousandths of what is spent") { $0.feeShareStop },
        Row(name: "quiet_feerate", meaning: "sat per 1,000 vB; below, no share is too high") {
            $0.quietFeerate
        },
        Row(name: "feerate_warning", meaning: "sat per 1,000 vB") { $0.feerateWarning },
        Row(name: "feerate_stop", meaning: "sat per 1,000 vB") { $0.feerateStop },
        Row(name: "relay_feerate", meaning: "sat per 1,000 vB") { $0.relayFeerate },
        Row(name: "fee_warning", meaning: "sat") { $0.feeWarning },
        Row(name: "dust_feerate", meaning: "sat per 1,000 vB of spending the output") {
            $0.dustFeerate
        },
        Row(name: "index_distance", meaning: "indices above the highest that is spent") {
            $0.indexDistance
        },
        Row(name: "maximum_index", meaning: "the highest index of an own output") {
            $0.maximumIndex
        },
        Row(name: "change_outputs", meaning: "outputs of change") { $0.changeOutputs },
        Row(name: "data_bytes", meaning: "bytes in OP_RETURN") { $0.dataBytes },
        Row(name: "path_steps", meaning: "steps of an own path") { $0.pathSteps },
        Row(name: "claims_of_map", meaning: "claims to own keys in one map") { $0.claimsOfMap },
        Row(name: "signatures_of_input", meaning: "signatures verified in one input") {
            $0.signaturesOfInput
        },
        Row(name: "verification_bytes", meaning: "bytes hashed to verify signatures") {
            $0.verificationBytes
        },
    ]

    /// Whether `part`, if anything, is at least so many thousandths of `whole`.
    static func isShare(_ part: UInt64, of whole: UInt64, thousandths: UInt64) -> Bool {
        part > 0
            && part.multipliedFullWidth(by: 1_000)
                >= whole.multipliedFullWidth(by: thousandths)
    }
}
