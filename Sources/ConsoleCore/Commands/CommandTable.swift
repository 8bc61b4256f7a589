public import Configuration
import Messages

/// Every command of `bulkhead`.
public enum CommandTable {
    /// The flags of every command.
    public static let common = [
        Flag(
            "runtime-directory", argument: "DIRECTORY",
            "Where the sockets of the appliance are.",
            defaultText: "the first that exists of /run/bulkhead, $XDG_RUNTIME_DIR/bulkhead and "
                + "~/.local/state/bulkhead/run"),
        Flag("json", "Print the answer as JSON."),
        .help,
        Flag("version", "Print which build this is and end."),
    ]

    private static let changing: [CommandFlag] = [.noBackup, .passwordFD]

    /// The commands in the order of the help text.
    public static let rows: [CommandRow] =
        processes + signing + wallets + addresses + messages + copies + ledger + items
        + chain

    private static let processes = [
        CommandRow(
            .console, [],
            "Open the console: what waits to be approved, the vaults and what can be done with them. "
                + "`bulkhead` alone does the same.", [.idle], printsJSON: false),
        CommandRow(.status, [], "Say how the signer and the network process are."),
        CommandRow(
            .audit, [],
            "Prove the wall: what the kernel shows of each process, what it says of itself, and "
                + "what probes tried from inside. Run it with sudo to see everything."),
        CommandRow(
            .help, ["[COMMAND]"], "Print this text, or that of one command."),
    ]

    private static let signing = [
        CommandRow(
            .review, ["FILE"],
            "Print what a PSBT does: what leaves and to whom, what comes back, the fee, warnings. With "
                + "--json every check with its outcome. Status 1 where there is a warning or a stop."
        ),
        CommandRow(
            .sign, ["FILE..."],
            "Review PSBTs, one after the other, and sign what is approved: FILE-signed.psbt, or "
                + "FILE-part.psbt while signatures are missing, in the form of the file. Nothing is "
                + "overwritten.",
            [.wallet, .out, .final, .idle, .yesIfNoWarnings, .passwordFD]),
        CommandRow(.pending, [], "List what came through the network process and waits."),
        CommandRow(
            .approve, ["ID"],
            "Show the review of what waits, and sign or reject it; the file goes back the way it came.",
            [.wallet, .idle, .yesIfNoWarnings, .passwordFD]),
        CommandRow(.reject, ["ID"], "Reject what waits.", [.reason]),
        CommandRow(
            .submit, ["FILE"],
            "Hand a PSBT to the signer through the network process, wait until a person has decided at the "
                + "console, and write the signed file beside it: X-signed.psbt, or X-part.psbt where "
                + "other signatures are missing.",
            [.wait, .noWait, .id, .out]),
    ]

    private static let wallets = [
        CommandRow(
            .walletCreate, ["NAME"],
            "Make a wallet with a new recovery phrase and a password.",
            [.words, .dice, .passphrase, .kdf, .kit, .force, .phraseFD] + changing),
        CommandRow(
            .walletImport, ["NAME"],
            "Make a wallet from a recovery phrase, typed with completion, or from an xprv.",
            [.xprv, .passphrase, .birthday, .kdf, .kit, .force] + changing),
        CommandRow(.walletList, [], "List the vaults: wallets and items."),
        CommandRow(
            .walletKeys, ["[NAME]"],
            "Print a wallet's public keys and addresses. No password is needed."),
        CommandRow(
            .walletShowPhrase, ["[NAME]"],
            "Show a wallet's words on the screen, which is emptied afterwards.",
            [.phraseFD, .passwordFD]),
        CommandRow(.walletPassword, ["[NAME]"], "Change a vault's password.", [.kdf] + changing),
        CommandRow(
            .walletPassphrase, ["[NAME]"],
            "Say why a wallet's BIP39 passphrase cannot be changed, and what to do."),
        CommandRow(
            .walletRename, ["NAME", "NEW-NAME"],
            "Give a vault another name. A watched wallet of the same accounts takes it too, with a number behind "
                + "it if another watched wallet has it.",
            changing),
        CommandRow(
            .walletDelete, ["NAME"],
            "Delete a vault. Asks for its name and its password; what no backup or phrase holds is gone. The "
                + "network process watches its addresses until bulkhead watch remove.",
            [.name, .passwordFD]),
        CommandRow(
            .walletRecover, ["[NAME]"],
            "Open a vault with the recovery code of its kit, and set a new password.",
            [.kdf] + changing),
        CommandRow(
            .walletAdopt, ["[NAME]"],
            "Take vaults over whose device key is lost, with the secret key of the kit.",
            [.passwordFD]),
        CommandRow(
            .walletRebuildIndex, ["[NAME]"],
            "Make a vault's public files anew where they are missing or damaged: its name, a wallet's addresses.",
            [.passwordFD]),
    ]

    private static let addresses = [
        CommandRow(
            .receive, ["[NAME]"],
            "Show an address that the signer derived, with a QR code: the first of its account, used or not, "
                + "or that of --index. No password is needed. Where standard output is no terminal, the "
                + "address comes alone and in one piece. bulkhead watch address gives out one that was "
                + "not given out before.",
            [.account, .index]),
        CommandRow(
            .verifyAddress, ["ADDRESS..."],
            "Say whether an address is yours and where it lies: both branches of every wallet's account "
                + "of its kind are searched. It may stand in groups and as a bitcoin: URI.",
            [.depth]),
        CommandRow(
            .pairExport, ["[NAME]"],
            "Print a wallet's accounts for a program that watches. Whoever has them sees all addresses "
                + "and can spend nothing.", [.form, .account, .qr]),
    ]

