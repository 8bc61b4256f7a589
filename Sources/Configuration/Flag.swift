import Wire

/// One flag of a program.
public struct Flag: Equatable, Sendable {
    /// The name without its dashes.
    public let name: String
    /// What stands for the value in the help text, or nil where the flag takes none.
    public let argument: String?
    /// What the flag does, as a sentence.
    public let sentence: String
    /// What holds when the flag is not given, for the help text.
    public let defaultText: String?

    /// Declares a flag.
    public init(
        _ name: String, argument: String? = nil, _ sentence: String, defaultText: String? = nil
    ) {
        self.name = name
        self.argument = argument
        self.sentence = sentence
        self.defaultText = defaultText
    }

    /// `--help`, which every program has; `-h` is the same.
    public static let help = Flag("help", "Print this text and end.")
}

/// What a command line said: the flags in their order, then everything that is no flag.
public struct ParsedArguments: Equatable, Sendable {
    /// The value of each given flag; the empty text for a flag without a value.
    public private(set) var values: [String: String] = [:]
    /// The arguments that are no flags.
    public private(set) var operands: [String] = []

    /// Reads GNU-style arguments, without the program's name.
    ///
    /// `--name value` and `--name=value` mean the same; `--` ends the flags. A flag may be given once.
    /// `-h` stands for `--help`.
    public init(_ arguments: [String], flags: [Flag]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument != "--" else {
                operands += rest
                return
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            try take(argument == "-h" ? "--help" : argument, from: &rest, flags: flags)
        }
    }

    private mutating func take(
        _ argument: String, from rest: inout ArraySlice<String>, flags: [Flag]
    ) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0].drop { $0 == "-" })
        guard argument.hasPrefix("--"), let flag = flags.first(where: { $0.name == name }) else {
            throw .unknownFlag(
                String(parts[0]), nearest: flags.lazy.map(\.name).nearest(to: name))
        }
        guard values[name] == nil else { throw .repeatedFlag(name) }

        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let placeholder = flag.argument else {
            guard attached == nil else { throw .unexpectedValue(flag: name) }
            values[name] = ""
            return
        }
        guard let value = attached ?? rest.popFirst() else {
            throw .missingValue(flag: name, argument: placeholder)
        }
        values[name] = value
    }
}

/// What is wrong with a command line.
public enum UsageError: Error, Equatable, CustomStringConvertible {
    case unknownFlag(String, nearest: String?)
    case repeatedFlag(String)
    case missingValue(flag: String, argument: String)
    case unexpectedValue(flag: String)
    case unexpectedOperand(String)
    case badValue(flag: String, BadValue)

    /// The sentence for a person.
    public var description: String {
        switch self {
        case .unknownFlag(let flag, let nearest?):
            "unknown flag \(quoted(flag)); did you mean --\(nearest)?"
        case .unknownFlag(let flag, nil): "unknown flag \(quoted(flag)); --help lists the flags"
        case .repeatedFlag(let flag): "--\(flag) is given twice"
        case .missingValue(let flag, let argument): "--\(flag) needs a value: --\(flag) \(argument)"
        case .unexpectedValue(let flag): "--\(flag) takes no value"
        case .unexpectedOperand(let operand):
            "unexpected argument \(quoted(operand)); --help lists the flags"
        case .badValue(let flag, let problem): "--\(flag): \(problem)"
        }
    }
}

/// A value that its setting does not allow.
public struct BadValue: Error, Equatable, CustomStringConvertible {
    /// What was found.
    public let found: String
    /// What would have been allowed.
    public let allowed: String

    /// A value and what is allowed in its place.
    public init(found: String, allowed: String) {
        self.found = found
        self.allowed = allowed
    }

    /// The sentence for a person.
    public var description: String { "\(quoted(found)) is not allowed here; allowed: \(allowed)" }
}

/// Text from outside, in quotation marks, at most 80 characters, control characters escaped.
func quoted(_ text: String) -> String { "\"\(VisibleText(text, limit: 80))\"" }
