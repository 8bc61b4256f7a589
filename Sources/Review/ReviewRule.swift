/// One row of the rules that signers keep when they review a PSBT, as gathered from this field:
/// P parsing, I inputs, O outputs, T the whole transaction.
public struct ReviewRule: Hashable, Sendable {
    /// The name of the row, such as `I9`.
    public let name: String
    /// What it asks for.
    public let text: String
    /// Where it is kept if not by a check of the review, or not by checks alone.
    public let elsewhere: String?

    /// The checks that keep it.
    public var checks: [ReviewCheck] { ReviewCheck.allCases.filter { $0.rules.contains(name) } }

    private init(_ name: String, _ text: String, elsewhere: String? = nil) {
        self.name = name
        self.text = text
        self.elsewhere = elsewhere
    }

    /// All rows.
    public static let all = parsing + inputs + outputs + transaction

    private static let parsing: [ReviewRule] = [
        ReviewRule("P1", "Magic, exact number of maps, no bytes left over"),
        ReviewRule("P2", "No key twice in a map"),
        ReviewRule("P3", "No key data on fields that have none"),
        ReviewRule("P4", "Fields belong to the version; counts are exact"),
        ReviewRule("P5", "Lengths of keys, signatures, roots and control blocks"),
        ReviewRule("P6", "No 65-byte Schnorr signature with a byte 0"),
        ReviewRule("P7", "Paths: depth, hardened steps, indices below 2^31"),
        ReviewRule("P8", "Sizes are bounded before memory is taken"),
        ReviewRule(
            "P9", "No bytes from outside trap",
            elsewhere:
                "holds for the whole module: mutations in the tests and the fuzz target `review`"),
        ReviewRule("P10", "Amounts between 0 and 21 million BTC, sums without overflow"),
        ReviewRule("P11", "Unknown fields are carried through unchanged"),
        ReviewRule(
            "P12", "The encoding is told by the content",
            elsewhere: "the file was decoded before the review (`PSBTFile`)"),
    ]

    private static let inputs: [ReviewRule] = [
        ReviewRule("I1", "A previous transaction has the txid and the output that is spent"),
        ReviewRule("I2", "It is hashed without its witness"),
        ReviewRule("I3", "Both UTXO fields agree"),
        ReviewRule("I4", "Legacy inputs need the full previous transaction"),
        ReviewRule(
            "I5", "Segwit version 0 without it: two signatures can be joined to a higher fee"),
        ReviewRule("I6", "The kind of an input is told by its scripts, never by its fields"),
        ReviewRule("I7", "An own input without UTXO stops; a foreign one leaves the fee unknown"),
        ReviewRule("I8", "Own inputs of 0 sat or unknown script"),
        ReviewRule("I9", "No outpoint twice"),
        ReviewRule("I10", "Claimed keys are derived again and stand in the script"),
        ReviewRule("I11", "A false claim to our fingerprint stops"),
        ReviewRule("I12", "Fingerprint 00000000 counts as ours only after the key matched"),
        ReviewRule("I13", "No key in the maps of ECDSA and of taproot at once"),
        ReviewRule("I14", "Inputs of one wallet and account"),
        ReviewRule(
            "I15", "Multisig: the registered wallet matches",
            elsewhere: "plain accounts have one key; keys outside of them are not ours until their "
                + "policy is registered"),
        ReviewRule(
            "I16", "Global extended keys match paths and policy",
            elsewhere:
                "depth and path are compared when the file is read; plain accounts need no such key"
        ),
        ReviewRule(
            "I17", "The same last steps for all cosigners",
            elsewhere: "plain accounts have no cosigners"),
        ReviewRule("I18", "Taproot: internal key and root make the output key"),
        ReviewRule(
            "I19", "A leaf belongs to the output, with its version",
            elsewhere: "plain accounts have no leaves, and the signer signs none"),
        ReviewRule(
            "I20", "An internal key that nobody has is shown as such",
            elsewhere: "plain accounts have none"),
        ReviewRule("I21", "Sighash types from a short list"),
        ReviewRule("I22", "Signatures that came along are verified and reported"),
        ReviewRule(
            "I23", "Inputs that are not ours get no signature",
            elsewhere: "`ReviewReport.signableInputs`, which the signer is given"),
        ReviewRule("I24", "Foreign inputs are a warning; the net amount is shown"),
        ReviewRule("I25", "A signed message cannot pose as a payment"),
        ReviewRule(
            "I26", "Messages that could be a sighash",
            elsewhere: "signing of messages is not a review"),
    ]

    private static let outputs: [ReviewRule] = [
        ReviewRule("O1", "Change is what was derived again and is equal"),
        ReviewRule("O2", "A wrong claim on an output stops"),
        ReviewRule("O3", "Change stays in the account that is spent from"),
        ReviewRule("O4", "Change is on the branch of change; the other is shown as received"),
        ReviewRule("O5", "Indices have limits"),
        ReviewRule("O6", "Paths of own outputs are usual ones"),
        ReviewRule("O7", "Inputs at unusual paths can be spent"),
        ReviewRule("O8", "Few outputs of change"),
        ReviewRule(
            "O9", "Every other output is shown", elsewhere: "the report lists every output"),
        ReviewRule("O10", "OP_RETURN is shown as data; amounts, size and number are warnings"),
        ReviewRule("O11", "Unknown scripts and dust"),
        ReviewRule("O12", "Silent payments are computed again"),
        ReviewRule("O13", "What stays all ours is shown as such"),
    ]

    private static let transaction: [ReviewRule] = [
        ReviewRule("T1", "No negative fee"),
        ReviewRule("T2", "Limits of the fee by share, feerate and amount"),
        ReviewRule("T3", "A fee is shown only where every amount is proven or committed"),
        ReviewRule("T4", "Lock times by BIP370, with what has no effect"),
        ReviewRule(
            "T5", "Replacement is shown and compared with what it replaces",
            elsewhere: "the signal is shown; a review knows no earlier transaction to compare "
                + "with, so each is shown whole, as a payment of its own, and nothing is left out "
                + "or waived for what may replace another"),
        ReviewRule("T6", "Known versions of transactions"),
        ReviewRule("T7", "Keys of this network only"),
        ReviewRule(
            "T8", "Review and signature cover the same bytes",
            elsewhere: "the report holds the PSBT's SHA-256, an approval names it and the report's "
                + "digest, and the signer reviews again"),
        ReviewRule(
            "T9", "Each new signature is verified before it leaves", elsewhere: "`PSBTSigner`"),
        ReviewRule(
            "T10", "Nonces of MuSig2 are used once", elsewhere: "plain accounts do not use MuSig2"),
        ReviewRule(
            "T11", "Unattended, any warning refuses",
            elsewhere: "the verdict `ready` is the only one that needs no person"),
        ReviewRule(
            "T12", "What comes back is the same transaction with signatures added",
            elsewhere: "`PSBT.compare(answer:)`"),
    ]
}
