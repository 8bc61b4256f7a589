/// What is wrong with a public key, a signature or an operation on them.
public enum CurveError: Error, Hashable, Sendable {
    /// A key or signature of a length that its form does not have.
    case wrongLength(found: Int, allowed: [Int])
    /// A public key that does not start with 02, 03 (33 bytes) or 04 (65 bytes).
    case wrongPrefix(UInt8)
    /// No point of secp256k1 has these coordinates.
    case notOnCurve
    /// A number that must lie between 1 and the order of the curve less 1 does not.
    case scalarOutOfRange
    /// The result is the point at infinity, which is no key.
    case infinity
    /// A DER signature breaks a rule of BIP66.
    case notStrictDER(position: Int, rule: DERRule)
    /// A recovery number that is not 0, 1, 2 or 3.
    case wrongRecoveryNumber(UInt8)

    /// The rules of BIP66.
    public enum DERRule: String, Hashable, Sendable {
        /// Between 8 and 72 bytes in all, without the sighash byte.
        case totalLength = "wrong length in all"
        /// Starts with 30.
        case sequence = "no sequence"
        /// The sequence's length covers exactly the rest.
        case sequenceLength = "wrong length of the sequence"
        /// Both numbers start with 02.
        case integer = "no integer"
        /// Both numbers have at least a byte and end inside the sequence.
        case integerLength = "wrong length of a number"
        /// No number is negative.
        case negative = "negative number"
        /// No number has a leading zero byte it does not need.
        case padded = "unneeded leading zero"
    }
}

extension CurveError: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .wrongLength(let found, let allowed):
            "\(found) bytes, \(allowed.map(String.init).joined(separator: " or ")) needed"
        case .wrongPrefix(let prefix):
            "a public key cannot start with byte 0x" + String(prefix, radix: 16)
        case .notOnCurve: "no point of the curve has these coordinates"
        case .scalarOutOfRange: "a number is zero or not below the order of the curve"
        case .infinity: "the result is the point at infinity, which is no key"
        case .notStrictDER(let position, let rule):
            "signature is not strict DER at byte \(position): \(rule.rawValue)"
        case .wrongRecoveryNumber(let number): "recovery number \(number), 0 to 3 are possible"
        }
    }
}
