/// Why a text or a script is no miniscript, and where.
///
/// It never repeats text: what stands in the wrong place may be a private key.
public struct MiniscriptError: Error, Hashable, Sendable {
    /// What is wrong.
    public let reason: Reason
    /// Where: a character of a text or a byte of a script, from 0.
    public let position: Int

    /// A reason at a place, counted from 0.
    public init(_ reason: Reason, at position: Int) {
        self.reason = reason
        self.position = position
    }

    /// What can be wrong.
    public enum Reason: Hashable, Sendable {
        /// No fragment of this name.
        case unknownFragment
        /// No wrapper of this letter.
        case unknownWrapper(Character)
        /// Another number of arguments than the fragment takes.
        case argumentCount(found: Int, allowed: ClosedRange<Int>)
        /// Something else stands where a key must.
        case keyExpected
        /// Something else stands where a decimal number in this range must.
        case number(allowed: ClosedRange<UInt32>)
        /// Something else stands where this many bytes in hexadecimal must.
        case digest(length: Int)
        /// A threshold of 0, or above the number of arguments.
        case threshold(found: Int, of: Int)
        /// The fragment does not exist in this context.
        case notInContext(String, ScriptContext)
        /// An argument (from 1) has not the type that the fragment needs.
        case wrongType(String, argument: Int, needed: MiniscriptType, found: MiniscriptType)
        /// The whole is not of type B.
        case notTopLevel(found: MiniscriptType)
        /// The script would be larger than its context allows.
        case scriptTooLarge(found: Int, allowed: Int)
        /// More fragments than any script needs.
        case tooManyFragments(allowed: Int)
        /// A fragment came before its arguments.
        case missingArguments(String)
        /// No expression, or some that nothing takes.
        case severalExpressions(found: Int)
        /// The script breaks off within a push.
        case truncatedScript
        /// A push, number or verification that is not in its shortest form.
        case notMinimal
        /// No fragment ends with this opcode.
        case unexpectedOpcode
        /// A key in a script with another length or prefix than its context has.
        case invalidKey
    }
}

extension MiniscriptError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String { "at \(position + 1): \(reason.description)" }
}

extension MiniscriptError.Reason: CustomStringConvertible {
    /// What is wrong, without the place.
    public var description: String { textDescription ?? scriptDescription ?? "no miniscript" }

    private var textDescription: String? {
        switch self {
        case .unknownFragment: "no miniscript fragment of this name"
        case .unknownWrapper(let letter): "no miniscript wrapper \"\(letter):\""
        case .argumentCount(let found, let allowed):
            allowed.count == 1
                ? "\(found) arguments, \(allowed.lowerBound) needed"
                : "\(found) arguments, \(allowed.lowerBound) to \(allowed.upperBound) allowed"
        case .keyExpected: "a key is needed here"
        case .number(let allowed):
            "a number from \(allowed.lowerBound) to \(allowed.upperBound) is needed here"
        case .digest(let length): "\(length) bytes in hexadecimal are needed here"
        case .threshold(let found, let count):
            "a threshold of \(found) is not between 1 and the number of arguments, \(count)"
        case .notInContext(let name, let context): "\(name)() cannot stand in \(context)"
        case .wrongType(let name, let argument, let needed, let found):
            "argument \(argument) of \(name) must be of type \(needed.demand), it is \(found)"
        case .notTopLevel(let found): "the whole must be of type B, it is \(found)"
        default: nil
        }
    }

    private var scriptDescription: String? {
        switch self {
        case .scriptTooLarge(let found, let allowed):
            "the script has \(found) bytes, at most \(allowed) can be spent"
        case .tooManyFragments(let allowed): "more than \(allowed) fragments"
        case .missingArguments(let name): "\(name) has too few arguments before it"
        case .severalExpressions(let found): "\(found) expressions, one is needed"
        case .truncatedScript: "the script ends within a push"
        case .notMinimal: "not in its shortest form"
        case .unexpectedOpcode: "no miniscript fragment ends with this opcode"
        case .invalidKey: "no public key of this context"
        default: nil
        }
    }
}
