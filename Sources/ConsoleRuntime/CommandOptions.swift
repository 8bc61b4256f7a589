import ConsoleCore
import Glibc
import JSON
import Messages

/// The flags that every command knows.
struct CommandOptions {
    /// Where `signer.sock` and `network.sock` are.
    let runtimeDirectory: String
    /// Whether the answer is printed as JSON.
    let printsJSON: Bool

    init(_ words: CommandLineWords) {
        runtimeDirectory = words.value("runtime-directory") ?? Self.usualDirectory()
        printsJSON = words.has("json")
    }

    /// Prints an answer for the person or a program.
    func print(_ answer: VaultAnswer) {
        StandardStream.out(
            (printsJSON ? answer.json.text : answer.lines.joined(separator: "\n")) + "\n")
    }

    private static func usualDirectory() -> String {
        let home = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
        let candidates = [
            "/run/bulkhead", variable("XDG_RUNTIME_DIR").map { $0 + "/bulkhead" },
            home.map { $0 + "/bulkhead/run" },
        ].compactMap { $0 }
        return candidates.first { access($0 + "/signer.sock", F_OK) == 0 }
            ?? candidates.first { access($0 + "/network.sock", F_OK) == 0 } ?? candidates[0]
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
