import ConsoleCore
import KitDocument
import LinuxIO
import Messages
import Prompts
import SecretMemory
import StateFiles
import Vault
import Wire

extension VaultTask {
    mutating func makeKit() throws(CommandEnd) {
        let row = try vault(1, nil)
        let password = try password(of: row)
        var fields = SecretFieldsWriter()
        fields.write(.password, password)
        try session.hand(fields)
        try session.handOutputPipe()
        let answer = try session.ask(.newKit(row.id))
        reportMade()
        do throws(CommandEnd) {
            try give(kit: try session.secrets(), of: row.id, named: row.name, row.kind)
        } catch {
            throw .unseen(error)
        }
        try print(answer)
        try backUpAfterChange(of: row.id, password: password)
    }

    /// Writes the kit into its file, or shows it where there is none or the file does not take it: an
    /// older recovery code is dead by now.
    func give(
        kit secrets: borrowing SecretFields, of id: VaultID, named name: String, _ kind: VaultKind
    ) throws(CommandEnd) {
        guard let secretKey = secrets.copy(.secretKey), let code = secrets.copy(.recoveryCode)
        else { throw .problem(.channel, "the signer gave no kit") }
        let shown = VisibleText(name, limit: 100).description
        let text = KitScreen.text(id: id, secretKey: secretKey, code: code)
        guard let kit = job.kit else {
            return try show(
                text,
                "The recovery kit of \(shown). Write it down,\r\n"
                    + "or make another one as a file later: bulkhead kit FILE")
        }
        let page = KitPage(
            vaultID: id.description, name: shown,
            holds: kind == .wallet ? "a wallet" : "documents and notes",
            date: UTCTime(seconds: job.now).date, secretKey: secretKey, recoveryCode: code)
        do throws(CommandEnd) { try write(page, to: kit.file, asPDF: kit.isPDF) } catch {
            guard job.terminal != nil else { throw error }
            let title = "The recovery kit of \(shown). Write it down now:\r\n\(error.sentence)."
            do throws(PromptEnd) { try session.prompter.show(text, title: title) } catch {
                throw .prompt(error)
            }
            throw error
        }
        reportWhole("k")
    }

    private func write(
        _ page: borrowing KitPage, to output: OutputFile, asPDF isPDF: Bool
    ) throws(CommandEnd) {
        let file: SecretBytes
        do throws(KitDocumentError) { file = isPDF ? try page.pdf() : try page.text() } catch {
            throw .problem(.system, "\(error)")
        }
        do throws(Errno) { try StandardStream.send(file, to: output.descriptor) } catch {
            throw .problem(.system, "the kit's file did not take everything: \(error)")
        }
    }
}
