/// What is wrong with the text of a descriptor, and where.
///
/// It never repeats text: what stands in the wrong place may be a private key.
public struct DescriptorError: Error, Hashable, Sendable {
    /// What is wrong.
    public let reason: Reason
    /// Where, counted in characters from 0.
    public let position: Int

    /// A reason at a place, counted in characters from 0.
    public init(_ reason: Reason, at position: Int) {
        self.reason = reason
        self.position = position
    }

    /// What can be wrong.
    public enum Reason: Hashable, Sendable {
        // The text as a whole.
        case tooLong(allowed: Int)
        case tooDeep(allowed: Int)
        case invalidCharacter
        case unexpectedCharacter
        case unclosed
        case missingName
        // The checksum.
        case severalChecksums
        case checksumLength(found: Int)
        case checksumCharacter
        case checksumMismatch
        case checksumMissing
        // Functions and their arguments.
        case unknownFunction
        case notAllowedHere(Function, allowed: String)
        case argumentCount(Function, found: Int, allowed: String)
        case scriptExpected(Function)
        case keyExpected
        case threshold(found: Int?, keys: Int)
        case keyCount(found: Int, allowed: ClosedRange<Int>)
        case scriptTooLarge(found: Int, allowed: Int)
        case treeTooDeep(allowed: Int)
        case branchCount(found: Int)
        case miniscript(MiniscriptError.Reason)
        case insane(InsaneMiniscript.Reason)
        case notHexadecimal
        case invalidAddress
        // Keys.
        case privateKey
        case invalidKey
        case missingKey
        case whitespace
        case hybridKey
        case uncompressedKey
        case xOnlyKey
        case keyNotOnCurve
        case duplicateKeys
        case originNotClosed
        case originNotOpened
        case severalOrigins
        case fingerprint
        case pathStep
        case pathStepRange
        case pathAfterSingleKey
        case pathTooLong(allowed: Int)
        case hardenedAfterPublicKey
        case wildcardNotLast
        case multipathInOrigin
        case severalMultipaths
        case multipathCount(found: Int, allowed: ClosedRange<Int>)
        case multipathDuplicate
        case multipathMismatch(found: Int, expected: Int)
        case musigNotAllowedHere
        case musigEmpty
        case musigNested
        case musigDerivation
        case musigBothRanged
        // Placeholders of wallet policies.
        case placeholder
        case placeholderOrder(found: Int, allowed: Int)
        case placeholderPath
        // Annotations.
        case annotation
    }

    /// A function of the descriptor language, for messages: the name in an error is never taken
    /// from the text.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        case pk, pkh, wpkh, sh, wsh, tr, rawtr, combo, multi, sortedmulti, raw, addr, musig
        case multiA = "multi_a"
        case sortedmultiA = "sortedmulti_a"
    }
}

extension DescriptorError: CustomStringConvertible {
    /// One sentence: what, where, and what to do.
    public var description: String { "character \(position + 1): \(reason.description)" }
}
