public import StateFiles
import Wire

/// What a vault holds.
public enum VaultKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A recovery phrase or an extended private key.
    case wallet = 1
    /// Documents and notes.
    case items = 2
}

/// How a password becomes a key.
public enum PasswordKDF: UInt8, CaseIterable, Hashable, Sendable {
    /// Argon2id, 3 passes over 128 MiB.
    case argon2id = 1
    /// PBKDF2-HMAC-SHA256, 600,000 iterations, for machines with little memory.
    case pbkdf2 = 2
}

/// What a person asks of the vaults: public parameters only.
///
/// Secrets come through the pipe that was handed over before (`secret input`), and secrets leave
/// through the one for output; which fields each request wants is said beside it, in the order of
/// the tags in `SecretFields`. A request without such a remark takes none.
public enum VaultRequest: Hashable, Sendable {
    /// All vaults.
    case list
    /// A wallet's public keys and addresses.
    case index(VaultID)
    /// Addresses of a wallet's account, as rows of an index.
    case addresses(VaultID, AddressRange)
    /// Which wallet an address belongs to: so many addresses of each branch are looked at.
    case findAddress(String, depth: UInt32)
    /// A new vault. A new password comes in; the kit goes out, for a wallet the words too.
    /// With dice the rolls come in, with a passphrase that.
    case create(NewVault, words: UInt8, usesDice: Bool, hasPassphrase: Bool)
    /// A wallet from words. New password and words come in, with a passphrase that; the kit goes
    /// out, and where a word is wrong the nearest ones.
    case importWords(NewVault, hasPassphrase: Bool)
    /// A wallet from an extended private key. New password and xprv come in, the kit goes out.
    case importXprv(NewVault)
    /// A wallet's words and passphrase, or its xprv, go out. The password comes in.
    case showPhrase(VaultID)
    /// Password and new password come in.
    case changePassword(VaultID, PasswordKDF)
    /// The password comes in.
    case rename(VaultID, name: String)
    /// Removes a vault. The password comes in; the name must be its name.
    case delete(VaultID, name: String)
    /// A new recovery code in place of the old one. The password comes in, the kit goes out.
    case newKit(VaultID)
    /// Opens with the recovery code and sets a password. Recovery code and new password come in.
    case openWithCode(VaultID, PasswordKDF)
    /// Takes a vault whose device key is lost onto this machine. Its secret key comes in.
    case adopt(VaultID)
    /// Makes the public index anew, and the index key if there is none. The password comes in.
    case rebuildIndex(VaultID)
    /// A backup of a vault, with its items, goes to the output; a file of ciphertext. The password
    /// comes in.
    case backup(VaultID)
    /// What a restore of this vault from the backup in the input would change. Its secret key
    /// comes in.
    case restoreCheck(VaultID)
    /// Restores this vault from the backup in the input. Its secret key comes in.
    case restore(VaultID)
    /// So many entries of the ledger from this counter on, as `LedgerRow`s.
    case ledgerList(from: UInt64, count: UInt16)
    /// The whole ledger goes to the output as text.
    case ledgerExport
    /// Checks the whole ledger.
    case ledgerVerify
    /// The ledgers that came with backups or belonged to a lost device key.
    case importedLedgers
    /// Reads one of those, as far as it can be opened here.
    case importedLedger(LedgerID, LedgerReading)
    /// The file in the input becomes an item. Password, the item's name and its size come in, and its
    /// type and date where they are known.
    case itemsAdd(VaultID)
    /// Names, dates and sizes go to the output, a JSON object a line. The password comes in.
    case itemsList(VaultID)
    /// The item goes to the output. The password comes in.
    case itemsGet(VaultID, ItemID)
    /// The password comes in.
    case itemsRemove(VaultID, ItemID)
    /// Signs what waits. The password comes in. The signed file goes to the output, which an entry of
    /// this console needs and one from the network process may do without; the raw transaction follows
    /// it if it is wanted and complete.
    case approve(EntryID, PSBTApproval, wantsTransaction: Bool)
    /// A message is signed by an address of a wallet. The password comes in.
    case signMessage(VaultID, MessageToSign)
}

