import StateFiles

extension VaultRefusal: CustomStringConvertible {
    /// The sentence.
    public var description: String { sentence }

    /// What is wrong, where, and what to do.
    public var sentence: String {
        switch self {
        case .noSuchVault(let id):
            "There is no vault \(id). See `bulkhead wallet list`."
        case .wrongKind(let id, let kind):
            kind == .wallet
                ? "The vault \(id) is a wallet and holds no items. See `bulkhead wallet list`."
                : "The vault \(id) holds items and is no wallet. See `bulkhead wallet list`."
        case .wrongChain(let chain):
            """
            It was made for \(chain.name), and this instance runs on another network. Start \
            Bulkhead with `--network \(chain.name)` and a state directory of its own.
            """
        case .alreadyThere(let id): "The vault \(id) is here already. Nothing was changed."
        case .noSuchItem(let id): "There is no item \(id). See `bulkhead items list`."
        case .badName(let why): "This name cannot be used: \(why). Choose another one."
        case .badAddress(let why):
            "This is no address that a wallet here can have: \(why)."
        case .notOwnAddress(let depth):
            "The wallet does not have this address among the first \(depth) of each branch. Look "
                + "further with --depth, or name the wallet that has it. Nothing was signed."
        case .badMessage(let why): "This is not signed: \(why)."
        case .badRange:
            "There are no such addresses: an index is at most 2147483647, and at most "
                + "\(AddressRange.maximumCount) addresses are shown at once."
        case .wrongName:
            "That is not the vault's name. Type the name exactly as `bulkhead wallet list` shows it."
        case .wordCount(let count):
            "A phrase has 12, 15, 18, 21 or 24 words, not \(count). Nothing was changed."
        case .noSuchEntry(let id): "Nothing waits as number \(id). See `bulkhead pending`."
        case .decided(let entry): entry.sentence
        case .notSigned(_, let why):
            "Nothing was signed: \(why)."
        case .missingField, .malformed, .notHandedOver, .passwordRule, .outputFailed, .badInput,
            .tooLarge, .passphraseIsFixed:
            inputSentence
        case .wrongPassword, .mustWait, .wrongCode, .wrongSecretKey: entrySentence
        case .damaged, .newerVersion, .missing, .unsafeKey, .ledgerBroken: stateSentence
        case .littleMemory, .diskUnread, .diskFailed, .diskUncertain, .busy, .workerFailed:
            machineSentence
        }
    }

    private var inputSentence: String {
        switch self {
        case .missingField(let field):
            "The \(field.title) did not come in time. Nothing was changed; try again."
        case .malformed(let field, 0, let why): "The \(field.title) cannot be right: \(why)."
        case .malformed(let field, let place, let why):
            "The \(field.title) cannot be right at place \(place): \(why). Look there and type it again."
        case .notHandedOver(.secrets): "The command passed no pipe for secrets with its request."
        case .notHandedOver(.output): "The command passed nothing to write to with its request."
        case .notHandedOver(.input): "The command passed nothing to read from with its request."
        case .passwordRule(let rule): "This password cannot be used: \(rule). Choose another one."
        case .outputFailed:
            """
            The output did not take everything: it was closed, or its disk is full. Make room or \
            choose another place, remove the partial file and try again.
            """
        case .badInput(let why): "The input cannot be used: \(why). Nothing was changed."
        case .tooLarge(let found, let allowed):
            "The input has \(found) bytes, at most \(allowed) are possible. Nothing was changed."
        case .passphraseIsFixed:
            """
            The passphrase is a part of the wallet's keys: with another one it is another wallet, \
            with other addresses. Import the words with the new passphrase as a wallet of its own, \
            and send the coins there.
            """
        default: ""
        }
    }

    private var entrySentence: String {
        switch self {
        case .wrongPassword(let failures, 0):
            "The password is wrong (failed attempts: \(failures))."
        case .wrongPassword(let failures, let wait):
            """
            The password is wrong (failed attempts: \(failures)). The next attempt is possible in \
            \(Self.time(wait)).
            """
        case .mustWait(let seconds):
            """
            After wrong passwords the next attempt is possible in \(Self.time(seconds)). It was not \
            counted; every restart begins the wait anew.
            """
        case .wrongCode:
            """
            This recovery code does not open the vault. A newer kit may have replaced it; look for \
            the latest one.
            """
        case .wrongSecretKey:
            "This secret key belongs to another vault. Compare the kit's vault id."
        default: ""
        }
    }

