public import Bitcoin
import Wire

/// Finds the witness of scripts that are more than a key or a multisig, such as miniscripts.
public protocol ScriptSatisfier {
    /// The items below the script, bottom of the stack first; nil if what is at hand is not enough.
    func items(for spend: ScriptSpend) -> [[UInt8]]?
}

/// A script to satisfy, with everything that is at hand for it.
public struct ScriptSpend: Sendable {
    /// Where the script stands.
    public enum Context: Hashable, Sendable {
        /// In a scriptPubKey or in P2SH.
        case legacy
        /// In P2WSH.
        case segwitV0
        /// In a leaf of this version.
        case tapscript(LeafVersion)
    }

    /// The script.
    public let script: Script
    /// Where it stands.
    public let context: Context
    /// Verified signatures with their sighash bytes by key: of 33 or 65 bytes, in a leaf 32.
    public let signatures: [[UInt8]: [UInt8]]
    /// The version of the transaction.
    public let transactionVersion: UInt32
    /// The lock time of the transaction.
    public let lockTime: LockTime
    /// The sequence number of the input.
    public let sequence: SequenceNumber
    private let input: PSBT.Input

    init(
        _ script: Script, in context: Context, signatures: [[UInt8]: [UInt8]],
        transaction: Transaction, input: PSBT.Input
    ) {
        self.script = script
        self.context = context
        self.signatures = signatures
        transactionVersion = transaction.version
        lockTime = transaction.lockTime
        sequence = input.sequence
        self.input = input
    }

    /// The preimage of a hash, which was compared with it when the PSBT was read.
    public func preimage(of hash: PSBT.PreimageHash) -> [UInt8]? { input.preimage(of: hash) }
}
