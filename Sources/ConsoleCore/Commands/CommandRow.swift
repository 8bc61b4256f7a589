public import Configuration

/// The commands, each by its words.
public enum CommandName: String, CaseIterable, Sendable {
    case console
    case status
    case audit
    case help
    case walletCreate = "wallet create"
    case walletImport = "wallet import"
    case walletList = "wallet list"
    case walletKeys = "wallet keys"
    case walletShowPhrase = "wallet show-phrase"
    case walletPassword = "wallet password"
    case walletPassphrase = "wallet passphrase"
    case walletRename = "wallet rename"
    case walletDelete = "wallet delete"
    case walletRecover = "wallet recover"
    case walletAdopt = "wallet adopt"
    case walletRebuildIndex = "wallet rebuild-index"
    case review, sign, pending, approve, reject
    case receive
    case verifyAddress = "verify-address"
    case pairExport = "pair export"
    case signMessage = "sign-message"
    case verifyMessage = "verify-message"
    case kit
    case backup
    case restore
    case ledgerList = "ledger list"
    case ledgerExport = "ledger export"
    case ledgerVerify = "ledger verify"
    case ledgerImported = "ledger imported"
    case itemsCreate = "items create"
    case itemsAdd = "items add"
    case itemsList = "items list"
    case itemsGet = "items get"
    case itemsRemove = "items remove"
    case submit
    case sync, balance, history, coins
    case watchImport = "watch import"
    case watchList = "watch list"
    case watchRemove = "watch remove"
    case watchAddress = "watch address"
    case rescan, broadcast
    case broadcastList = "broadcast list"
    case broadcastWithdraw = "broadcast withdraw"
    case labelsExport = "labels export"
    case labelsImport = "labels import"
    case labelsSet = "labels set"
    case peersList = "peers list"
    case peersAdd = "peers add"
    case peersRemove = "peers remove"
    case peersForget = "peers forget"
}

/// A command of `bulkhead`, as its help text, `docs/commands.md` and the parser know it.
public struct CommandRow: Sendable {
    /// Which command it is.
    public let command: CommandName
    /// What stands for its arguments in the help text: those that may be missing in brackets, and the
    /// last one with `...` where several may follow.
    public let arguments: [String]
    /// What it does, in sentences.
    public let sentence: String
    /// The flags that it knows beside those of every command.
    public let flags: [CommandFlag]
    /// Whether it knows `--json`.
    public let printsJSON: Bool

    init(
        _ command: CommandName, _ arguments: [String] = [], _ sentence: String,
        _ flags: [CommandFlag] = [], printsJSON: Bool = true
    ) {
        self.command = command
        self.arguments = arguments
        self.sentence = sentence
        self.flags = flags
        self.printsJSON = printsJSON
    }

    /// Its flags and those of every command.
    var allFlags: [Flag] {
        flags.map(\.flag) + CommandTable.common.filter { $0.name != "json" || printsJSON }
    }

    /// Its words as one text.
    public var name: String { command.rawValue }

    /// Its words.
    public var words: [String] { name.split(separator: " ").map(String.init) }

    /// How many arguments it takes.
    var counts: ClosedRange<Int> {
        let least = arguments.filter { !$0.hasPrefix("[") }.count
        return least...(arguments.last?.hasSuffix("...") == true ? Int.max : arguments.count)
    }
}

/// A flag that some commands know; it means the same in each.
public enum CommandFlag: String, CaseIterable, Sendable {
    case words, dice, passphrase, xprv, birthday, kdf, kit
    case passwordFD = "password-fd"
    case phraseFD = "phrase-fd"
    case force, check, yes, from, count, name, vault
    case noBackup = "no-backup"
    case everyChange = "every-change"
    case backup
    case removeOriginal = "remove-original"
    case account, index, depth, qr
    case form = "as"
    case idle, wallet, out, final, reason, wait, id
    case yesIfNoWarnings = "yes-if-no-warnings"
    case noWait = "no-wait"
    case untilTip = "until-tip"
    case txid
    case imported
    case message, file
    case messageFD = "message-fd"
    case messageForm = "form"

