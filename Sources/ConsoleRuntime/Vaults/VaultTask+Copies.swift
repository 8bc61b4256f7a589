import ConsoleCore
import Messages
import Prompts
import SecretMemory
import StateFiles
import Vault
import Wire

extension VaultTask {
    // MARK: Backups

    mutating func backUp() throws(CommandEnd) {
        guard let output = job.output else { throw .problem(.usage, "no file was named") }
        let row = try vault(1, nil)
        try handPassword(of: row)
        try session.hand(.output, output.descriptor)
        let answer = try session.ask(.backup(row.id))
        reportWhole("o")
        try print(answer)
    }

    /// Checks, shows what would change, asks, and restores.
    mutating func restore() throws(CommandEnd) {
        let header: StreamHeader
        do throws(StreamError) { header = try StreamHeader(job.inputVault) } catch {
            throw .problem(.input, "the file is no backup of Bulkhead: \(error)")
        }
        guard case .backup = header.kind else {
            throw .problem(.input, "the file is a sealed item, no backup")
        }
        let id = header.vault
        let what = "The secret key of vault \(id), from its kit"
        let key = try asking { prompter throws(PromptEnd) in
            try prompter.kitText(.secretKey, what)
        }
        try hand(secretKey: key)
        try session.hand(.input, job.inputs[0])
        let plan = try session.ask(.restoreCheck(id))
        guard !job.words.has(.check) else { return try print(plan) }
        say(plan.lines.joined(separator: "\n"))
        if !job.words.has(.yes) {
            let goesOn = try asking { prompter throws(PromptEnd) in
                try prompter.confirms("Nothing was changed so far.")
            }
            guard goesOn else {
                throw .problem(.cancelled, "nothing was restored; a script says --yes")
            }
        }
        try hand(secretKey: key)
        try session.hand(.input, job.inputs[1])
        let answer = try session.ask(.restore(id))
        guard !job.options.printsJSON, case .restored(_, _, let remarks) = answer else {
            return try print(answer)
        }
        say("restored: vault \(id), as told above")
        for remark in remarks { say(VisibleText(remark, limit: 300).description) }
    }

    private mutating func hand(secretKey key: borrowing SecretBytes) throws(CommandEnd) {
        var fields = SecretFieldsWriter()
        fields.write(.secretKey, key)
        try session.hand(fields)
    }

    // MARK: The ledger

    mutating func readLedger() throws(CommandEnd) {
        let imported = try importedLedger()
        switch job.command {
        case .ledgerVerify: try print(try ask(.verify, of: imported))
        case .ledgerExport:
            guard let output = job.output else { throw .problem(.usage, "no file was named") }
            try session.hand(.output, output.descriptor)
            let answer = try ask(.export, of: imported)
            reportWhole("o")
            try print(answer)
        default: try listLedger(imported)
        }
    }

    /// This machine's ledger, or one that came with a backup.
    private mutating func ask(
        _ reading: LedgerReading, of imported: LedgerID?
    ) throws(CommandEnd) -> VaultAnswer {
        if let imported { return try session.ask(.importedLedger(imported, reading)) }
        switch reading {
        case .list(let first, let count):
            return try session.ask(.ledgerList(from: first, count: count))
        case .export: return try session.ask(.ledgerExport)
        case .verify: return try session.ask(.ledgerVerify)
        }
    }

    /// The one whose id begins with the digits that were given.
    private mutating func importedLedger() throws(CommandEnd) -> LedgerID? {
        guard let digits = job.words.value(.imported) else { return nil }
        guard case .importedLedgers(let rows) = try session.ask(.importedLedgers) else {
            throw .client(.unexpected)
        }
        let found = rows.filter { $0.id.description.hasPrefix(digits.lowercased()) }
        guard found.count == 1, !digits.isEmpty else {
            throw .problem(
                .input,
                "\(found.count) imported ledgers begin with \(VisibleText(digits, limit: 40)); "
                    + "bulkhead ledger imported lists all of them")
        }
        return found[0].id
    }

    private mutating func listLedger(_ imported: LedgerID?) throws(CommandEnd) {
        let first: Int?
        let count: Int
        do throws(CommandLineWords.Problem) {
            first = try job.words.number(.from, in: 1...Int.max)
            count = try job.words.number(.count, in: 1...Limit.rows) ?? 20
        } catch {
            throw .problem(.usage, "\(error)")
        }
        let from: UInt64
        if let first {
            from = UInt64(first)
        } else {
            guard case .ledger(_, let last) = try ask(.list(from: 1, count: 1), of: imported)
            else { throw .client(.unexpected) }
            from = last >= UInt64(count) ? last - UInt64(count) + 1 : 1
        }
        try print(try ask(.list(from: from, count: UInt16(count)), of: imported))
    }
}
