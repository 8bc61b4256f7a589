import ConsoleCore
import JSON
import LinuxIO
import Messages
import SecretMemory
import StateFiles
import Vault

extension VaultTask {
    mutating func addItem() throws(CommandEnd) {
        let row = try vault(named: job.words.value(.vault), .items)
        let password = try password(of: row)
        var fields = SecretFieldsWriter()
        fields.write(.password, password)
        write(job.typedName ?? "", as: .itemName, to: &fields)
        if let seconds = job.modifiedAt { write(String(seconds), as: .itemDate, to: &fields) }
        write(String(job.itemSize), as: .itemSize, to: &fields)
        try session.hand(fields)
        try session.hand(.input, job.inputs[0])
        let answer = try session.ask(.itemsAdd(row.id))
        guard case .itemAdded(_, bytes: let count) = answer, count == job.itemSize else {
            throw .client(.unexpected)
        }
        try print(answer)
        try backUpAfterChange(of: row.id, password: password)
    }

    private func write(
        _ text: String, as tag: SecretFields.Tag, to fields: inout SecretFieldsWriter
    ) {
        let bytes = Array(text.utf8)
        fields.write(tag, SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) })
    }

    // MARK: Listing

    mutating func listItems() throws(CommandEnd) {
        let row = try vault(named: job.words.value(.vault), .items)
        let items = try items(of: row, try password(of: row))
        guard !job.options.printsJSON else {
            let json = JSONValue.object([
                .init("schema", .string("bulkhead-items-1")),
                .init("vault", .string(row.id.description)), .init("items", .array(items)),
            ])
            return StandardStream.out(json.text + "\n")
        }
        StandardStream.out(ItemList.lines(of: items).joined(separator: "\n") + "\n")
    }

    /// All items, as the signer tells of them.
    private mutating func items(
        of row: VaultRow, _ password: borrowing SecretBytes
    ) throws(CommandEnd) -> [JSONValue] {
        try hand(password)
        try session.handOutputPipe(collecting: true)
        _ = try session.ask(.itemsList(row.id))
        do throws(JSONError) {
            return try ItemList.items(in: session.collected())
        } catch {
            throw .problem(.channel, "the list of items: \(error)")
        }
    }

    /// The item of this name or id.
    private mutating func item(
        _ name: String, of row: VaultRow, _ password: borrowing SecretBytes
    ) throws(CommandEnd) -> ItemID {
        if let id = ItemID(text: name) { return id }
        let all = try items(of: row, password)
        do throws(ItemList.Problem) {
            return try ItemList.find(name, in: all)
        } catch {
            throw .problem(.input, "\(error)")
        }
    }

    // MARK: One item

    mutating func getItem() throws(CommandEnd) {
        let row = try vault(named: job.words.value(.vault), .items)
        let password = try password(of: row)
        let id = try item(job.argument(0) ?? "", of: row, password)
        try hand(password)
        guard let output = job.output else {
            try session.handStandardOutput()
            _ = try session.ask(.itemsGet(row.id, id))
            return session.relayRest()
        }
        try session.hand(.output, output.descriptor)
        let answer = try session.ask(.itemsGet(row.id, id))
        reportWhole("o")
        try print(answer)
    }

    mutating func removeItem() throws(CommandEnd) {
        let row = try vault(named: job.words.value(.vault), .items)
        let password = try password(of: row)
        let id = try item(job.argument(0) ?? "", of: row, password)
        try hand(password)
        try print(try session.ask(.itemsRemove(row.id, id)))
        try backUpAfterChange(of: row.id, password: password)
    }
}
