import Bitcoin
import Configuration
import ConsoleCore
import Hashing
import Messages
import Prompts
import StateFiles
import Wire

extension VaultTask {
    /// Shows a message whole, asks for the password of the wallet whose address it is, and prints the
    /// signature.
    mutating func signMessage() throws(CommandEnd) {
        let form = try messageForm()
        let depth = UInt32(try number(.depth, in: 1...20_000) ?? 1000)
        let message: MessageText
        do throws(MessageText.Fault) { message = try MessageText(job.message) } catch {
            throw .refused(.badMessage(error.description))
        }
        let place = try ownPlace(of: job.argument(0) ?? "", depth)
        let row = try vault(named: place.vault.description, .wallet)
        StandardStream.error(
            MessageScreen.lines(of: message, at: place, wallet: title(row))
                .map { $0 + "\n" }.joined())
        try accept(message.warnings)
        try handPassword(of: row)
        let request = MessageToSign(
            message.bytes, address: place.row.value, form: form, depth: depth)
        try print(try session.ask(.signMessage(row.id, request)))
    }

    private func messageForm() throws(CommandEnd) -> MessageForm? {
        do throws(CommandLineWords.Problem) {
            return try job.words.choice(
                .messageForm, MessageForm.allCases.map { ($0.name, $0) })
        } catch {
            throw .problem(.usage, "\(error)")
        }
    }

    /// Where an address lies: in the wallet that was named, or in the only one that has it.
    private mutating func ownPlace(
        of address: String, _ depth: UInt32
    ) throws(CommandEnd) -> FoundAddress {
        let wanted = try job.argument(1).map { name throws(CommandEnd) in
            try vault(named: name, .wallet).id
        }
        guard
            case .searched(var found, let depth, let remarks) = try session.ask(
                .findAddress(address, depth: depth))
        else { throw .client(.unexpected) }
        if let wanted { found.removeAll { $0.vault != wanted } }
        for remark in remarks where found.isEmpty {
            StandardStream.error("bulkhead: \(VisibleText(remark, limit: 1000))\n")
        }
        guard let place = found.first else { throw .refused(.notOwnAddress(depth: depth)) }
        guard found.count == 1 else {
            let rows = try session.vaults().filter { row in found.contains { $0.vault == row.id } }
            let names = rows.map { title($0) }
            throw .problem(
                .input,
                "several wallets have this address (\(names.joined(separator: ", "))): name one")
        }
        return place
    }

    /// A person says yes to what is unusual; a script cannot.
    private func accept(_ warnings: [MessageText.Warning]) throws(CommandEnd) {
        guard !warnings.isEmpty else { return }
        let goesOn = try asking { prompter throws(PromptEnd) in
            try prompter.confirms(warnings.map(\.description).joined(separator: " "))
        }
        guard goesOn else {
            let codes = warnings.map(\.rawValue).joined(separator: ", ")
            throw .problem(
                .refused,
                "nothing was signed: \(codes) (a person at a terminal may accept that)")
        }
    }
}

/// What a person reads before a message is signed.
enum MessageScreen {
    static func lines(
        of message: MessageText, at place: FoundAddress, wallet: String
    ) -> [String] {
        let shown = message.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "    | " + VisibleText(String($0), limit: .max).description }
        let digest = SHA256.hash(message.bytes)
        return ["The message, \(counted(message.bytes.count, "byte")), SHA-256 \(digest):", ""]
            + shown + [
                "",
                "will be signed by the address",
                "    " + VaultTask.grouped(place.row.value),
                "of wallet \(wallet), \(place.row.title), \(place.row.path).",
            ]
    }
}
