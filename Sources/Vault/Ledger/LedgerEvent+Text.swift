import StateFiles
import Wire

extension LedgerEvent: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .started(let version): "the signer started, version \(version)"
        case .approved(let approval): approval.description
        case .refused(let refusal): refusal.description
        case .passwordFailed(let operation, let failures):
            "a wrong password, \(failures) in a row now, to \(operation.verb)"
        case .operation(let operation, let name):
            name.isEmpty ? "done: \(operation.verb)" : "done: \(operation.verb), \"\(name)\""
        case .backedUp(let bytes, let digest):
            "a backup of \(bytes) bytes was made, SHA-256 \(digest)"
        case .restored(let madeAt, let digest):
            "a backup made at \(UTCTime(seconds: madeAt).text) was restored, SHA-256 \(digest)"
        case .registered(let name, let digest):
            "the wallet policy \"\(name)\" was registered, SHA-256 \(digest)"
        case .item(let change, let item, let counter):
            "item \(item) was \(change); the items' log has \(counted(counter, "entry", "entries"))"
        case .messageSigned(let address, let digest):
            "a message was signed by the address \(address), SHA-256 of the message \(digest)"
        case .damageFound(let sentence): "damage was found: \(sentence)"
        case .rejected(let file, let reason):
            reason.isEmpty
                ? "a transaction was rejected without a reason, SHA-256 of the file \(file)"
                : "a transaction was rejected: \(reason), SHA-256 of the file \(file)"
        case .undelivered(let file, let reason):
            "nobody got the signatures of a transaction that was signed before: \(reason) "
                + "SHA-256 of the file \(file)"
        }
    }
}

extension LedgerOperation {
    /// What is done, as the end of a sentence.
    public var verb: String {
        switch self {
        case .create: "create a vault"
        case .importWords: "import a wallet from words"
        case .importXprv: "import a wallet from an extended private key"
        case .delete: "delete a vault"
        case .rename: "rename a vault"
        case .changePassword: "change a password"
        case .openWithCode: "open a vault with the recovery code"
        case .newKit: "make a new recovery kit"
        case .showPhrase: "show a recovery phrase"
        case .rebuildIndex: "rebuild a public index"
        case .adopt: "take a vault onto this machine"
        case .sign: "sign"
        case .backup: "make a backup"
        case .restore: "restore a backup"
        case .addItem: "add an item"
        case .readItem: "read an item"
        case .listItems: "list items"
        case .removeItem: "remove an item"
        case .register: "register a wallet policy"
        case .signMessage: "sign a message"
        }
    }
}

extension LedgerApproval: CustomStringConvertible {
    /// One sentence: the transaction and where the money goes.
    public var description: String {
        let named = destinations.prefix(2).map { "\($0.amount) sat to \($0.address)" }
        let more = Int(destinationCount) - named.count
        let fee = fee.map { "fee \($0) sat" } ?? "fee not proven"
        return "transaction \(txid.reversed) was approved and signed: "
            + (named.isEmpty ? "nothing leaves the wallet" : named.joined(separator: ", "))
            + (more > 0 ? " and \(more) more" : "") + "; \(sent) sat in all, \(fee); it came "
            + (origin == .link ? "from the network process" : "from the console")
            + "; SHA-256 of the file \(file), of the report \(report)"
    }
}

extension LedgerRefusal: CustomStringConvertible {
    /// One sentence: what, how often and when.
    public var description: String {
        let origin = origin == .link ? "the network process" : "the console"
        return count == 1
            ? "a request from \(origin) was refused: \(code)"
            : "\(count) requests from \(origin) were refused: \(code), "
                + "from \(UTCTime(seconds: first).text) to \(UTCTime(seconds: last).text)"
    }
}
