import Configuration
import ConsoleCore
import Glibc
import LinuxIO
import Messages

/// `Vault` knows kinds of vaults too, by what their bodies are.
typealias VaultKind = Messages.VaultKind

/// What the launcher of a command on vaults has opened and understood before anything is confined.
struct VaultJob {
    let words: CommandLineWords
    let options: CommandOptions
    var terminal: PersonTerminal?
    var answers: Int32?
    var phrase: Int32?
    /// Where the kit goes, and whether as PDF.
    var kit: (file: OutputFile, isPDF: Bool)?
    /// Where the command's own output goes.
    var output: OutputFile?
    /// A backup beside the command's own work, and whether the person asked for one after every change.
    var backup: (file: OutputFile, isAutomatic: Bool)?
    /// Descriptors to read, in the order in which they are handed over.
    var inputs: [Int32] = []
    /// The vault of the backup in the input.
    var inputVault: [UInt8] = []
    /// A name that was typed before.
    var typedName: String?
    /// The message that is to be signed.
    var message: [UInt8] = []
    /// When the file was last changed that becomes an item, in seconds since 1970.
    var modifiedAt: UInt64?
    /// How many bytes will come out of the input that becomes an item.
    var itemSize: UInt64 = 0
    /// Seconds since 1970.
    let now = UInt64(max(0, time(nil)))
    let drawsBar = isatty(STDERR_FILENO) == 1

    var command: CommandName { words.row.command }

    /// The argument at this place; nil where it was left out.
    func argument(_ place: Int) -> String? {
        words.arguments.indices.contains(place) ? words.arguments[place] : nil
    }

    /// Every descriptor that the child needs.
    var descriptors: Set<Int32> {
        var all = Set(inputs)
        for number in [
            phrase, kit?.file.descriptor, output?.descriptor, backup?.file.descriptor,
        ] {
            if let number { all.insert(number) }
        }
        return all
    }

    /// How a password becomes a key.
    func kdf() throws(CommandLineWords.Problem) -> PasswordKDF {
        try words.choice(.kdf, [("argon2id", .argon2id), ("pbkdf2", .pbkdf2)]) ?? .argon2id
    }
}

extension CommandName {
    /// Whether it asks for a secret.
    var asksForSecrets: Bool {
        switch self {
        case .console, .status, .audit, .submit, .help, .walletList, .walletPassphrase, .walletKeys,
            .review, .sign, .pending, .approve, .reject, .receive, .verifyAddress, .pairExport,
            .verifyMessage,
            .ledgerList, .ledgerExport,
            .ledgerVerify, .ledgerImported:
            false
        case .sync, .balance, .history, .coins, .watchImport, .watchList, .watchRemove,
            .watchAddress, .rescan, .broadcast, .broadcastList, .broadcastWithdraw, .labelsExport,
            .labelsImport, .labelsSet,
            .peersList, .peersAdd, .peersRemove, .peersForget:
            false
        case .walletCreate, .walletImport, .walletShowPhrase, .walletPassword, .walletRename,
            .walletDelete, .walletRecover, .walletAdopt, .walletRebuildIndex, .kit, .backup,
            .restore, .signMessage, .itemsCreate, .itemsAdd, .itemsList, .itemsGet, .itemsRemove:
            true
        }
    }

    /// Whether it makes a recovery kit.
    var makesKit: Bool {
        switch self {
        case .walletCreate, .walletImport, .itemsCreate, .kit: true
        default: false
        }
    }

    /// Whether it shows words that exist nowhere else.
    var showsPhrase: Bool { self == .walletCreate || self == .walletShowPhrase }
}
