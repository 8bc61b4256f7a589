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
        /// More characters than any descriptor needs.
        case tooLong(allowed: Int)
        /// More open parentheses and braces than any descriptor needs.
        case tooDeep(allowed: Int)
        /// A character outside BIP380's set.
        case invalidCharacter
        /// A character that has no place here.
        case unexpectedCharacter
        /// A parenthesis or brace without its end.
        case unclosed
        /// A parenthesis without a name before it.
        case missingName
        /// A second `#`.
        case severalChecksums
        /// A checksum of another length than 8.
        case checksumLength(found: Int)
        /// A character that no checksum has.
        case checksumCharacter
        /// The checksum of another text.
        case checksumMismatch
        /// No checksum where one is required.
        case checksumMissing
        /// No function of this name.
        case unknownFunction
        /// A function in the wrong place.
        case notAllowedHere(Function, allowed: String)
        /// Another number of arguments than the function takes.
        case argumentCount(Function, found: Int, allowed: String)
        /// A key where a function must stand.
        case scriptExpected(Function)
        /// A function where a key must stand.
        case keyExpected
        /// A threshold that is no number, 0, or above the number of keys.
        case threshold(found: Int?, keys: Int)
        /// Too many keys, or none.
        case keyCount(found: Int, allowed: ClosedRange<Int>)
        /// A script that can never be spent, for its size.
        case scriptTooLarge(found: Int, allowed: Int)
        /// A taproot leaf deeper than consensus allows.
        case treeTooDeep(allowed: Int)
        /// Braces around anything but two sides.
        case branchCount(found: Int)
        /// No miniscript, or an ill-typed one.
        case miniscript(MiniscriptError.Reason)
        /// A miniscript that money should not be sent to.
        case insane(InsaneMiniscript.Reason)
        /// Something else where hexadecimal digits must stand.
        case notHexadecimal
        /// No address.
        case invalidAddress
        /// What is or looks like a private key.
        case privateKey
        /// No key in any form.
        case invalidKey
        /// Nothing where a key must stand.
        case missingKey
        /// A space at an end of a key.
        case whitespace
        /// A key that starts with 06 or 07.
        case hybridKey
        /// A key of 65 bytes where segwit or taproot forbids it.
        case uncompressedKey
        /// A key of 32 bytes outside taproot.
        case xOnlyKey
        /// Bytes of a key that are no point of the curve.
        case keyNotOnCurve
        /// A key for the second time in one script.
        case duplicateKeys
        /// `[` without `]`.
        case originNotClosed
        /// `]` without `[`.
        case originNotOpened
        /// A second origin.
        case severalOrigins
        /// Anything but 8 hexadecimal digits at the start of an origin.
        case fingerprint
        /// A step that is no number.
        case pathStep
        /// A step of 2^31 or more.
        case pathStepRange
        /// Steps after a key that has no children.
        case pathAfterSingleKey
        /// A path that leads deeper than BIP32's depth.
        case pathTooLong(allowed: Int)
        /// A step that only the private key can take.
        case hardenedAfterPublicKey
        /// A step after `*`.
        case wildcardNotLast
        /// `<...>` in an origin.
        case multipathInOrigin
        /// A second `<...>` of one key.
        case severalMultipaths
        /// `<...>` with fewer than two steps, or very many.
        case multipathCount(found: Int, allowed: ClosedRange<Int>)
        /// The same step twice in `<...>`.
        case multipathDuplicate
        /// `<...>` of another length than that of an earlier key.
        case multipathMismatch(found: Int, expected: Int)
        /// `musig` outside taproot.
        case musigNotAllowedHere
        /// `musig` without keys.
        case musigEmpty
        /// `musig` in `musig`.
        case musigNested
        /// Steps after `musig` over keys that have no children.
        case musigDerivation
        /// `*` or `<...>` both in and after `musig`.
        case musigBothRanged
        /// No placeholder where one must stand.
        case placeholder
        /// A placeholder before those with lower numbers, or without a key.
        case placeholderOrder(found: Int, allowed: Int)
        /// Steps of a placeholder that are not `/**` or `/<m;n>/*`.
        case placeholderPath
        /// A malformed or repeated annotation.
        case annotation
    }

    /// A function of the descriptor language, for messages: the name in an error is never taken
    /// from the text.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        /// The functions that are spelled like their case.
        case pk, pkh, wpkh, sh, wsh, tr, rawtr, combo, multi, sortedmulti, raw, addr, musig
        /// `multi_a`
        case multiA = "multi_a"
        /// `sortedmulti_a`
        case sortedmultiA = "sortedmulti_a"
    }
}

extension DescriptorError: CustomStringConvertible {
    /// One sentence: what, where, and what to do.
    public var description: String { "character \(position + 1): \(reason.description)" }
}
