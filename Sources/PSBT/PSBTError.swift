public import Bitcoin
public import Curve
public import Wire

/// What is wrong with a PSBT, and where.
public struct PSBTError: Error, Hashable, Sendable {
    /// The map it was found in.
    public let place: PSBT.Place
    /// The field by its name in the BIPs; nil where it is about the whole file or map.
    public let field: String?
    /// The first byte of the record, counted from the start of the PSBT; nil for what was not read.
    public let position: Int?
    /// What it is.
    public let problem: Problem

    init(_ place: PSBT.Place, _ problem: Problem, field: String? = nil, position: Int? = nil) {
        self.place = place
        self.field = field
        self.position = position
        self.problem = problem
    }

    init(_ place: PSBT.Place, _ problem: Problem, _ field: some Field, at position: Int? = nil) {
        self.init(place, problem, field: field.rule.name, position: position)
    }

    /// What can be wrong.
    public enum Problem: Hashable, Sendable {
        /// The first five bytes are not `psbt` and 0xFF.
        case magic(found: [UInt8])
        /// More bytes than `PSBT.maximumSize` or the field allows.
        case tooLarge(found: Int, allowed: Int)
        /// More records in a map or in all of them than `allowed`.
        case tooManyRecords(allowed: Int)
        /// The bytes break off, go on too long, or carry an impossible length.
        case wire(WireError)
        /// The bytes are no transaction or output.
        case transaction(TransactionError)
        /// The key was there before.
        case duplicateKey
        /// Two PSBTs, or a PSBT and an update, say different things under the same key.
        case conflict
        /// The field has to be there.
        case missing
        /// This version of PSBT must not have the field.
        case forbidden(version: UInt32)
        /// Neither version 0 nor 2.
        case unsupportedVersion(UInt32)
        /// The key data have a wrong length.
        case keyDataLength(found: Int, allowed: Length)
        /// The value has a wrong length.
        case valueLength(found: Int, allowed: Length)
        /// A public key does not start with 2 or 3 (nor 4, where that is allowed).
        case publicKeyPrefix(found: UInt8)
        /// The value is no DER signature.
        case signature(CurveError)
        /// The key data are no extended public key.
        case extendedPublicKey(ExtendedKeyError)
        /// The unsigned transaction has a scriptSig.
        case scriptSigInUnsignedTransaction
        /// The previous transaction is another than the one that the input spends from.
        case otherPreviousTransaction(found: Txid, spent: Txid)
        /// The previous transaction has no such output.
        case noSuchOutput(index: UInt32, count: Int)
        /// PSBT_IN_WITNESS_UTXO says something else than the previous transaction.
        case utxosDisagree(claimed: TransactionOutput, proven: TransactionOutput)
        /// Below 0 or above 21 million BTC.
        case amountOutOfRange(Int64)
        /// A height where a time has to be, or the other way round.
        case lockTimeOutOfRange(UInt32)
        /// The preimage has another hash than its key says.
        case wrongPreimage
        /// A 65-byte Schnorr signature whose sighash byte is 0 (BIP341 forbids it).
        case defaultSighashByte
        /// The control block and the value name different leaf versions.
        case leafVersionsDiffer(controlBlock: UInt8, value: UInt8)
        /// The depths of the leaves are no binary tree in depth-first order, or above 128.
        case notATree
        /// As many steps in the path as the depth of the key says are needed.
        case pathLength(found: Int, depth: Int)
        /// The same silent payment scan key needs both a share and a proof (BIP375).
        case shareWithoutProof
        /// A label without the address that it belongs to (BIP375).
        case labelWithoutAddress
        /// A silent payment script was computed while inputs or outputs may still change (BIP375).
        case modifiableAfterSilentPayment(flags: UInt8)
    }
}

extension PSBT {
    /// A map of a PSBT.
    public enum Place: Hashable, Sendable {
        /// The file as a whole.
        case file
        /// The global map.
        case global
        /// The map of an input, counted from 0.
        case input(Int)
        /// The map of an output, counted from 0.
        case output(Int)
    }
}

extension PSBT.Place: CustomStringConvertible {
    /// `global map`, `input 3`: counted from 0 as in every other tool.
    public var description: String {
        switch self {
        case .file: "file"
        case .global: "global map"
        case .input(let index): "input \(index)"
        case .output(let index): "output \(index)"
        }
    }
}