    /// Its declaration.
    public var flag: Flag {
        switch self {
        case .words: Flag(rawValue, argument: "N", "How many words: 12 or 24.", defaultText: "24")
        case .dice:
            Flag(rawValue, "Mix rolls of dice into the words; their effect can be verified.")
        case .passphrase:
            Flag(
                rawValue,
                "Ask for a BIP39 passphrase. It cannot be changed later: it makes another wallet.")
        case .xprv: Flag(rawValue, "Ask for an extended private key in place of words.")
        case .birthday:
            Flag(
                rawValue, argument: "DATE",
                "The day before which the wallet was not used, such as 2024-05-31: payments are looked "
                    + "for from there on.", defaultText: "unknown")
        case .kdf:
            Flag(
                rawValue, argument: "NAME",
                "How the password becomes a key: argon2id (3 passes over 128 MiB), or pbkdf2 (600,000 "
                    + "iterations), the weaker form for machines with little memory.",
                defaultText: "argon2id")
        case .kit:
            Flag(
                rawValue, argument: "FILE",
                "Write the recovery kit there: a name that ends in .pdf or .txt.",
                defaultText: "shown on the screen, to be written down")
        case .passwordFD:
            Flag(
                rawValue, argument: "N",
                "Read what would be asked for from descriptor N, a line each, in the order in which it "
                    + "would be asked.", defaultText: "the terminal")
        case .phraseFD:
            Flag(
                rawValue, argument: "N",
                "Write what would be shown to descriptor N, a line each: the kernel's digits where "
                    + "there are dice, the words, the passphrase.",
                defaultText: "shown on the screen")
        case .force: Flag(rawValue, "Write over a file that is there.")
        case .check: Flag(rawValue, "Only say what would change.")
        case .yes: Flag(rawValue, "Go on without asking.")
        case .from:
            Flag(
                rawValue, argument: "N", "The first entry; for rescan, the first height.",
                defaultText: "the last ones; a rescan needs it")
        case .count:
            Flag(rawValue, argument: "N", "How many entries, 256 at most.", defaultText: "20")
        case .name:
            Flag(
                rawValue, argument: "NAME",
                "The name: of an item, of a watched wallet, or of a wallet to be deleted, which is asked for "
                    + "otherwise.", defaultText: "the file's name, or the one that it gives")
        case .vault:
            Flag(
                rawValue, argument: "NAME", "The items vault, by name or id.",
                defaultText: "the only one there is")
        case .noBackup: Flag(rawValue, "Make no backup after this change.")
        case .everyChange:
            Flag(
                rawValue, argument: "DIRECTORY",
                "From now on make a backup there after every change that you make; off ends it.")
        case .backup: Flag(rawValue, argument: "FILE", "Make a backup there, too.")
        case .removeOriginal: Flag(rawValue, "Remove the file once it is sealed.")
        case .account:
            Flag(
                rawValue, argument: "NAME",
                "The account: native (BIP84, bc1q), taproot (BIP86, bc1p), nested (BIP49, 3) or legacy "
                    + "(BIP44, 1).", defaultText: "native")
        case .index:
            Flag(rawValue, argument: "N", "The index of the address.", defaultText: "0")
        case .depth:
            Flag(
                rawValue, argument: "N",
                "How many addresses of each branch are looked at, 20000 at most.",
                defaultText: "1000")
        case .wallet:
            Flag(
                rawValue, argument: "NAME", "The wallet that signs, by name or id.",
                defaultText: "the only one that can, else it is asked for")
        case .out:
            Flag(
                rawValue, argument: "DIRECTORY", "Where signed files go.",
                defaultText: "beside the file")
        case .final:
            Flag(
                rawValue,
                "Write the transaction, too, if no signature is missing any more: FILE-final.txn. Of a "
                    + "file that has all of them it is made without a password.")
        case .reason:
            Flag(
                rawValue, argument: "TEXT",
                "Why, for whoever asked for the signature; 256 bytes at most.",
                defaultText: "none")
        case .yesIfNoWarnings:
            Flag(
                rawValue,
                "Approve without showing the review; every warning of it refuses. A script needs it."
            )
        case .untilTip:
            Flag(rawValue, "Wait until every block is searched, and show how far it is.")
        case .txid:
            Flag(
                rawValue, argument: "TXID", "Only this transaction, and what is known of it.",
                defaultText: "all payments")
        case .idle:
            Flag(
                rawValue, argument: "SECONDS",
                "Drop everything typed after so long without a key, 120 at most.",
                defaultText: "120")
        case .wait:
            Flag(
                rawValue, argument: "SECONDS",
                "Give up waiting after so long, with status 18; what is waited for goes on.",
                defaultText: "as long as it takes")
        case .noWait:
            Flag(rawValue, "End as soon as it waits for a person; --id collects it later.")
        case .id:
            Flag(
                rawValue, argument: "ID",
                "Ask for a request that was made before, by the id that was printed then.",
                defaultText: "a new request")
        case .qr:
            Flag(
                rawValue,
                "Draw a QR code of the descriptor of --account, too; the text holds all accounts. Only with "
                    + "--as descriptors: the other forms have no room in one code.")
        case .imported:
            Flag(
                rawValue, argument: "ID",
                "A ledger that came with a backup, by its id or the first digits of it.",
                defaultText: "this machine's ledger")
        case .message: Flag(rawValue, argument: "TEXT", "The message.")
        case .file:
            Flag(
                rawValue, argument: "FILE",
                "The message is what is in this file, byte for byte, its last line's end too; - is the input."
            )
        case .messageFD:
            Flag(rawValue, argument: "N", "The message is what comes out of descriptor N.")
        case .messageForm:
            Flag(
                rawValue, argument: "NAME",
                "The form of the signature: bip137 (65 bytes), bip322 (its simple form, for segwit "
                    + "addresses) or bip322-full (for all).",
                defaultText: "bip137 for legacy addresses, bip322 for all others")
        case .form:
            Flag(
                rawValue, argument: "FORM",
                "The form: descriptors (one a line; Bulkhead reads it back), core (for Bitcoin Core's "
                    + "importdescriptors), generic (JSON that Sparrow and others read) or text.",
                defaultText: "descriptors")
        }
    }
}
