public import StateFiles

/// What a person chose on the console's screens, for the launcher to run as a command. Public
/// parameters only: secrets are asked for by the command itself.
public enum ConsoleTask: Hashable, Sendable {
    /// A new wallet.
    case create(name: String, words: Int, kit: String)
    /// A wallet from its words; the day of its first payment as 2024-05-31, empty if nobody knows.
    case importWords(name: String, kit: String, hasPassphrase: Bool, birthday: String)
    /// An address to receive at.
    case receive(VaultID, index: UInt32)
    /// Whether an address is ours.
    case verify(address: String)
    /// The words.
    case showPhrase(VaultID)
    /// Another password.
    case changePassword(VaultID)
    /// A new kit.
    case kit(VaultID, path: String)
    /// A backup.
    case backup(VaultID, path: String)
    /// Away with a vault.
    case delete(VaultID)
    /// Sign a file, and write the transaction too if no signature is missing any more.
    case sign(path: String, isFinal: Bool)
    /// Look at a request and decide.
    case decide(UInt32)
    /// The last entries of the ledger.
    case ledger

    /// The command line for it, without the program's name. What a person typed comes behind `--`, and is
    /// no flag.
    public var arguments: [String] {
        switch self {
        case .create(let name, let words, let kit):
            ["wallet", "create", "--words", String(words)] + Self.kit(kit) + ["--", name]
        case .importWords(let name, let kit, let hasPassphrase, let birthday):
            ["wallet", "import"] + (hasPassphrase ? ["--passphrase"] : [])
                + (birthday.isEmpty ? [] : ["--birthday=" + birthday]) + Self.kit(kit)
                + ["--", name]
        case .receive(let id, let index):
            ["receive", "--index", String(index), "--", id.description]
        case .verify(let address): ["verify-address", "--", address]
        case .showPhrase(let id): ["wallet", "show-phrase", "--", id.description]
        case .changePassword(let id): ["wallet", "password", "--", id.description]
        case .kit(let id, let path): ["kit", "--", path, id.description]
        case .backup(let id, let path): ["backup", "--", path, id.description]
        case .delete(let id): ["wallet", "delete", "--", id.description]
        case .sign(let path, let isFinal):
            ["sign"] + (isFinal ? ["--final"] : []) + ["--", path]
        case .decide(let id): ["approve", "--", String(id)]
        case .ledger: ["ledger", "list"]
        }
    }

    /// Whether its command knows `--idle`.
    public var knowsIdle: Bool {
        switch self {
        case .sign, .decide: true
        default: false
        }
    }

    private static func kit(_ path: String) -> [String] { path.isEmpty ? [] : ["--kit=" + path] }
}

extension ConsoleTask {
    /// The longest record.
    public static let maximumSize = 4096

    /// The task as it crosses from the confined screen to its launcher: the name of its kind and its
    /// parameters, each with a zero byte behind it.
    public var record: [UInt8] {
        let texts: [String] =
            switch self {
            case .create(let name, let words, let kit): ["create", name, String(words), kit]
            case .importWords(let name, let kit, let hasPassphrase, let birthday):
                ["import", name, kit, hasPassphrase ? "passphrase" : "", birthday]
            case .receive(let id, let index): ["receive", id.description, String(index)]
            case .verify(let address): ["verify", address]
            case .showPhrase(let id): ["phrase", id.description]
            case .changePassword(let id): ["password", id.description]
            case .kit(let id, let path): ["kit", id.description, path]
            case .backup(let id, let path): ["backup", id.description, path]
            case .delete(let id): ["delete", id.description]
            case .sign(let path, let isFinal): ["sign", path, isFinal ? "final" : ""]
            case .decide(let id): ["decide", String(id)]
            case .ledger: ["ledger"]
            }
        return texts.flatMap { Array($0.utf8.filter { $0 != 0 }) + [0] }
    }

    /// Reads a record; nil for anything that is none.
    public init?(record: [UInt8]) {
        guard record.count <= Self.maximumSize, record.last == 0 else { return nil }
        let texts = record.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        func id(_ place: Int) -> VaultID? { VaultID(text: texts[place]) }
        switch (texts[0], texts.count) {
        case ("create", 4):
            guard let words = Int(texts[2]) else { return nil }
            self = .create(name: texts[1], words: words, kit: texts[3])
        case ("import", 5) where ["", "passphrase"].contains(texts[3]):
            self = .importWords(
                name: texts[1], kit: texts[2], hasPassphrase: !texts[3].isEmpty,
                birthday: texts[4])
        case ("receive", 3):
            guard let id = id(1), let index = UInt32(texts[2]) else { return nil }
            self = .receive(id, index: index)
        case ("verify", 2): self = .verify(address: texts[1])
        case ("phrase", 2), ("password", 2), ("delete", 2):
            guard let id = id(1) else { return nil }
            self =
                texts[0] == "phrase"
                ? .showPhrase(id) : texts[0] == "password" ? .changePassword(id) : .delete(id)
        case ("kit", 3), ("backup", 3):
            guard let id = id(1) else { return nil }
            self =
                texts[0] == "kit" ? .kit(id, path: texts[2]) : .backup(id, path: texts[2])
        case ("sign", 3) where ["", "final"].contains(texts[2]):
            self = .sign(path: texts[1], isFinal: !texts[2].isEmpty)
        case ("decide", 2):
            guard let id = UInt32(texts[1]) else { return nil }
            self = .decide(id)
        case ("ledger", 1): self = .ledger
        default: return nil
        }
    }
}
