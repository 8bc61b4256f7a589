/// What came of checking a signed message.
public enum MessageVerdict: Hashable, Sendable {
    /// The holder of the address signed it; where locks are set, at that time and age of the coins.
    case valid(lockTime: LockTime, sequence: SequenceNumber)
    /// Nothing is proven.
    case invalid(Fault)
    /// It takes more than this code knows to tell.
    case inconclusive(Reason)

    /// Valid without locks.
    public static let valid = MessageVerdict.valid(
        lockTime: .none, sequence: SequenceNumber(rawValue: 0))

    /// Why a signature proves nothing.
    public enum Fault: String, Error, Hashable, Sendable {
        /// No base 64.
        case notBase64 = "the signature is not base64"
        /// Base 64 of something else.
        case malformed = "the signature has no known form"
        /// Header byte outside 27 to 42.
        case unknownHeader = "the first byte of the signature is none of 27 to 42"
        /// The signature is for another kind of address.
        case wrongAddressKind = "the signature belongs to another kind of address"
        /// No key follows from it.
        case noPublicKey = "no public key follows from the signature"
        /// Another key, another message, or a damaged signature.
        case wrongSignature = "the signature is not of this message by the holder of this address"
        /// BIP322: not the transaction that this message and address ask for.
        case wrongTransaction = "the signed transaction is not the one for this message"
        /// BIP322 asks for SIGHASH_ALL.
        case wrongSighashType = "the signature does not cover the whole transaction"
        /// BIP322 asks for strict DER with low S.
        case malleableSignature = "the signature is not in the one form that is allowed"
    }

    /// Why nothing can be told.
    public enum Reason: String, Hashable, Sendable {
        /// Only a script interpreter could tell.
        case needsInterpreter = "this kind of script needs a script interpreter"
        /// A proof of funds also needs the set of unspent outputs.
        case proofOfFunds = "a proof of funds needs the set of unspent outputs"
        /// Rules that are not known yet.
        case unknownVersion = "rules for this version are not known yet"
        /// An address kind that no message format covers.
        case noSuchAddress = "no message can be signed for this script"
    }
}

extension MessageVerdict: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .valid(let lockTime, let sequence):
            self == .valid
                ? "valid" : "valid at lock time \(lockTime.rawValue), age \(sequence.rawValue)"
        case .invalid(let fault): "invalid: \(fault.rawValue)"
        case .inconclusive(let reason): "inconclusive: \(reason.rawValue)"
        }
    }
}
