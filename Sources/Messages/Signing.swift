import StateFiles
public import Wire

/// What an approval came to.
public struct SigningAnswer: Hashable, Sendable {
    /// What was signed.
    public var entry: EntryID
    /// Signatures that were made.
    public var signatures: UInt32
    /// The txid in the order it is hashed, if no signature is missing any more.
    public var txid: Bytes32?
    /// Bytes of the signed file, which went to the output first, if there was one.
    public var fileBytes: UInt32
    /// Bytes of the raw transaction in hexadecimal digits that followed; 0 where it was not asked for
    /// or signatures are missing.
    public var transactionBytes: UInt32
    /// Sentences for the person.
    public var remarks: [String]

    /// An answer by its fields.
    public init(
        entry: EntryID, signatures: UInt32, txid: Bytes32?, fileBytes: UInt32,
        transactionBytes: UInt32 = 0, remarks: [String] = []
    ) {
        self.entry = entry
        self.signatures = signatures
        self.txid = txid
        self.fileBytes = fileBytes
        self.transactionBytes = transactionBytes
        self.remarks = remarks
    }

    /// Whether no signature is missing.
    public var isComplete: Bool { txid != nil }

    init(from reader: inout Reader) throws(WireError) {
        entry = try EntryID(from: &reader)
        signatures = try reader.readUInt32()
        txid = try reader.readFlag() ? reader.readBytes32() : nil
        fileBytes = try reader.readUInt32()
        transactionBytes = try reader.readUInt32()
        remarks = try reader.readSentences()
    }

    func encode(into writer: inout Writer) {
        entry.encode(into: &writer)
        writer.write(signatures)
        writer.write(txid != nil)
        if let txid { writer.write(txid) }
        writer.write(fileBytes)
        writer.write(transactionBytes)
        writer.write(sentences: remarks)
    }
}

/// Why an approval was not carried out; nothing was signed, or nothing given out.
public enum SigningFault: UInt8, CaseIterable, Hashable, Sendable {
    /// The file is not the one that was approved.
    case otherFile = 1
    /// The review says something else than when it was approved.
    case otherReport = 2
    /// The file is no PSBT.
    case unreadable = 3
    /// The review stops it.
    case stopped = 4
    /// A warning was not accepted.
    case notAccepted = 5
    /// The wallet is not here, or its public index is not.
    case unknownWallet = 6
    /// No input is the wallet's to sign.
    case nothingToSign = 7
    /// The vault holds other keys than its public index says.
    case otherKeys = 8
    /// A signature could not be made, or is not the right one.
    case signature = 9
    /// The signed file is too large to be given out.
    case tooLarge = 10
}

extension PSBTApproval {
    init(from reader: inout Reader) throws(WireError) {
        self.init(
            file: try reader.readBytes32(), report: try reader.readBytes32(),
            wallet: try VaultID(from: &reader), accepted: Set(try reader.readCheckCodes()))
    }

    func encode(into writer: inout Writer) {
        writer.write(file)
        writer.write(report)
        wallet.encode(into: &writer)
        writer.write(checkCodes: accepted.sorted())
    }
}

extension SigningFault {
    /// The case's name: stable, for programs.
    public var code: String {
        switch self {
        case .otherFile: "other-file"
        case .otherReport: "other-report"
        case .unreadable: "unreadable"
        case .stopped: "stopped"
        case .notAccepted: "not-accepted"
        case .unknownWallet: "unknown-wallet"
        case .nothingToSign: "nothing-to-sign"
        case .otherKeys: "other-keys"
        case .signature: "signature"
        case .tooLarge: "signed-too-large"
        }
    }
}
