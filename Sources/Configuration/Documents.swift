/// The texts that are made from the tables of this module.
public enum Documents {
    /// What a program's `--help` prints.
    public static func help(program: String, summary: String, flags: [Flag]) -> String {
        let rows = flags.map { flag in
            let name = "  --" + flag.name + (flag.argument.map { " " + $0 } ?? "")
            let text = flag.sentence + (flag.defaultText.map { " Default: \($0)." } ?? "")
            return ([name] + wrapped(text, width: 72).map { "        " + $0 }).joined(
                separator: "\n")
        }
        return """
            usage: \(program) [FLAG]...

            \(wrapped(summary, width: 80).joined(separator: "\n"))

            \(rows.joined(separator: "\n"))

            """
    }

    /// The part of a `--help` that lists commands.
    public static func help(commands: [(name: String, sentence: String)]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        return commands.map { name, sentence in
            let indent = String(repeating: " ", count: width + 4)
            let text = wrapped(sentence, width: 80 - indent.count).map { indent + $0 + "\n" }
                .joined()
            return "  " + name + text.dropFirst(name.count + 2)
        }.joined()
    }

    /// What `bulkheadd --help` prints.
    public static var keeperHelp: String {
        help(
            program: "bulkheadd",
            summary: "Starts, confines and restarts the processes of a Bulkhead instance. "
                + "Settings come from the configuration file, then from these flags.",
            flags: KeeperArguments.flags)
    }

    /// What the `--help` of a program prints that only the keeper starts.
    public static func childHelp(program: String) -> String {
        help(
            program: program,
            summary:
                "A process of a Bulkhead instance. bulkheadd starts it, with these flags and the "
                + "descriptors that it needs; started by hand it ends. See bulkheadd --help.",
            flags: ChildArguments.flags + [.help])
    }

    /// `docs/configuration.md`.
    public static var configuration: String {
        let rows = Setting.allCases.map { setting in
            let row = setting.row
            let place = setting.isAllowedInFile ? "file, flag" : "flag"
            let cells = [
                "`\(setting.rawValue)`", place, row.defaultValue.text, row.values.allowed,
                row.sentence,
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        return """
            # Configuration

            *Made from `Sources/Configuration/Setting.swift` by `scripts/docs`; change it there.*

            `bulkheadd` reads `/etc/bulkhead/bulkhead.conf` (or the file that `--config` names), then its
            flags, which win. The file has one `key = value` a line; lines that start with `#` are comments.
            An unknown key, a value that is not allowed or a key set twice ends the start with file, line and
            what is allowed, before anything is created or changed. Every key is also a flag: `role = offline`
            is `--role offline`, and a setting of yes or no is the flag alone.

            | setting | where | default | allowed | what it does |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            A state directory is for one network. The first start writes which into the file `bitcoin-network`
            there, and a start for another is refused (status 4).

            The settings for development start only on a state directory that such a start found empty and
            marked with a file `made-for-development`.

            """
    }

    /// `docs/exit-codes.md`.
    public static var exitCodes: String {
        let rows = ExitCode.allCases.map { code in
            "| \(code.rawValue) | \(code) | \(code.sentence) | \(code.remedy) |"
        }
        return """
            # Exit codes

            *Made from `Sources/Configuration/ExitCode.swift` by `scripts/docs`; change it there.*

            All programs share one table.

            | status | name | meaning | what to do |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
