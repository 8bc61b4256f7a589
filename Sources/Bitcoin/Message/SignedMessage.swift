import Hashing
public import Wire

/// Messages signed by satisfying the script of an address in a transaction that can never be mined
/// (BIP322).
public enum SignedMessage {
    private static let tag = TaggedHash(tag: "BIP0322-signed-message")

    /// What the message is in the transactions. Texts are usually UTF-8 in NFC.
    public static func hash(_ message: [UInt8]) -> Bytes32 { tag.hash(message) }

    /// The transaction whose only output, of nothing, is locked by the address's script.
    public static func toSpend(message: [UInt8], scriptPubKey: Script) -> Transaction {
        let scriptSig = Script.build {
            $0.append(.zero)
            $0.push(hash(message))
        }
        let input = TransactionInput(
            outpoint: .null, scriptSig: scriptSig, sequence: SequenceNumber(rawValue: 0))
        return Transaction(
            version: 0, inputs: [input],
            outputs: [TransactionOutput(value: .zero, scriptPubKey: scriptPubKey)])
    }

    /// The transaction to sign as any other: it spends `toSpend` and pays nobody.
    ///
    /// - Parameters:
    ///   - version: 0, or 2 where the script has relative locks.
    ///   - lockTime: for scripts with absolute locks.
    ///   - sequence: for scripts with relative locks.
    public static func toSign(
        message: [UInt8], scriptPubKey: Script, version: UInt32 = 0, lockTime: LockTime = .none,
        sequence: SequenceNumber = SequenceNumber(rawValue: 0)
    ) -> Transaction {
        let spent = toSpend(message: message, scriptPubKey: scriptPubKey)
        let input = TransactionInput(
            outpoint: OutPoint(txid: spent.txid, vout: 0), sequence: sequence)
        return Transaction(
            version: version, inputs: [input],
            outputs: [TransactionOutput(value: .zero, scriptPubKey: .opReturn())],
            lockTime: lockTime)
    }

    /// The signature as the text that is sent: the witness alone, for segwit addresses without
    /// locks, nested ones too.
    public static func encodeSimple(_ witness: Witness) -> String {
        simplePrefix + Base64.encode(witness.serialized)
    }

    /// The signature as the text that is sent: the whole signed transaction, for all addresses.
    public static func encodeFull(_ toSign: Transaction) -> String {
        fullPrefix + Base64.encode(toSign.serialized())
    }

    static let simplePrefix = "smp"
    static let fullPrefix = "ful"
    static let proofOfFundsPrefix = "pof"
}