    private static let messages = [
        CommandRow(
            .signMessage, ["ADDRESS", "[NAME]"],
            "Sign a message by an address of a wallet: shows it whole and asks for the password. What "
                + "could be a transaction or its hash is refused.",
            [.message, .file, .messageFD, .messageForm, .depth, .passwordFD]),
        CommandRow(
            .verifyMessage, ["ADDRESS", "SIGNATURE"],
            "Say whether a message was signed by an address (BIP137, BIP322). No appliance is needed.",
            [.message, .file, .messageFD]),
    ]

    private static let copies = [
        CommandRow(
            .kit, ["FILE", "[NAME]"],
            "Make a new recovery kit as FILE.pdf or FILE.txt. The old recovery code dies; the secret "
                + "key stays, so older backups still open with the older kit.",
            [.backup, .force] + changing),
        CommandRow(
            .backup, ["[FILE]", "[NAME]"],
            "Write a backup of a vault. It opens with the secret key of the kit.",
            [.everyChange, .force, .passwordFD]),
        CommandRow(
            .restore, ["FILE"],
            "Restore a vault from a backup: says what would change, asks, and then does it.",
            [.check, .yes, .passwordFD]),
    ]

    private static let ledger = [
        CommandRow(.ledgerList, [], "List entries of the ledger.", [.from, .count, .imported]),
        CommandRow(
            .ledgerExport, ["FILE"], "Write the whole ledger as text.", [.force, .imported]),
        CommandRow(
            .ledgerVerify, [], "Check every entry of the ledger and its signed head.", [.imported]),
        CommandRow(
            .ledgerImported, [],
            "List the ledgers of other machines that came with backups, and those of lost device keys, with the "
                + "vaults whose entries can be read."),
    ]

    private static let items = [
        CommandRow(
            .itemsCreate, ["NAME"], "Make an items vault: documents and notes under a password.",
            [.kdf, .kit, .force] + changing),
        CommandRow(
            .itemsAdd, ["FILE"],
            "Seal a file. Where a picture or film was taken is removed before; one from which it "
                + "cannot be removed is refused.",
            [.name, .vault, .removeOriginal] + changing),
        CommandRow(.itemsList, [], "List names, dates and sizes.", [.vault, .passwordFD]),
        CommandRow(
            .itemsGet, ["ITEM", "FILE"],
            "Write an item, by id or name, to a file; - is the output.",
            [.vault, .force, .passwordFD]),
        CommandRow(.itemsRemove, ["ITEM"], "Remove an item.", [.vault] + changing),
    ]
}

extension CommandTable {
    /// What `bulkhead help` prints.
    public static var help: String {
        let flags = Documents.help(
            program: "bulkhead [COMMAND]", summary: "The person's side of a Bulkhead appliance.",
            flags: common)
        let commands = Documents.help(commands: rows.map { ($0.name, $0.sentence) })
        return flags + "\n" + commands + "\nbulkhead help COMMAND lists the flags of one command.\n"
    }

    /// What `bulkhead --version` prints: the programs of one build understand each other by it.
    public static var version: String { "bulkhead, messages \(build)\n" }

    /// The beginning of the digest of all messages.
    static var build: String { String("\(Catalogue.digest)".prefix(16)) }

    /// What `bulkhead help COMMAND` prints.
    public static func help(of row: CommandRow) -> String {
        let usage = (["bulkhead", row.name] + row.arguments).joined(separator: " ")
        return Documents.help(program: usage, summary: row.sentence, flags: row.allFlags)
    }

    /// `docs/commands.md`.
    public static var document: String {
        let sections = rows.map { row in
            let usage = (["bulkhead", row.name] + row.arguments).joined(separator: " ")
            let flags = row.flags.map(\.flag).map { flag in
                let name = "`--\(flag.name)" + (flag.argument.map { " " + $0 } ?? "") + "`"
                let text = flag.sentence + (flag.defaultText.map { " Default: \($0)." } ?? "")
                return "- \(name): \(text)"
            }
            return (["## \(usage)", "", row.sentence] + (flags.isEmpty ? [] : [""] + flags))
                .joined(separator: "\n")
        }
        let general = common.map { "- `--\($0.name)`: \($0.sentence)" }
        return """
            # Commands

            *Made from `Sources/ConsoleCore/Commands/CommandTable.swift` by `scripts/docs`; change it there.*

            Every command also knows:

            \(general.joined(separator: "\n"))

            No secret is ever an argument or in the environment. Vaults are named by name or id; the name may
            be left out where there is only one that fits. Watched wallets are named by name or number, and
            `number:7` is always the number 7, which no other wallet gets later. A new name has a letter or symbol and at most 64 characters; it
            has no slash, starts with no dash, and differs from others by more than case and spaces. Exit codes are in
            [exit-codes.md](exit-codes.md), prompts and files in [console.md](console.md).

            \(sections.joined(separator: "\n\n"))

            """
    }
}
