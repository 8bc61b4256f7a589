import Configuration
import ConsoleCore
import JSON
import LinuxIO
import Messages
import Prompts
import SecretMemory
import StateFiles
import Vault
import Wire

/// What the confined child of a command on vaults does.
struct VaultTask: ~Copyable {
    let job: VaultJob
    private let ties: Launcher.Ties
    var session: VaultSession

    /// The child's whole life.
    static func run(_ job: VaultJob, _ ties: Launcher.Ties) -> ExitCode {
        do throws(CommandEnd) {
            var task = try VaultTask(job, ties)
            try task.run()
            return .success
        } catch {
            if error.isWithoutLauncher { job.terminal?.restoreForLauncher() }
            return error.tell(asJSON: job.options.printsJSON)
        }
    }

    private init(_ job: VaultJob, _ ties: Launcher.Ties) throws(CommandEnd) {
        // All at once: Swift 6.0.3 mends a noncopyable value badly that is half made when this throws.
        let session = try VaultSession.begin(
            job.options.runtimeDirectory, pipes: 6, terminal: job.terminal?.number,
            leash: ties.leash, answers: job.answers,
            keeping: job.descriptors.union([ties.report]),
            drawsBar: job.drawsBar)
        self.job = job
        self.ties = ties
        self.session = session
    }

    private mutating func run() throws(CommandEnd) {
        switch job.command {
        case .walletList: try print(try session.ask(.list))
        case .walletKeys: try print(try session.ask(.index(try vault(0, .wallet).id)))
        case .receive: try receive()
        case .verifyAddress: try verifyAddress()
        case .pairExport: try exportPairing()
        case .signMessage: try signMessage()
        case .walletCreate, .itemsCreate: try create()
        case .walletImport: try importWallet()
        case .walletShowPhrase: try showPhrase()
        case .walletPassword: try changePassword()
        case .walletPassphrase: throw .refused(.passphraseIsFixed)
        case .walletRename: try rename()
        case .walletDelete: try delete()
        case .walletRecover: try recover()
        case .walletAdopt: try adopt()
        case .walletRebuildIndex: try rebuildIndex()
        case .kit: try makeKit()
        case .backup: try backUp()
        case .restore: try restore()
        case .ledgerList, .ledgerExport, .ledgerVerify: try readLedger()
        case .ledgerImported: try print(try session.ask(.importedLedgers))
        case .itemsAdd: try addItem()
        case .itemsList: try listItems()
        case .itemsGet: try getItem()
        case .itemsRemove: try removeItem()
        case .console, .status, .audit, .submit, .help, .review, .sign, .pending, .approve, .reject,
            .verifyMessage:
            preconditionFailure("no command on vaults")
        case .sync, .balance, .history, .coins, .watchImport, .watchList, .watchRemove,
            .watchAddress, .rescan, .broadcast, .broadcastList, .broadcastWithdraw, .labelsExport,
            .labelsImport, .labelsSet,
            .peersList, .peersAdd, .peersRemove, .peersForget:
            preconditionFailure("no command on vaults")
        }
    }

    // MARK: Shared by all

    /// The vault that the argument at this place names.
    mutating func vault(_ place: Int, _ kind: VaultKind?) throws(CommandEnd) -> VaultRow {
        try vault(named: job.argument(place), kind)
    }

    mutating func vault(named name: String?, _ kind: VaultKind?) throws(CommandEnd) -> VaultRow {
        let rows = try session.vaults()
        do throws(VaultChoice.Problem) {
            return try VaultChoice.find(name, kind: kind, in: rows)
        } catch {
            throw .problem(.input, "\(error)")
        }
    }

    /// How the vault is called in prompts.
    func title(_ row: VaultRow) -> String { session.title(of: row) }

    func kdf() throws(CommandEnd) -> PasswordKDF {
        do throws(CommandLineWords.Problem) { return try job.kdf() } catch {
            throw .problem(.usage, "\(error)")
        }
    }

    /// Runs a prompt.
    func asking<Value: ~Copyable>(
        _ prompt: (Prompter) throws(PromptEnd) -> Value
    ) throws(CommandEnd) -> Value {
        do throws(PromptEnd) { return try prompt(session.prompter) } catch {
            throw .prompt(error)
        }
    }

    func password(of row: VaultRow) throws(CommandEnd) -> SecretBytes {
        let what = "password of \(title(row))"
        return try asking { prompter throws(PromptEnd) in try prompter.hidden(what) }
    }

    func newPassword(_ name: String) throws(CommandEnd) -> SecretBytes {
        let what = "new password of \(name)"
        return try asking { prompter throws(PromptEnd) in try prompter.newPassword(what) }
    }

    /// Prints an answer for the person or a program.
    func print(_ answer: VaultAnswer) throws(CommandEnd) { job.options.print(answer) }

    /// Says a sentence to the person, where standard output is not for a program.
    func say(_ sentence: String) {
        if !job.options.printsJSON { StandardStream.out(sentence + "\n") }
    }

    /// Tells the launcher that a file is whole.
    func reportWhole(_ line: String) { StandardStream.write(line + "\n", to: ties.report) }

    /// Tells the launcher that a vault or a kit is made, whatever becomes of this process.
    func reportMade() { StandardStream.write("m\n", to: ties.report) }

    /// A backup after a change, with the password that now opens the vault.
    mutating func backUpAfterChange(
        of id: VaultID, password: borrowing SecretBytes
    ) throws(CommandEnd) {
        guard let backup = job.backup else { return }
        var fields = SecretFieldsWriter()
        fields.write(.password, password)
        do throws(CommandEnd) {
            try session.hand(fields)
            try session.hand(.output, backup.file.descriptor)
            guard case .backedUp(_, _, _, let remarks) = try session.ask(.backup(id)) else {
                throw .client(.unexpected)
            }
            for remark in remarks {
                StandardStream.error("bulkhead: \(VisibleText(remark, limit: 1000))\n")
            }
        } catch {
            StandardStream.error(
                "bulkhead: the change is made, but no backup after it: \(error.sentence)\n")
            return
        }
        reportWhole("b\(id)")
    }
}
