public import Configuration
import Wire

/// A command line of `bulkhead`, understood as far as its table goes.
public struct CommandLineWords: Sendable {
    /// The command.
    public let row: CommandRow
    /// Its arguments.
    public let arguments: [String]
    /// Whether no command was named, which is the console.
    public let isBare: Bool
    private let values: [String: String]

    /// Why a command line is none.
    public enum Problem: Error, Equatable, CustomStringConvertible {
        case flag(UsageError)
        case unknownCommand(String, nearest: String?)
        case unfinishedCommand(String, [String])
        case foreignFlag(String, command: String)
        case arguments(command: String, found: Int, usage: String)
        case value(UsageError)

        /// The sentence for a person.
        public var description: String {
            switch self {
            case .flag(let error), .value(let error): "\(error)"
            case .unknownCommand(let name, let nearest?):
                "there is no command \(VisibleText(name, limit: 60)); did you mean \(nearest)?"
            case .unknownCommand(let name, nil):
                "there is no command \(VisibleText(name, limit: 60)); bulkhead help lists all of them"
            case .unfinishedCommand(let group, let words):
                "\(group) wants a word more: one of \(words.joined(separator: ", ")); "
                    + "bulkhead help \(group) tells what they do"
            case .foreignFlag(let flag, let command):
                "--\(flag) is no flag of \(command); bulkhead help \(command) lists them"
            case .arguments(_, let found, let usage):
                "\(counted(found, "argument")) given; the usage is: \(usage)"
            }
        }
    }

    /// Reads the command line without the program's name; no command is the console.
    public init(_ arguments: [String]) throws(Problem) {
        let parsed = try Self.parse(arguments)
        let asksForHelp = parsed.values["help"] != nil
        let (row, rest) = try Self.command(parsed.operands, asksForHelp: asksForHelp)
        let isHelp =
            asksForHelp || parsed.values["version"] != nil || row.command == .help
        let own = Set(row.allFlags.map(\.name) + (isHelp ? ["json"] : []))
        if let foreign = parsed.values.keys.sorted().first(where: { !own.contains($0) }) {
            throw .foreignFlag(foreign, command: row.name)
        }
        guard isHelp || row.counts.contains(rest.count) else {
            let usage = (["bulkhead", row.name] + row.arguments).joined(separator: " ")
            throw .arguments(command: row.name, found: rest.count, usage: usage)
        }
        self.row = row
        isBare = parsed.operands.isEmpty
        self.arguments = rest
        values = parsed.values
    }

    private static func parse(_ arguments: [String]) throws(Problem) -> ParsedArguments {
        do throws(UsageError) {
            return try ParsedArguments(
                arguments, flags: CommandTable.common + CommandFlag.allCases.map(\.flag))
        } catch {
            throw .flag(hinting(error, at: arguments))
        }
    }

    /// An unknown flag is told with the nearest of the flags of its command.
    private static func hinting(_ error: UsageError, at arguments: [String]) -> UsageError {
        let words = arguments.filter { !$0.hasPrefix("-") }
        guard case .unknownFlag(let flag, _) = error,
            let row = (try? command(words, asksForHelp: false))?.0
        else { return error }
        let name = String(flag.drop { $0 == "-" })
        return .unknownFlag(flag, nearest: row.allFlags.map(\.name).nearest(to: name))
    }

    /// The command with the most words that the operands begin with; of a group's name alone it is
    /// `help` that is asked for, if anything is.
    private static func command(
        _ operands: [String], asksForHelp: Bool
    ) throws(Problem) -> (CommandRow, [String]) {
        guard let first = operands.first else { return (CommandTable.rows[0], []) }
        let fitting = CommandTable.rows.filter { operands.starts(with: $0.words) }
        if let row = fitting.max(by: { $0.words.count < $1.words.count }) {
            return (row, Array(operands.dropFirst(row.words.count)))
        }
        let group = CommandTable.rows.filter { $0.words.first == first }
        guard group.isEmpty || operands.count > 1 else {
            let help = CommandTable.rows.first { $0.command == .help }
            if asksForHelp, let help { return (help, operands) }
            throw .unfinishedCommand(first, group.compactMap(\.words.last))
        }
        let isGroup = !group.isEmpty
        let typed = operands.prefix(isGroup ? 2 : 1).joined(separator: " ")
        let names = CommandTable.rows.map(\.name)
        throw .unknownCommand(typed, nearest: names.nearest(to: typed))
    }

    // MARK: Flags

    /// Whether a common flag is given.
    public func has(_ common: String) -> Bool { values[common] != nil }

    /// The value of a common flag.
    public func value(_ common: String) -> String? { values[common] }

    /// Whether a flag is given.
    public func has(_ flag: CommandFlag) -> Bool { values[flag.rawValue] != nil }

    /// The value of a flag.
    public func value(_ flag: CommandFlag) -> String? { values[flag.rawValue] }

    /// A number in this range.
    public func number(
        _ flag: CommandFlag, in range: ClosedRange<Int>
    ) throws(Problem) -> Int? {
        guard let text = value(flag) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .value(
                .badValue(
                    flag: flag.rawValue,
                    BadValue(found: text, allowed: "\(range.lowerBound) to \(range.upperBound)")))
        }
        return number
    }

    /// One of these values.
    public func choice<Value>(
        _ flag: CommandFlag, _ choices: [(String, Value)]
    ) throws(Problem) -> Value? {
        guard let text = value(flag) else { return nil }
        guard let choice = choices.first(where: { $0.0 == text }) else {
            let allowed = choices.map(\.0).joined(separator: ", ")
            throw .value(
                .badValue(flag: flag.rawValue, BadValue(found: text, allowed: allowed)))
        }
        return choice.1
    }
}
