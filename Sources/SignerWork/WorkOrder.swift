public import Messages
public import StateFiles

/// All that a worker is forked with for one stage of an operation on vaults. Nothing in it is secret:
/// the files are as sealed as they lie on the disk.
public struct WorkOrder: Sendable {
    /// The part of an operation that one worker does.
    public enum Stage: Hashable, Sendable {
        /// Checks the outer layers and opens the count of failed passwords; no password is there.
        case count
        /// Compares an approval with what a review finds now; no secret is there.
        case check
        /// Does what was asked.
        case carryOut
        /// Puts these signatures into the file that was approved.
        case merge([UInt8])
        /// Puts into the ledger what no request brought about; the request is not looked at.
        case record([RecordedEvent])
        /// Makes the pairing files of all wallets; the request is not looked at.
        case pair
    }

    /// A key file, as the broker found it.
    public enum Key: Hashable, Sendable {
        /// It is there and safe; its descriptor is passed.
        case present
        /// There is none and one may be made: its content goes to the port, and the change that
        /// adopts it belongs to the result.
        case new
        /// There is none, and the state knows that there was one; or this operation has no use for it.
        case absent
    }

    /// Which part is to be done.
    public var stage: Stage
    /// What a person asked for.
    public var request: VaultRequest
    /// The chain of this instance.
    public var chain: ChainName
    /// How long failed passwords make wait.
    public var schedule: AttemptSchedule
    /// Seconds since 1970 by the machine's clock, which anyone may have set.
    public var time: UInt64
    /// The user who asked.
    public var uid: UInt32
    /// Bytes of memory that a derivation may take; nil where nobody knows.
    public var freeMemory: UInt64?
    /// The small files that the plan of the request names and that are there.
    public var files: [StateFile: [UInt8]]
    /// Small files that the plan names and that are there, but could not be read; why.
    public var unreadable: [StateFile: String]
    /// Every file of the request's vault and of the machine that is there, the large ones included;
    /// of all vaults where the request is about none.
    public var present: Set<StateFile>
    /// The head of the ledger that the network process kept, and which it alone vouches for.
    public var witness: LedgerWitness?
    /// The device key.
    public var deviceKey: Key
    /// The index key.
    public var indexKey: Key
    /// The PSBT that is approved; empty for every other request.
    public var psbt: [UInt8]
    /// Whether it came over the link, and goes back there.
    public var isForLink: Bool
    /// Limits of reviews that are not the standard ones.
    public var reviewLimits: [ReviewLimit]

    /// An order by its fields.
    public init(
        stage: Stage = .carryOut, request: VaultRequest, chain: ChainName,
        schedule: AttemptSchedule = .standard, time: UInt64, uid: UInt32,
        freeMemory: UInt64? = nil, files: [StateFile: [UInt8]],
        unreadable: [StateFile: String] = [:], present: Set<StateFile> = [],
        witness: LedgerWitness? = nil, deviceKey: Key, indexKey: Key, psbt: [UInt8] = [],
        isForLink: Bool = false, reviewLimits: [ReviewLimit] = []
    ) {
        self.stage = stage
        self.request = request
        self.chain = chain
        self.schedule = schedule
        self.time = time
        self.uid = uid
        self.freeMemory = freeMemory
        self.files = files
        self.unreadable = unreadable
        self.present = present
        self.witness = witness
        self.deviceKey = deviceKey
        self.indexKey = indexKey
        self.psbt = psbt
        self.isForLink = isForLink
        self.reviewLimits = reviewLimits
    }
}
