public import Bitcoin

/// A partially signed Bitcoin transaction, version 0 (BIP174) or 2 (BIP370), with the fields of BIPs
/// 322, 353, 371, 372, 373, 375 and 376.
///
/// The records of the file are the value: known fields are read from them, and unknown and
/// proprietary ones stay as they are, in their order, so that what was parsed is written back byte
/// for byte. Everything that `init` lets through has the right shape, every key once, and no
/// previous transaction or witness UTXO that contradicts the spent outpoint or each other. Public
/// keys have the right length and first byte; whether they are on the curve is known when they
/// are used.
public struct PSBT: Hashable, Sendable {
    /// The versions that exist.
    public enum Version: UInt32, Hashable, Sendable {
        /// BIP174: the global map has the unsigned transaction.
        case v0 = 0
        /// BIP370: every map has its part of the transaction.
        case v2 = 2
    }

    /// Version 0 or 2.
    public let version: Version
    /// The version of the transaction.
    public let transactionVersion: UInt32
    /// The lock time of the transaction in version 0; in version 2 the one that holds if no input
    /// requires another.
    public let fallbackLockTime: LockTime
    /// What concerns the whole transaction.
    public internal(set) var global: Global
    /// The inputs in their order.
    public internal(set) var inputs: [Input]
    /// The outputs in their order.
    public internal(set) var outputs: [Output]

    /// `psbt` and a byte that no text has.
    public static let magic: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF]
    /// 16 MiB; larger files are refused before anything is read.
    public static let maximumSize = 16 << 20
    /// No block has room for a transaction with more bytes outside of witnesses.
    public static let maximumTransactionSize = 1_000_000
    /// Records of one map.
    public static let maximumRecordsOfMap = 20_000
    /// Records of all maps together.
    public static let maximumRecords = 400_000

    init(
        version: Version, transactionVersion: UInt32, fallbackLockTime: LockTime,
        global: Global, inputs: [Input], outputs: [Output]
    ) {
        self.version = version
        self.transactionVersion = transactionVersion
        self.fallbackLockTime = fallbackLockTime
        self.global = global
        self.inputs = inputs
        self.outputs = outputs
    }
}
