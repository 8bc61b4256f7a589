/// What of a transaction a signature commits to.
///
/// Consensus accepts any number outside taproot and hashes it as it is; only those with a name here
/// should ever be signed.
public struct SighashType: Hashable, Sendable {
    /// The number as it is hashed; its lowest byte ends a signature.
    public let rawValue: UInt32

    /// Takes any number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Taproot only: as ALL, and the signature carries no byte for it.
    public static let `default` = SighashType(rawValue: 0)
    /// All inputs and outputs.
    public static let all = SighashType(rawValue: 1)
    /// All inputs, no output.
    public static let none = SighashType(rawValue: 2)
    /// All inputs and the output at the place of the signed input.
    public static let single = SighashType(rawValue: 3)

    /// The same, committing to no input but the signed one.
    public var anyoneCanPay: SighashType { SighashType(rawValue: rawValue | 0x80) }

    /// Whether other inputs may be added.
    public var isAnyoneCanPay: Bool { rawValue & 0x80 != 0 }

    /// Whether no output is committed to.
    public var isNone: Bool { rawValue & 0x1F == 2 }

    /// Whether only the output at the place of the signed input is committed to.
    public var isSingle: Bool { rawValue & 0x1F == 3 }

    /// Whether it is one of the six that ECDSA signatures may carry under today's policy.
    public var isStandardForECDSA: Bool { (1...3).contains(rawValue & ~0x80) }

    /// Whether it is one of the seven that taproot allows (BIP341).
    public var isValidForTaproot: Bool { self == .default || isStandardForECDSA }
}

extension SighashType: CustomStringConvertible {
    /// `ALL`, `SINGLE|ANYONECANPAY` and so on; the number where there is no name.
    public var description: String {
        guard isValidForTaproot else { return "0x" + String(rawValue, radix: 16) }
        let names = ["DEFAULT", "ALL", "NONE", "SINGLE"]
        return names[Int(rawValue & 3)] + (isAnyoneCanPay ? "|ANYONECANPAY" : "")
    }
}

/// Why there is no signature hash. Inputs count from 0.
public enum SighashError: Error, Hashable, Sendable {
    /// The transaction has no such input.
    case noSuchInput(Int, count: Int)
    /// The hash commits to an output that was not given.
    case unknownSpentOutput(input: Int)
    /// Taproot allows seven types, this is none of them.
    case invalidTaprootType(SighashType)
    /// Taproot forbids SINGLE where no output stands at the input's place.
    case noOutputForSingle(input: Int)
    /// An annex starts with 0x50.
    case invalidAnnex
}

extension SighashError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .noSuchInput(let index, let count): "input \(index) asked for, there are \(count)"
        case .unknownSpentOutput(let input):
            "the output that input \(input) spends is not known, its amount and script are needed"
        case .invalidTaprootType(let type): "signature type \(type) is not allowed in taproot"
        case .noOutputForSingle(let input):
            "signature type SINGLE at input \(input), which has no output beside it"
        case .invalidAnnex: "a taproot annex must start with 0x50"
        }
    }
}
