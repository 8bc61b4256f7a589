import ConsoleCore

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
}
