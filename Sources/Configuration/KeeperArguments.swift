/// What the command line of `bulkheadd` asks for.
public enum KeeperArguments: Equatable, Sendable {
    case help
    /// Only say whether file and flags are right.
    case check(flags: [Setting: String])
    case run(flags: [Setting: String])

    /// Reads the arguments, without the program's name.
    public init(_ arguments: [String]) throws(UsageError) {
        let parsed = try ParsedArguments(arguments, flags: KeeperArguments.flags)
        if let operand = parsed.operands.first { throw .unexpectedOperand(operand) }
        guard parsed.values[Flag.help.name] == nil else {
            self = .help
            return
        }
        var given: [Setting: String] = [:]
        for setting in Setting.allCases {
            guard let value = parsed.values[setting.rawValue] else { continue }
            given[setting] = setting.row.values.argument == nil ? "yes" : value
        }
        self =
            parsed.values[KeeperArguments.check.name] == nil
            ? .run(flags: given) : .check(flags: given)
    }

    private static let check = Flag(
        "check",
        "Say what is wrong with the configuration file or these flags, if anything, and end.")

    /// The flags of `bulkheadd`.
    static let flags = Setting.allCases.map(\.flag) + [check, .help]
}

extension Settings {
    /// Takes the settings that were given as flags.
    public mutating func take(flags: [Setting: String]) throws(UsageError) {
        for setting in Setting.allCases {
            guard let value = flags[setting] else { continue }
            do throws(BadValue) {
                try set(setting, to: value)
            } catch {
                throw .badValue(flag: setting.rawValue, error)
            }
        }
    }
}
