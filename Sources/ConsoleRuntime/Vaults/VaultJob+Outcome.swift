import ConsoleCore
import Wire

extension VaultJob {
    /// What stands although the command did not end well, and the commands for what is missing; nil
    /// if nothing was made.
    ///
    /// - Parameters:
    ///   - report: What the child reported.
    ///   - failed: Whether a file that was whole could not be put under its name.
    func whatWasMade(_ report: [UInt8], losing failed: Bool) -> String? {
        let lines = report.split(separator: 0x0A)
        guard lines.contains([UInt8(ascii: "m")]) else { return nil }
        let hasKit = !failed && lines.contains([UInt8(ascii: "k")])
        let place = kit.map { "in \(VisibleText($0.file.path, limit: 200))" } ?? "on the screen"
        guard command != .kit else {
            return hasKit
                ? "the new kit is \(place); the old recovery code is dead"
                : "the old recovery code is dead; make a kit that is not: bulkhead kit FILE"
                    + (argument(1).map { " \(VisibleText($0, limit: 100))" } ?? "")
        }
        let name = VisibleText(argument(0) ?? "", limit: 100)
        let what = command == .itemsCreate ? "vault" : "wallet"
        let next = hasKit ? "its kit is \(place)" : "bulkhead kit FILE \(name) makes a new kit"
        let words =
            command == .walletCreate ? ", bulkhead wallet show-phrase \(name) shows its words" : ""
        return "the \(what) \(name) was made; \(next)\(words)"
    }

    /// After a vault or a kit was made: where the kit is, and what a person does next.
    func sayWhatIsNext(_ report: [UInt8]) {
        guard command.makesKit, !options.printsJSON else { return }
        var lines: [String] = []
        if let kit { lines.append("the kit is in \(VisibleText(kit.file.path, limit: 200))") }
        let name = argument(command == .kit ? 1 : 0).map { " \(VisibleText($0, limit: 100))" } ?? ""
        if !report.split(separator: 0x0A).contains(where: { $0.first == UInt8(ascii: "b") }) {
            lines.append("next, a backup: bulkhead backup FILE\(name)")
        }
        if command == .walletCreate || command == .walletImport {
            lines.append("an address to receive at: bulkhead receive\(name)")
        }
        StandardStream.out(lines.map { $0 + "\n" }.joined())
    }
}
