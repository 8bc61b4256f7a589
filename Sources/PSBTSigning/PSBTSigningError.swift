public import Bitcoin
public import PSBT
public import Signing

/// Why a PSBT is not signed. No input is signed then.
public enum PSBTSigningError: Error, Hashable, Sendable {
    /// The transaction cannot be made from the PSBT.
    case transaction(UnsignedTransactionError)
    /// It is not known how an input that claims our key is spent.
    case spend(input: Int, SpendError)
    /// A record says that a public key is ours, and the key at its path is another one.
    case falseClaim(input: Int, DerivationPath)
    /// A key of ours is named that no script of the input has.
    case keyNotInScript(input: Int, DerivationPath)
    /// The internal key and merkle root do not make the output's key.
    case outputKeyDiffers(input: Int)
    /// The sighash type is not among those that were allowed.
    case sighashNotAllowed(input: Int, SighashType)
    /// There is no hash to sign.
    case sighash(input: Int, SighashError)
    /// The path leads to no key.
    case derivation(input: Int, ExtendedKeyError)
    /// The machine failed to sign.
    case signing(input: Int, SigningError)
}

extension PSBTSigningError: CustomStringConvertible {
    /// One sentence: where, what, and what helps.
    public var description: String {
        switch self {
        case .transaction(let error): "\(error)"
        case .spend(let input, let error): "input \(input): \(error)"
        case .falseClaim(let input, let path):
            "input \(input) says that a key is this wallet's at \(path), and it is not: "
                + "do not trust the sender of this file"
        case .keyNotInScript(let input, let path):
            "input \(input) names this wallet's key at \(path), which its scripts do not have"
        case .outputKeyDiffers(let input):
            "input \(input): internal key and merkle root do not make the key of the output"
        case .sighashNotAllowed(let input, let type):
            "input \(input) asks for the signature type \(type), which is not allowed"
        case .sighash(let input, let error): "input \(input): \(error)"
        case .derivation(let input, let error): "input \(input): \(error)"
        case .signing(let input, let error): "input \(input): \(error)"
        }
    }
}