    private var stateSentence: String {
        switch self {
        case .damaged(.attempts(let id), let why):
            """
            The count of failed attempts (vaults/\(id).attempts) is damaged: \(why). No password is \
            taken. Open the vault with its recovery kit: bulkhead wallet recover.
            """
        case .damaged(.ledgerKey, let why), .damaged(.ledgerHead, let why):
            "The ledger is damaged: \(why). " + Self.ledgerAdvice
        case .damaged(.name(let id), let why):
            """
            The file vaults/\(id).name is damaged: \(why). Type the vault's password once to make it \
            anew: bulkhead wallet rebuild-index.
            """
        case .damaged(.secretKey(let id), _):
            """
            The file secrets/\(id).key is damaged, or was sealed under another device key than this \
            machine's. Nothing was changed and no attempt was counted. Type the secret key from a kit: \
            bulkhead wallet adopt.
            """
        case .damaged(let file, let why):
            """
            The file \(file) is damaged: \(why). Nothing was changed and no attempt was counted. \
            Restore it from a backup: bulkhead restore.
            """
        case .newerVersion(let file, let version):
            """
            The file \(file) has version \(version), which this Bulkhead does not know. Install the \
            version that wrote it.
            """
        case .missing(.deviceKey):
            """
            device.key is missing, without which no vault here can be opened; none was made in its \
            place. Put it back, or the credential that was used for it, or type the secret key from a \
            kit: bulkhead wallet adopt.
            """
        case .missing(.indexKey):
            """
            index.key is missing, so that names and addresses cannot be trusted; none was made in its \
            place. Put it back, or type the password of each vault: bulkhead wallet rebuild-index.
            """
        case .missing(.attempts(let id)):
            """
            The count of failed attempts (vaults/\(id).attempts) is missing. No password is taken. \
            Open the vault with its recovery kit: bulkhead wallet recover.
            """
        case .missing(.index(let id)):
            """
            The public index of \(id) is missing or not this wallet's. Type its password once to \
            make it anew: bulkhead wallet rebuild-index.
            """
        case .missing(.name(let id)):
            """
            The name of \(id) is missing. Type its password once to make it anew: bulkhead wallet \
            rebuild-index.
            """
        case .missing(.itemsHead(let id)):
            """
            The list of the items of \(id) is missing. If items/\(id) is no directory, move it \
            away; then restore the vault from a backup: bulkhead restore.
            """
        case .missing(.secretKey(let id)):
            """
            The secret key of \(id) is missing. Type it from the kit: bulkhead wallet adopt.
            """
        case .missing(.ledgerKey), .missing(.ledgerHead):
            "A part of the ledger is missing. " + Self.ledgerAdvice
        case .missing(let file):
            "The file \(file) is missing. Restore it from a backup: bulkhead restore."
        case .unsafeKey(let file, let why):
            """
            The file \(file) is not safe: \(why). Nothing is opened until that is put right; there is \
            no weaker way.
            """
        case .ledgerBroken(let entry, let why):
            """
            The ledger does not hold at entry \(entry): \(why). Somebody changed it, or the disk lost \
            a part of it; compare it with an export or a backup. \(Self.ledgerAdvice)
            """
        default: ""
        }
    }

    private static let ledgerAdvice = """
        Nothing is done that it could not record. Put it back from a copy, or type a kit's secret \
        key, which sets a ledger that does not hold aside and begins another: bulkhead wallet adopt.
        """

    private var machineSentence: String {
        switch self {
        case .littleMemory(let needed, let free):
            """
            Argon2id needs \(needed) MiB of memory, \(free) MiB are free. End other programs, or \
            choose the weaker form that needs none: --kdf pbkdf2.
            """
        case .diskUnread(let why):
            "The signer's files could not be read: \(why). Nothing was changed; look at the disk."
        case .diskFailed(let why):
            "The disk did not take the change: \(why). Everything is as it was before."
        case .diskUncertain(let why):
            """
            The disk failed while it made the change: \(why). The next start completes it or takes it \
            back whole; look at the disk, restart Bulkhead, and see which before you try again.
            """
        case .busy: "Too many operations wait. Try again in a moment."
        case .workerFailed(let why):
            """
            The operation ended early: \(why). All files are as they were before; an attempt stays \
            counted.
            """
        default: ""
        }
    }

    private static func time(_ seconds: UInt32) -> String {
        switch seconds {
        case 1: "1 second"
        case ..<120: "\(seconds) seconds"
        default: "\((seconds + 59) / 60) minutes"
        }
    }
}
