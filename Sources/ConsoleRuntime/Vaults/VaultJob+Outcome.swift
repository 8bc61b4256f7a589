import ConsoleCore

extension VaultJob {
    /// What stands although the command did not end well, and the commands for what is missing; nil
    /// if nothing was made.
    func whatWasMade(_ report: [UInt8]) -> String? {
        let lines = report.split(separator: 0x0A)
        guard lines.contains([UInt8(ascii: "m")]) else { return nil }
        let name = VisibleText(argument(0) ?? "", limit: 100)
        let what = command == .itemsCreate ? "vault" : "wallet"
        let words =
            command == .walletCreate ? ", bulkhead wallet show-phrase \(name) shows its words" : ""
        let kit =
            if let kit, lines.contains([UInt8(ascii: "k")]) {
                "its kit is in \(VisibleText(kit.file.path, limit: 200))"
            } else { "bulkhead kit FILE \(name) makes a new kit" }
        return "the \(what) \(name) was made; \(kit)\(words)"
    }
}