/// What is read of a ledger.
public enum LedgerReading: Hashable, Sendable {
    /// So many entries from this counter on, as `LedgerRow`s.
    case list(from: UInt64, count: UInt16)
    /// The whole of it goes to the output as text.
    case export
    /// All of it is checked.
    case verify

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .list(from: try reader.readUInt64(), count: try reader.readUInt16())
        case 2: self = .export
        case 3: self = .verify
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }

    func encode(into writer: inout Writer) {
        switch self {
        case .list(let first, let count):
            writer.write(UInt8(1))
            writer.write(first)
            writer.write(count)
        case .export: writer.write(UInt8(2))
        case .verify: writer.write(UInt8(3))
        }
    }
}

/// What is chosen for a new vault.
public struct NewVault: Hashable, Sendable {
    /// What it holds.
    public var kind: VaultKind
    /// Its display name, at most 256 bytes.
    public var name: String
    /// How its password becomes a key.
    public var kdf: PasswordKDF
    /// When an imported wallet can have been used first, in seconds since 1970; nil where nobody
    /// knows. A wallet that is made here knows by itself.
    public var birthday: UInt64?

    /// A new vault by its fields.
    public init(
        kind: VaultKind = .wallet, name: String, kdf: PasswordKDF = .argon2id,
        birthday: UInt64? = nil
    ) {
        self.kind = kind
        self.name = name
        self.kdf = kdf
        self.birthday = birthday
    }

    init(from reader: inout Reader) throws(WireError) {
        kind = try reader.readCase()
        kdf = try reader.readCase()
        birthday = try reader.readFlag() ? reader.readUInt64() : nil
        name = try reader.readText(limit: Limit.vaultName)
    }

    func encode(into writer: inout Writer) {
        writer.write(kind)
        writer.write(kdf)
        writer.write(birthday != nil)
        if let birthday { writer.write(birthday) }
        writer.write(name, limit: Limit.vaultName)
    }
}

extension VaultRequest {
    /// The vault that it is about; nil for a new one, and for what is about the machine.
    public var vault: VaultID? {
        switch self {
        case .list, .findAddress, .create, .importWords, .importXprv, .ledgerList, .ledgerExport,
            .ledgerVerify, .importedLedgers, .importedLedger:
            nil
        case .index(let id), .addresses(let id, _), .showPhrase(let id), .changePassword(let id, _),
            .rename(let id, _),
            .delete(let id, _), .newKit(let id), .openWithCode(let id, _), .adopt(let id),
            .rebuildIndex(let id), .backup(let id), .restoreCheck(let id), .restore(let id),
            .itemsAdd(let id), .itemsList(let id), .itemsGet(let id, _), .itemsRemove(let id, _),
            .signMessage(let id, _):
            id
        case .approve(_, let approval, _): approval.wallet
        }
    }

    /// Whether it takes the password of a vault, which counts as an attempt.
    public var takesPassword: Bool {
        switch self {
        case .showPhrase, .changePassword, .rename, .delete, .newKit, .rebuildIndex, .backup,
            .itemsAdd, .itemsList, .itemsGet, .itemsRemove, .approve, .signMessage:
            true
        case .list, .index, .addresses, .findAddress, .create, .importWords, .importXprv,
            .openWithCode, .adopt,
            .restoreCheck, .restore, .ledgerList, .ledgerExport, .ledgerVerify, .importedLedgers,
            .importedLedger:
            false
        }
    }
}

/// Addresses in a row of one branch of an account.
public struct AddressRange: Hashable, Sendable {
    /// The account.
    public var account: AccountChoice
    /// Whether they take what is left of payments.
    public var isChange: Bool
    /// The index of the first.
    public var first: UInt32
    /// How many, at most 100.
    public var count: UInt8

    /// The most addresses of a range.
    public static let maximumCount: UInt8 = 100

    /// A range by its parts.
    public init(
        _ account: AccountChoice, isChange: Bool = false, first: UInt32, count: UInt8 = 1
    ) {
        self.account = account
        self.isChange = isChange
        self.first = first
        self.count = count
    }

    init(from reader: inout Reader) throws(WireError) {
        account = try reader.readCase()
        isChange = try reader.readFlag()
        first = try reader.readUInt32()
        count = try reader.readUInt8()
    }

    func encode(into writer: inout Writer) {
        writer.write(account)
        writer.write(isChange)
        writer.write(first)
        writer.write(count)
    }
}
