import StateFiles
import Wire

extension VaultRequest {
    func encode(into writer: inout Writer) {
        writer.write(number)
        switch self {
        case .list, .ledgerExport, .ledgerVerify, .importedLedgers: break
        case .importedLedger(let id, let reading):
            id.encode(into: &writer)
            reading.encode(into: &writer)
        case .index(let id), .showPhrase(let id), .newKit(let id), .adopt(let id),
            .rebuildIndex(let id), .backup(let id), .restoreCheck(let id), .restore(let id),
            .itemsAdd(let id), .itemsList(let id):
            id.encode(into: &writer)
        case .addresses(let id, let range):
            id.encode(into: &writer)
            range.encode(into: &writer)
        case .findAddress(let text, let depth):
            writer.write(text, limit: Limit.address)
            writer.write(depth)
        case .create(let new, let words, let usesDice, let hasPassphrase):
            new.encode(into: &writer)
            writer.write(words)
            writer.write(usesDice)
            writer.write(hasPassphrase)
        case .importWords(let new, let hasPassphrase):
            new.encode(into: &writer)
            writer.write(hasPassphrase)
        case .importXprv(let new): new.encode(into: &writer)
        case .changePassword(let id, let kdf), .openWithCode(let id, let kdf):
            id.encode(into: &writer)
            writer.write(kdf)
        case .rename(let id, let name), .delete(let id, let name):
            id.encode(into: &writer)
            writer.write(name, limit: Limit.vaultName)
        case .ledgerList(let counter, let count):
            writer.write(counter)
            writer.write(count)
        case .itemsGet(let id, let item), .itemsRemove(let id, let item):
            id.encode(into: &writer)
            item.encode(into: &writer)
        case .approve(let entry, let approval, let wantsTransaction):
            entry.encode(into: &writer)
            writer.write(wantsTransaction)
            approval.encode(into: &writer)
        case .signMessage(let id, let message):
            id.encode(into: &writer)
            message.encode(into: &writer)
        }
    }

    private var number: UInt8 {
        switch self {
        case .list: 1
        case .index: 2
        case .create: 3
        case .importWords: 4
        case .importXprv: 5
        case .showPhrase: 6
        case .changePassword: 7
        case .rename: 8
        case .delete: 9
        case .newKit: 10
        case .openWithCode: 11
        case .adopt: 12
        case .rebuildIndex: 13
        case .backup: 14
        case .restoreCheck: 15
        case .restore: 16
        case .ledgerList: 17
        case .ledgerExport: 18
        case .ledgerVerify: 19
        case .itemsAdd: 20
        case .itemsList: 21
        case .itemsGet: 22
        case .itemsRemove: 23
        case .addresses: 24
        case .findAddress: 25
        case .approve: 26
        case .signMessage: 27
        case .importedLedgers: 28
        case .importedLedger: 29
        }
    }

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .list
        case 2: self = .index(try VaultID(from: &reader))
        case 3:
            self = .create(
                try NewVault(from: &reader), words: try reader.readUInt8(),
                usesDice: try reader.readFlag(), hasPassphrase: try reader.readFlag())
        case 4:
            self = .importWords(
                try NewVault(from: &reader), hasPassphrase: try reader.readFlag())
        case 5: self = .importXprv(try NewVault(from: &reader))
        case 17:
            self = .ledgerList(from: try reader.readUInt64(), count: try reader.readUInt16())
        case 18: self = .ledgerExport
        case 19: self = .ledgerVerify
        case 28: self = .importedLedgers
        case 29:
            self = .importedLedger(
                try LedgerID(from: &reader), try LedgerReading(from: &reader))
        case 25:
            self = .findAddress(
                try reader.readText(limit: Limit.address), depth: try reader.readUInt32())
        case 26:
            let entry = try EntryID(from: &reader)
            let wantsTransaction = try reader.readFlag()
            self = .approve(
                entry, try PSBTApproval(from: &reader), wantsTransaction: wantsTransaction)
        default:
            let id = try VaultID(from: &reader)
            guard let request = try VaultRequest(number, of: id, from: &reader) else {
                throw .unknownValue(position: start, found: UInt64(number))
            }
            self = request
        }
    }

    /// Those that begin with a vault's id.
    private init?(
        _ number: UInt8, of id: VaultID, from reader: inout Reader
    ) throws(WireError) {
        switch number {
        case 6: self = .showPhrase(id)
        case 7: self = .changePassword(id, try reader.readCase())
        case 8: self = .rename(id, name: try reader.readText(limit: Limit.vaultName))
        case 9: self = .delete(id, name: try reader.readText(limit: Limit.vaultName))
        case 10: self = .newKit(id)
        case 11: self = .openWithCode(id, try reader.readCase())
        case 12: self = .adopt(id)
        case 13: self = .rebuildIndex(id)
        case 14: self = .backup(id)
        case 15: self = .restoreCheck(id)
        case 16: self = .restore(id)
        case 20: self = .itemsAdd(id)
        case 21: self = .itemsList(id)
        case 22: self = .itemsGet(id, try ItemID(from: &reader))
        case 23: self = .itemsRemove(id, try ItemID(from: &reader))
        case 24: self = .addresses(id, try AddressRange(from: &reader))
        case 27: self = .signMessage(id, try MessageToSign(from: &reader))
        default: return nil
        }
    }
}
