public import Bitcoin
public import Wire

/// Why a file holds no PSBT that can be read.
public enum PSBTFileError: Error, Hashable, Sendable {
    /// No bytes, or nothing but white space.
    case empty
    /// More bytes than are looked at.
    case tooLarge(found: Int, allowed: Int)
    /// It is a PSBT, and something is wrong with it.
    case psbt(PSBTError)
    /// Every line feed has a carriage return in front that was not there before.
    case lineEndingsDamaged
    /// Binary that went through a conversion of text: the fifth byte is gone.
    case damagedByTextConversion
    /// It starts as base64 of a PSBT does and is no base64.
    case base64(Base64.Failure)
    /// It starts as hexadecimal of a PSBT does and is no hexadecimal.
    case hex(Hex.Failure)
    /// Text of a PSBT was encoded once more.
    case encodedTwice(outer: PSBTFile.Encoding, inner: PSBTFile.Encoding)
    /// A transaction for the network, not a PSBT.
    case transaction(Txid)
    /// Something else.
    case notAPSBT(start: [UInt8])
}

extension PSBTFileError: CustomStringConvertible {
    /// What it is, and what to do.
    public var description: String {
        switch self {
        case .empty: "the file is empty"
        case .tooLarge(let found, let allowed):
            "the file has \(found) bytes, at most \(allowed) are read"
        case .psbt(let error): error.description
        case .lineEndingsDamaged:
            "the file was changed on its way: a carriage return was put before every line feed; "
                + "copy it again in binary mode or save it as base64"
        case .damagedByTextConversion:
            "the file was changed on its way: it was binary and was saved as text; "
                + "copy it again in binary mode or save it as base64"
        case .base64(let failure): "base64 that breaks off or was changed: \(failure)"
        case .hex(let failure): "hexadecimal that breaks off or was changed: \(failure)"
        case .encodedTwice(let outer, let inner):
            "a PSBT in \(inner.rawValue) was encoded once more in \(outer.rawValue); "
                + "decode it once"
        case .transaction(let txid):
            "this is transaction \(txid) for the network, not a PSBT; it may be broadcast, "
                + "there is nothing to sign"
        case .notAPSBT(let start):
            "this is no PSBT: it starts with bytes \(Hex.encode(start))"
        }
    }
}
