public import Bitcoin
public import Wire

/// What is known about an input, to be put into a PSBT. Everything is optional.
public struct InputUpdate: Hashable, Sendable {
    /// The full previous transaction; proves the amount.
    public var previousTransaction: Transaction?
    /// The spent output, for inputs since segwit.
    public var witnessUTXO: TransactionOutput?
    /// The sighash type that signatures must have.
    public var sighashType: SighashType?
    /// The script that P2SH pays to.
    public var redeemScript: Script?
    /// The script that P2WSH pays to.
    public var witnessScript: Script?
    /// Origins of the keys of ECDSA scripts.
    public var derivations: [PSBT.Derivation]
    /// The key that the taproot output key is a tweak of.
    public var taprootInternalKey: Bytes32?
    /// The root of the tree of leaves.
    public var taprootMerkleRoot: Bytes32?
    /// Leaves that signers are expected to sign for.
    public var taprootLeafScripts: [PSBT.TaprootLeafScript]
    /// Origins of x-only keys.
    public var taprootDerivations: [PSBT.TaprootDerivation]
    /// Aggregate keys and who they are made of.
    public var musigParticipants: [PSBT.MuSig2Participants]

    /// Nothing is known yet.
    public init() {
        derivations = []
        taprootLeafScripts = []
        taprootDerivations = []
        musigParticipants = []
    }

    var records: [PSBT.Record] {
        var records: [PSBT.Record] = []
        func add(_ field: InputField, _ value: [UInt8]?) {
            if let value { records.append(PSBT.Record(field, value: value)) }
        }
        add(.nonWitnessUTXO, previousTransaction?.serialized())
        add(.witnessUTXO, witnessUTXO?.serialized)
        add(.sighashType, sighashType.map { littleEndian($0.rawValue) })
        add(.redeemScript, redeemScript?.bytes)
        add(.witnessScript, witnessScript?.bytes)
        add(.taprootInternalKey, taprootInternalKey?.array)
        add(.taprootMerkleRoot, taprootMerkleRoot?.array)
        records += derivations.map { $0.record(InputField.derivation) }
        records += taprootLeafScripts.map(\.record)
        records += taprootDerivations.map { $0.record(InputField.taprootDerivation) }
        records += musigParticipants.map { $0.record(InputField.musigParticipants) }
        return records
    }
}

/// What is known about an output, to be put into a PSBT. Everything is optional.
public struct OutputUpdate: Hashable, Sendable {
    /// The script that P2SH pays to.
    public var redeemScript: Script?
    /// The script that P2WSH pays to.
    public var witnessScript: Script?
    /// Origins of the keys of ECDSA scripts.
    public var derivations: [PSBT.Derivation]
    /// The key that the taproot output key is a tweak of.
    public var taprootInternalKey: Bytes32?
    /// The leaves in depth-first order.
    public var taprootTree: [PSBT.TreeLeaf]
    /// Origins of x-only keys.
    public var taprootDerivations: [PSBT.TaprootDerivation]
    /// Aggregate keys and who they are made of.
    public var musigParticipants: [PSBT.MuSig2Participants]

    /// Nothing is known yet.
    public init() {
        derivations = []
        taprootTree = []
        taprootDerivations = []
        musigParticipants = []
    }

    var records: [PSBT.Record] {
        var records: [PSBT.Record] = []
        func add(_ field: OutputField, _ value: [UInt8]?) {
            if let value { records.append(PSBT.Record(field, value: value)) }
        }
        add(.redeemScript, redeemScript?.bytes)
        add(.witnessScript, witnessScript?.bytes)
        add(.taprootInternalKey, taprootInternalKey?.array)
        add(.taprootTree, taprootTree.isEmpty ? nil : PSBT.TreeLeaf.serialized(taprootTree))
        records += derivations.map { $0.record(OutputField.derivation) }
        records += taprootDerivations.map { $0.record(OutputField.taprootDerivation) }
        records += musigParticipants.map { $0.record(OutputField.musigParticipants) }
        return records
    }
}
