public import Bitcoin
public import PSBT

/// How sure the amount of an input is.
public enum AmountProof: String, Hashable, Sendable, CaseIterable {
    /// The full previous transaction is there and hashes to the txid that is spent.
    case proven
    /// Nobody but us has to be believed: a wrong amount makes our own signature worthless.
    case committed
    /// Somebody's word.
    case unproven
    /// The file says two things about it.
    case contradictory
    /// The file says nothing about it.
    case missing
}

/// Where an own output lies, proven by deriving it again.
public struct OwnPlace: Hashable, Sendable {
    /// The place below the account.
    public enum Branch: Hashable, Sendable {
        /// An address that is given to others.
        case receive(UInt32)
        /// Change.
        case change(UInt32)
        /// Any other path below the account.
        case unusual
    }

    /// The wallet, by its place among the known ones.
    public let wallet: Int
    /// The account, by its place in the wallet.
    public let policy: Int
    /// The path from the master key.
    public let path: DerivationPath
    /// The place below the account.
    public let branch: Branch

    /// The last step, where the path is a usual one.
    public var index: UInt32? {
        switch branch {
        case .receive(let index), .change(let index): index
        case .unusual: nil
        }
    }

    var account: WalletIndex.Account { WalletIndex.Account(wallet: wallet, policy: policy) }
}

/// What is known of one input.
public struct InputFact: Hashable, Sendable {
    /// The output that it spends.
    public let outpoint: OutPoint
    /// The sequence number.
    public let sequence: SequenceNumber
    /// The output that is spent, as far as the file says.
    public let spent: TransactionOutput?
    /// How sure that is.
    public internal(set) var proof: AmountProof
    /// Where it lies in an own wallet; nil for inputs of others.
    public internal(set) var owner: OwnPlace?
    /// Whether it is ours, unsigned, and has what is needed to sign it. Only such inputs may get a
    /// signature.
    public internal(set) var isSignable: Bool
    /// How many signatures came with the file and were verified.
    public internal(set) var verifiedSignatures: Int
    /// The sighash type that the file asks for.
    public let sighashType: SighashType?
}

/// What one output does.
public enum OutputRole: String, Hashable, Sendable, CaseIterable {
    /// Comes back: derived again on the change branch of an account that is spent from.
    case change
    /// Comes back to an address of an account that is spent from.
    case receive
    /// Goes to another account or wallet of ours.
    case transfer
    /// Leaves, to an address or a script.
    case payment
    /// Carries data and can never be spent.
    case data

    /// Whether the coins stay ours.
    public var isOwn: Bool { self == .change || self == .receive || self == .transfer }
}

/// What is known of one output.
public struct OutputFact: Hashable, Sendable {
    /// How much.
    public let value: Amount
    /// The script that it pays to; empty for a silent payment that is not computed yet.
    public let scriptPubKey: Script
    /// What it does.
    public internal(set) var role: OutputRole
    /// Where it lies in an own wallet; nil for all others.
    public internal(set) var owner: OwnPlace?
}

/// The fee, or why there is no number.
public enum ReviewedFee: Hashable, Sendable {
    /// Every amount is proven or committed.
    case proven(Amount)
    /// So many inputs have an amount that is nobody's proof; the number that follows from what the
    /// file claims is not given.
    case notProvable(inputs: Int)
    /// More is paid than is spent.
    case negative
}

/// What is known of the transaction as a whole.
public struct TransactionFact: Hashable, Sendable {
    /// The version of the PSBT.
    public let psbtVersion: PSBT.Version
    /// The txid without signatures; it stays unless inputs are P2PKH or P2SH.
    public let unsignedTxid: Txid
    /// The version of the transaction.
    public let version: UInt32
    /// The lock time by the rules of BIP370.
    public let lockTime: LockTime
    /// Whether any sequence number leaves the lock time on.
    public let lockTimeIsEnforced: Bool
    /// Whether it says that it may be replaced (BIP125).
    public let signalsReplacement: Bool
    /// The fee.
    public internal(set) var fee: ReviewedFee
    /// The size with all signatures at most, in vbytes; nil where an input is of no known kind.
    public internal(set) var vsize: Int?
    /// Satoshis per 1,000 vbytes, rounded down; nil without fee or size.
    public internal(set) var feerate: UInt64?
    /// What own inputs spend.
    public internal(set) var ownSpent: Amount
    /// What comes back to own wallets.
    public internal(set) var ownReceived: Amount
    /// What leaves to others, burned data included.
    public internal(set) var paid: Amount
}
