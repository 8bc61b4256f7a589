import ConsoleCore
import LinuxIO
import Messages
import Prompts
import SecretMemory
import StateFiles
import Vault
import Wire

extension VaultTask {
    // MARK: New vaults

    mutating func create() throws(CommandEnd) {
        let kind: VaultKind = job.command == .itemsCreate ? .items : .wallet
        let words: Int
        do throws(CommandLineWords.Problem) {
            words = try job.words.choice(.words, [("12", 12), ("24", 24)]) ?? 24
        } catch {
            throw .problem(.usage, "\(error)")
        }
        let name = try freeName(0)
        let new = Messages.NewVault(kind: kind, name: name, kdf: try kdf())
        var fields = SecretFieldsWriter()
        let password = try newPassword(VisibleText(name, limit: 60).description)
        fields.write(.newPassword, password)
        if job.words.has(.passphrase) { fields.write(.passphrase, try passphrase()) }
        if job.words.has(.dice) {
            fields.write(
                .dice,
                try asking { prompter throws(PromptEnd) in try prompter.dice(wordCount: words) })
        }
        try make(
            .create(
                new, words: UInt8(words), usesDice: job.words.has(.dice),
                hasPassphrase: job.words.has(.passphrase)),
            fields, named: name, kind, password)
    }

    mutating func importWallet() throws(CommandEnd) {
        let name = try freeName(0)
        let birthday = try job.words.birthday(now: job.now)
        let new = Messages.NewVault(name: name, kdf: try kdf(), birthday: birthday)
        var fields = SecretFieldsWriter()
        let title = "The recovery phrase of \(VisibleText(name, limit: 50))"
        if job.words.has(.xprv) {
            let key = try asking { prompter throws(PromptEnd) in
                try prompter.hidden("extended private key (xprv)")
            }
            fields.write(.xprv, key)
        } else {
            fields.write(
                .words, try asking { prompter throws(PromptEnd) in try prompter.words(title) })
            if job.words.has(.passphrase) { fields.write(.passphrase, try passphrase()) }
        }
        let password = try newPassword(VisibleText(name, limit: 60).description)
        fields.write(.newPassword, password)
        let request: VaultRequest =
            job.words.has(.xprv)
            ? .importXprv(new) : .importWords(new, hasPassphrase: job.words.has(.passphrase))
        try make(request, fields, named: name, .wallet, password)
    }

    /// A name that can be given and that no other vault has. The signer refuses another one itself; here it
    /// is before anything is asked of the person.
    mutating func freeName(_ place: Int, for own: VaultID? = nil) throws(CommandEnd) -> String {
        let name = job.argument(place) ?? ""
        do throws(GivenNameError) { _ = try GivenName(new: name) } catch {
            throw .refused(.badName(error.description))
        }
        let twin = try session.vaults().first {
            $0.id != own && GivenName.areTwins($0.name, name)
        }
        if let twin { throw .refused(.nameTaken(by: twin.id, called: twin.name)) }
        return name
    }

    private func passphrase() throws(CommandEnd) -> SecretBytes {
        try asking { prompter throws(PromptEnd) in
            try prompter.newPassphrase("BIP39 passphrase")
        }
    }

    private mutating func make(
        _ request: VaultRequest, _ fields: consuming SecretFieldsWriter, named name: String,
        _ kind: VaultKind, _ password: borrowing SecretBytes
    ) throws(CommandEnd) {
        try session.hand(fields)
        try session.handOutputPipe()
        let answer = try session.ask(request)
        guard case .made(let id, _, _, _) = answer else { throw .client(.unexpected) }
        reportMade()
        do throws(CommandEnd) {
            let secrets = try session.secrets()
            // The file first: whoever leaves the screens early has it all the same.
            if job.kit != nil { try give(kit: secrets, of: id, named: name, kind) }
            if let digits = secrets.copy(.kernelEntropy) { try show(kernelEntropy: digits) }
            if let phrase = secrets.copy(.words) { try teach(phrase, of: name) }
            if job.kit == nil { try give(kit: secrets, of: id, named: name, kind) }
            try print(answer)
        } catch {
            throw .unseen(error)
        }
        try backUpAfterChange(of: id, password: password)
    }

    // MARK: Words

    mutating func showPhrase() throws(CommandEnd) {
        let row = try vault(0, .wallet)
        var fields = SecretFieldsWriter()
        fields.write(.password, try password(of: row))
        try session.hand(fields)
        try session.handOutputPipe()
        _ = try session.ask(.showPhrase(row.id))
        let secrets = try session.secrets()
        if let phrase = secrets.copy(.words) { try show(phrase: phrase, of: row.name) }
        for (tag, what) in [
            (SecretFields.Tag.passphrase, "The BIP39 passphrase"),
            (.xprv, "The extended private key"),
        ] {
            guard let secret = secrets.copy(tag), secret.count > 0 else { continue }
            try show(secret, "\(what) of \(title(row))")
        }
        if job.options.printsJSON { try print(.done(remarks: [])) }
    }

    /// Shows a new wallet's words until the person knows some of them from what was written down.
    private func teach(_ phrase: borrowing SecretBytes, of name: String) throws(CommandEnd) {
        let title = "What you wrote down of \(VisibleText(name, limit: 50))"
        let count = phrase.withUnsafeBytes { $0.split(separator: UInt8(ascii: " ")).count }
        let places = QuizPlaces.chosen(of: count, by: session.randomNumber)
        while true {
            try show(phrase: phrase, of: name)
            guard job.phrase == nil else { return }
            do throws(PromptEnd) {
                if try session.prompter.quiz(phrase, places: places, title: title) { return }
            } catch {
                throw .prompt(error)
            }
        }
    }

    /// To the descriptor that a script gave, or on the screen without scroll-back.
    private func show(
        phrase: borrowing SecretBytes, of name: String
    ) throws(CommandEnd) {
        let title =
            "The recovery phrase of \(VisibleText(name, limit: 50)). Write it down; show it to nobody."
        guard job.phrase == nil else { return try write(phrase) }
        do throws(PromptEnd) { try session.prompter.show(phrase: phrase, title: title) } catch {
            throw .prompt(error)
        }
    }

    func show(_ secret: borrowing SecretBytes, _ title: String) throws(CommandEnd) {
        guard job.phrase == nil else { return try write(secret) }
        do throws(PromptEnd) { try session.prompter.show(secret, title: title) } catch {
            throw .prompt(error)
        }
    }

    /// What a person needs to compute the words from the dice once more.
    private func show(kernelEntropy digits: borrowing SecretBytes) throws(CommandEnd) {
        try show(
            digits,
            "The kernel's part of the entropy. To check the words, write it down and compute on a "
                + "machine that is never online (12 words: the first 32 digits of the sum):\r\n"
                + "printf %s DIGITSROLLS | sha256sum\r\n"
                + "Digits and rolls together are as good as the words: show them to nobody.")
    }

    private func write(_ secret: borrowing SecretBytes) throws(CommandEnd) {
        guard let phrase = job.phrase else { return }
        do throws(Errno) {
            try StandardStream.send(secret, to: phrase)
            try StandardStream.send("\n", to: phrase)
        } catch {
            throw .problem(
                .system, "the descriptor of --phrase-fd did not take everything: \(error)")
        }
    }
}
