import JSON
import Messages
import SecretMemory
import StateFiles
import Vault
import Wire

/// An items vault that was opened, and the log of what is in it.
struct OpenItems: ~Copyable {
    let vault: OpenVault
    let logKey: LogKey
    /// The head that new entries follow.
    let head: LogHead
}

extension VaultWork {
    // MARK: Documents and notes

    /// Seals the input as an item and writes it aside; it is there once its entry in the log is.
    ///
    /// A pipe ends the same way when all of a file came and when its writer died, so an input of another
    /// size than was said before is refused.
    func addItem(
        _ id: VaultID, _ device: borrowing DeviceKey, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let items = try openItems(id, device, secrets)
        let name = try itemText(.itemName, try secrets.need(.itemName), ItemRecord.maximumName)
        guard !name.isEmpty else { throw .badName("it is empty") }
        let expected = try itemSize(secrets)
        let item = ItemID.random()
        let header = StreamHeader(.item(item), of: id)
        let file = StateFile.item(id, item)
        var writer = SealedStreamWriter(item: header, master: items.vault.masterKey)
        try ports.beginAside(file)
        try header.bytes.lend(ports.writeAside)
        try ports.readInput { bytes throws(VaultRefusal) in
            let size = writer.count + UInt64(bytes.count)
            guard size <= VaultWork.largestItem else {
                throw .tooLarge(found: size, allowed: VaultWork.largestItem)
            }
            try writer.append(bytes) { sealed throws(VaultRefusal) in
                try ports.writeAside(sealed)
            }
        }
        guard writer.count == expected else {
            throw .badInput("\(writer.count) bytes came instead of \(expected)")
        }
        try writer.finish { sealed throws(VaultRefusal) in try ports.writeAside(sealed) }
        try ports.endAside()
        let size = writer.count
        let record = ItemRecord(
            header: header, name: name, type: try itemType(secrets), size: size,
            modifiedAt: try itemDate(secrets))
        let log = try append(.added(record), to: items, id)
        return WorkDone(
            .itemAdded(item, bytes: size),
            [.adopt(file), resetAttempts(id, device)] + log.changes(id),
            records: [self.record(.item(.added, item, logCounter: log.head.counter), of: id)])
    }

    /// Names, dates and sizes: a JSON object a line, to the output.
    func listItems(
        _ id: VaultID, _ device: borrowing DeviceKey, _ keys: borrowing WorkKeys,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let catalogue = try catalogue(try openItems(id, device, secrets), id)
        for item in catalogue.items {
            try Array((item.json.line + "\n").utf8).lend(ports.write)
        }
        return WorkDone(
            .written(UInt64(catalogue.count)), [resetAttempts(id, device)],
            records: [record(of: id, keys)])
    }

    /// An item as it was, to the output.
    func getItem(
        _ item: ItemID, _ id: VaultID, _ device: borrowing DeviceKey,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let items = try openItems(id, device, secrets)
        guard let known = try catalogue(items, id)[item] else { throw .noSuchItem(item) }
        let size = try open(
            item, known.record, id, items.vault.masterKey, to: ports.write)
        guard size == known.record.size else {
            throw .damaged(.item(id, item), "it has another size than its log says")
        }
        return WorkDone(
            .written(size), [resetAttempts(id, device)],
            records: [
                record(.item(.read, item, logCounter: items.head.counter), of: id)
            ])
    }

    /// Removes an item's file and notes it in the log.
    func removeItem(
        _ item: ItemID, _ id: VaultID, _ device: borrowing DeviceKey,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let items = try openItems(id, device, secrets)
        guard try catalogue(items, id)[item] != nil else { throw .noSuchItem(item) }
        let log = try append(.removed(item), to: items, id)
        return WorkDone(
            .done(remarks: []),
            [.remove(.item(id, item)), resetAttempts(id, device)] + log.changes(id),
            records: [record(.item(.removed, item, logCounter: log.head.counter), of: id)])
    }

    // MARK: Parts

    /// The most that an item holds: with its padding the file stays below its limit.
    private static let largestItem: UInt64 = 1 << 35

