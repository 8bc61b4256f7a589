import ConsoleCore
import Messages
import Prompts
import SecretMemory
import StateFiles
import Vault

extension VaultTask {
    // MARK: Ways in

    mutating func changePassword() throws(CommandEnd) {
        let row = try vault(0, nil)
        let kdf = try kdf()
        var fields = SecretFieldsWriter()
        fields.write(.password, try password(of: row))
        let new = try newPassword(title(row))
        fields.write(.newPassword, new)
        try session.hand(fields)
        try print(try session.ask(.changePassword(row.id, kdf)))
        try backUpAfterChange(of: row.id, password: new)
    }

    mutating func recover() throws(CommandEnd) {
        let row = try vault(0, nil)
        let kdf = try kdf()
        let what = "The recovery code of \(title(row)), from its latest kit"
        var fields = SecretFieldsWriter()
        fields.write(
            .recoveryCode,
            try asking { prompter throws(PromptEnd) in try prompter.kitText(.recoveryCode, what) })
        let new = try newPassword(title(row))
        fields.write(.newPassword, new)
        try session.hand(fields)
        try print(try session.ask(.openWithCode(row.id, kdf)))
        try backUpAfterChange(of: row.id, password: new)
    }

    mutating func adopt() throws(CommandEnd) {
        let row = try vault(0, nil)
        try session.hand(try secretKey(of: title(row)))
        try print(try session.ask(.adopt(row.id)))
    }

    func secretKey(of title: String) throws(CommandEnd) -> SecretFieldsWriter {
        let what = "The secret key of \(title), from its kit"
        var fields = SecretFieldsWriter()
        fields.write(
            .secretKey,
            try asking { prompter throws(PromptEnd) in try prompter.kitText(.secretKey, what) })
        return fields
    }

    mutating func rebuildIndex() throws(CommandEnd) {
        let row = try vault(0, nil)
        try handPassword(of: row)
        try print(try session.ask(.rebuildIndex(row.id)))
    }

    // MARK: Names

    mutating func rename() throws(CommandEnd) {
        let row = try vault(0, nil)
        let name = try freeName(1, for: row.id)
        let password = try password(of: row)
        try hand(password)
        try print(try session.ask(.rename(row.id, name: name)))
        try backUpAfterChange(of: row.id, password: password)
    }

    mutating func delete() throws(CommandEnd) {
        let row = try vault(0, nil)
        // A name that stands for a yes is typed where everybody sees it.
        let name =
            if let name = job.typedName { name } else {
                try asking { prompter throws(PromptEnd) in
                    prompter.tell(
                        row.kind == .wallet
                            ? "Only its words on paper, or a backup and its kit, bring it back.\r"
                            : "Only a backup and its kit bring it and its items back.\r")
                    return try prompter.visible("To delete it, type the name of the wallet: ")
                }
            }
        guard !name.isEmpty else { throw .prompt(.cancelled) }
        guard name == row.name else { throw .refused(.wrongName) }
        try handPassword(of: row)
        try print(try session.ask(.delete(row.id, name: name)))
    }

    mutating func handPassword(of row: VaultRow) throws(CommandEnd) {
        try hand(try password(of: row))
    }

    mutating func hand(_ password: borrowing SecretBytes) throws(CommandEnd) {
        var fields = SecretFieldsWriter()
        fields.write(.password, password)
        try session.hand(fields)
    }
}
