/// Everything that a review looks at. Each has a code that never changes its meaning, one severity,
/// and an outcome in every report.
public enum ReviewCheck: String, Hashable, Sendable, CaseIterable {
    // The file.
    case fileDamaged = "file-damaged"
    case fileTooLarge = "file-too-large"
    case keyDuplicated = "key-duplicated"
    case keyData = "key-data"
    case fieldVersion = "field-version"
    case fieldLength = "field-length"
    case fieldValue = "field-value"
    case signatureDefaultByte = "signature-default-byte"
    case amountRange = "amount-range"
    case previousTransactionOther = "previous-transaction-other"
    case utxoFieldsDisagree = "utxo-fields-disagree"
    case fieldsUnknown = "fields-unknown"
    // The transaction.
    case transactionInvalid = "transaction-invalid"
    case inputDuplicated = "input-duplicated"
    case amountSum = "amount-sum"
    case versionUnknown = "version-unknown"
    case versionThree = "version-three"
    case lockTimeConflict = "locktime-conflict"
    case lockTime = "locktime"
    case lockTimeWithoutEffect = "locktime-without-effect"
    case relativeLock = "relative-lock"
    case replaceable = "replaceable"
    case stillModifiable = "still-modifiable"
    case proofOfOwnership = "proof-of-ownership"
    case otherNetwork = "other-network"
    // Claims to own keys, of inputs and outputs.
    case claimFalse = "claim-false"
    case claimOtherScript = "claim-other-script"
    case claimBothMaps = "claim-both-maps"
    case claimWrongMap = "claim-wrong-map"
    case claimPath = "claim-path"
    case claimSurplus = "claim-surplus"
    case claimAccountUnknown = "claim-account-unknown"
    case claimFingerprintZero = "claim-fingerprint-zero"
    // Inputs.
    case nothingToSign = "nothing-to-sign"
    case alreadySigned = "already-signed"
    case coinMissing = "coin-missing"
    case coinEmpty = "coin-empty"
    case legacyUnproven = "legacy-unproven"
    case segwitUnproven = "segwit-unproven"
    case segwitCommitted = "segwit-committed"
    case amountContradicts = "amount-contradicts"
    case spendScripts = "spend-scripts"
    case taprootFields = "taproot-fields"
    case internalKeyMissing = "internal-key-missing"
    case inputPathUnusual = "input-path-unusual"
    case sighashNotAllowed = "sighash-not-allowed"
    case sighashForeign = "sighash-foreign"
    case walletsMixed = "wallets-mixed"
    case accountsMixed = "accounts-mixed"
    case inputsForeign = "inputs-foreign"
    case inputFinal = "input-final"
    case signaturePresent = "signature-present"
    case signatureWrong = "signature-wrong"
    case signatureUnverified = "signature-unverified"
    // Outputs.
    case changePathUnusual = "change-path-unusual"
    case changeIndexFar = "change-index-far"
    case changeIndexLost = "change-index-lost"
    case changeOtherAccount = "change-other-account"
    case changeMany = "change-many"
    case ownReceive = "own-receive"
    case allOwn = "all-own"
    case data
    case dataLarge = "data-large"
    case dataBurns = "data-burns"
    case scriptUnknown = "script-unknown"
    case outputDust = "output-dust"
    case silentPayment = "silent-payment"
    case recipientName = "recipient-name"
    // The fee.
    case feeNegative = "fee-negative"
    case feeUnproven = "fee-unproven"
    case feeShareHigh = "fee-share-high"
    case feeShareExtreme = "fee-share-extreme"
    case feerateHigh = "feerate-high"
    case feerateExtreme = "feerate-extreme"
    case feerateLow = "feerate-low"
    case feeLarge = "fee-large"
    case sizeUnknown = "size-unknown"

    /// What a failed check means.
    public enum Severity: Int, Hashable, Sendable, Comparable, CaseIterable {
        /// Good to know.
        case note
        /// A person must type what the warning says before anything is signed.
        case warn
        /// Nothing is signed, whoever asks.
        case stop

        /// Orders from note to stop.
        public static func < (left: Severity, right: Severity) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// What has to be there for a check to have a meaning.
    enum Scope: Hashable, Sendable {
        case file, transaction, claims, ownInputs, foreignInputs, signatures, ownOutputs, data
        case fee, feerate
    }

    /// What is fixed about a check.
    struct Row: Sendable {
        let severity: Severity
        let scope: Scope
        /// Rows of the table of rules in docs/review.md.
        let rules: [String]
        /// What must hold: the sentence of a check that passed.
        let subject: String
        /// What to do about a finding.
        let advice: String

        init(
            _ severity: Severity, _ scope: Scope, _ rules: String, _ subject: String,
            _ advice: String
        ) {
            self.severity = severity
            self.scope = scope
            self.rules = rules.split(separator: " ").map(String.init)
            self.subject = subject
            self.advice = advice
        }
    }

    /// The code, such as `claim-false`.
    public var code: String { rawValue }
    /// What a failed check means.
    public var severity: Severity { row.severity }
    /// What must hold.
    public var subject: String { row.subject }
    /// What to do about a finding.
    public var advice: String { row.advice }
    /// The rows of the table of rules that it keeps.
    public var rules: [String] { row.rules }

    var row: Row { ReviewCheck.rows[self] ?? Row(.stop, .file, "", "", "") }

    private static let rows: [ReviewCheck: Row] = {
        var rows = fileRows
        for more in [
            transactionRows, claimRows, inputRows, signatureRows, outputRows, feeRows,
        ] {
            rows.merge(more) { row, _ in row }
        }
        return rows
    }()
}

extension ReviewCheck.Severity: CustomStringConvertible {
    /// `note`, `warn` or `stop`.
    public var description: String {
        switch self {
        case .note: "note"
        case .warn: "warn"
        case .stop: "stop"
        }
    }
}