    private func openItems(
        _ id: VaultID, _ device: borrowing DeviceKey, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> OpenItems {
        let open = try open(id, device, secrets)
        let key = open.masterKey.itemsLogKey(of: id)
        let head = try itemsHead(id, key)
        return OpenItems(vault: open, logKey: key, head: head)
    }

    /// The head of a log that begins: it is made with the vault, so that a log that is taken away
    /// whole is missed.
    func emptyItems(
        _ id: VaultID, _ masterKey: borrowing MasterKey
    ) throws(VaultRefusal) -> LogHead {
        do throws(LogProblem) {
            return try masterKey.itemsLogKey(of: id)
                .append([LogRecord](), time: order.time, after: nil).head
        } catch {
            throw VaultRefusal(error, .itemsHead(id))
        }
    }

    /// The head that is here, signed by this vault's key.
    func itemsHead(
        _ id: VaultID, _ key: borrowing LogKey
    ) throws(VaultRefusal) -> LogHead {
        let file = try order.load(.itemsHead(id))
        do throws(LogProblem) {
            let head = try LogHead(file)
            try key.check(head)
            return head
        } catch {
            throw VaultRefusal(error, .itemsHead(id))
        }
    }

    /// What is in the vault, from a log that holds from its first entry to its head.
    private func catalogue(
        _ items: borrowing OpenItems, _ id: VaultID
    ) throws(VaultRefusal) -> ItemsCatalogue {
        try catalogue(id, items.logKey, to: items.head) { _ throws(VaultRefusal) in }
    }

    /// The same, while the log's bytes go on to `copy`.
    func catalogue(
        _ id: VaultID, _ key: borrowing LogKey, to head: LogHead,
        copy: (UnsafeRawBufferPointer) throws(VaultRefusal) -> Void
    ) throws(VaultRefusal) -> ItemsCatalogue {
        var catalogue = ItemsCatalogue()
        var reader = LogReader(key.name, publicKey: key.publicKey)
        let file = StateFile.itemsLog(id)
        try fed.read(file) { bytes throws(VaultRefusal) in
            try translating(file) {
                try reader.append(bytes, keys: key) { entry, record in
                    if let record { try catalogue.apply(record, of: entry) }
                }
            }
            try copy(bytes)
        }
        if let problem = reader.finish(head: head).first {
            throw VaultRefusal(problem, file)
        }
        return catalogue
    }

    private func append(
        _ event: ItemsEvent, to items: borrowing OpenItems, _ id: VaultID
    ) throws(VaultRefusal) -> LogAppend {
        do throws(LogProblem) {
            return try items.logKey.append(
                [event.logRecord(of: id)], time: order.time, after: items.head)
        } catch {
            throw VaultRefusal(error, .itemsHead(id))
        }
    }

    /// Why an item does not open to its end; nil where it does.
    func damage(
        of item: ItemID, _ known: ItemRecord?, _ id: VaultID, _ masterKey: borrowing MasterKey
    ) throws(VaultRefusal) -> String? {
        do throws(VaultRefusal) {
            let size = try open(item, known, id, masterKey) { _ throws(VaultRefusal) in }
            return size == known?.size ?? size ? nil : "it has another size than its log says"
        } catch {
            try fed.skipRest()
            switch error {
            case .diskUnread: throw error
            case .damaged(_, let why): return why
            default: return error.sentence
            }
        }
    }

    /// Opens an item to `sink`; its size. Nothing is known of one that is not in the log.
    private func open(
        _ item: ItemID, _ known: ItemRecord?, _ id: VaultID, _ masterKey: borrowing MasterKey,
        to sink: (UnsafeRawBufferPointer) throws(VaultRefusal) -> Void
    ) throws(VaultRefusal) -> UInt64 {
        let file = StateFile.item(id, item)
        guard try fed.size(of: file) != nil else { throw .missing(file) }
        var start: [UInt8] = []
        var stream: SealedStreamReader?
        try fed.read(file) { bytes throws(VaultRefusal) in
            try translating(file) {
                var rest = bytes[...]
                if start.count < StreamHeader.length {
                    let part = rest.prefix(StreamHeader.length - start.count)
                    start += part
                    rest = rest.dropFirst(part.count)
                    guard start.count == StreamHeader.length else { return }
                    let header = try StreamHeader(start)
                    guard known?.belongs(header) ?? true else { throw StreamError.anotherStream }
                    stream = try SealedStreamReader(
                        item: item, of: id, header: header, master: masterKey)
                }
                try stream?.append(UnsafeRawBufferPointer(rebasing: rest)) { try sink($0) }
            }
        }
        return try translating(file) {
            guard stream != nil else { throw StreamError.notAStream }
            try stream?.finish { try sink($0) }
            return stream?.count ?? 0
        }
    }

    // MARK: What the person says of a file

    private func itemText(
        _ field: SecretField, _ bytes: borrowing SecretBytes, _ limit: Int
    ) throws(VaultRefusal) -> String {
        // DECLASSIFY: the log of the vault seals it; here it is told to nobody.
        let text = bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        guard let text else { throw .malformed(field, place: 0, "it is not UTF-8") }
        guard text.utf8.count <= limit else {
            throw .malformed(
                field, place: 0, "it has \(text.utf8.count) bytes, at most \(limit) are possible")
        }
        return text
    }

    private func itemType(_ secrets: borrowing SecretFields) throws(VaultRefusal) -> String {
        guard let type = secrets.copy(.itemType) else { return "" }
        return try itemText(.itemType, type, ItemRecord.maximumType)
    }

    private func itemSize(_ secrets: borrowing SecretFields) throws(VaultRefusal) -> UInt64 {
        guard let size = UInt64(try itemText(.itemSize, try secrets.need(.itemSize), 20)) else {
            throw .malformed(.itemSize, place: 0, "it is no number of bytes")
        }
        return size
    }

    private func itemDate(_ secrets: borrowing SecretFields) throws(VaultRefusal) -> UInt64 {
        guard let date = secrets.copy(.itemDate) else { return order.time }
        guard let seconds = UInt64(try itemText(.itemDate, date, 20)) else {
            throw .malformed(.itemDate, place: 0, "it is no number of seconds since 1970")
        }
        return seconds
    }
}

extension LogAppend {
    /// The changes of an items log.
    fileprivate func changes(_ id: VaultID) -> [StateChange] {
        [.append(.itemsLog(id), at: offset, entries), .put(.itemsHead(id), head.bytes)]
    }
}

extension ItemsCatalogue.Item {
    fileprivate var json: JSONValue {
        func number(_ value: UInt64) -> JSONValue { .integer(Int(clamping: value)) }
        return .object([
            .init("id", .string(record.id.description)), .init("name", .string(name)),
            .init("type", .string(record.type)), .init("size", number(record.size)),
            .init("modified", number(record.modifiedAt)), .init("added", number(addedAt)),
        ])
    }
}
