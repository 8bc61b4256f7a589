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
    /// A limit by its name in reports, documents and settings.
    public struct Row: Sendable {
        /// The name, such as `fee_share_warning`.
        public let name: String
        /// Where it stands.
        public let path: any WritableKeyPath<ReviewLimits, UInt64> & Sendable
        /// What it counts.
        public let meaning: String

        fileprivate init(
            _ name: String, _ path: any WritableKeyPath<ReviewLimits, UInt64> & Sendable,
            _ meaning: String
        ) {
            self.name = name
            self.path = path
            self.meaning = meaning
        }
    }

    /// All of them, in the order of reports.
    public static let rows: [Row] = [
        Row("fee_share_warning", \.feeShareWarning, "thousandths of what others are paid"),
        Row("fee_share_stop", \.feeShareStop, "thousandths of what is spent"),
        Row("quiet_feerate", \.quietFeerate, "sat per 1,000 vB; below, no share is too high"),
        Row("feerate_warning", \.feerateWarning, "sat per 1,000 vB"),
        Row("feerate_stop", \.feerateStop, "sat per 1,000 vB"),
        Row("relay_feerate", \.relayFeerate, "sat per 1,000 vB"),
        Row("fee_warning", \.feeWarning, "sat"),
        Row("dust_feerate", \.dustFeerate, "sat per 1,000 vB of spending the output"),
        Row("index_distance", \.indexDistance, "indices above the highest that is spent"),
        Row("maximum_index", \.maximumIndex, "the highest index of an own output"),
        Row("change_outputs", \.changeOutputs, "outputs of change"),
        Row("data_bytes", \.dataBytes, "bytes in OP_RETURN"),
        Row("path_steps", \.pathSteps, "steps of an own path"),
        Row("claims_of_map", \.claimsOfMap, "claims to own keys in one map"),
        Row("signatures_of_input", \.signaturesOfInput, "signatures verified in one input"),
        Row("verification_bytes", \.verificationBytes, "bytes hashed to verify signatures"),
    ]

    /// Whether `part`, if anything, is at least so many thousandths of `whole`.
    static func isShare(_ part: UInt64, of whole: UInt64, thousandths: UInt64) -> Bool {
        part > 0
            && part.multipliedFullWidth(by: 1_000)
                >= whole.multipliedFullWidth(by: thousandths)
    }
}
