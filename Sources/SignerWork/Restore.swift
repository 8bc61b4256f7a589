import Hashing
import Messages
import SecretMemory
import StateFiles
import Vault
import Wire

/// A restore while its backup is read: what was in it, and what becomes of each part.
final class Restore {
    let work: VaultWork
    let id: VaultID
    private let isCheck: Bool
    /// Items that were removed here.
    private let removed: Set<ItemID>

    private(set) var information: BackupInformation?
    private(set) var plan: RestorePlan?
    private(set) var vault: [UInt8] = []
    private(set) var name: VaultName?
    private(set) var index: PublicIndex?
    private(set) var ledger: BackupLedgerKey?
    private(set) var ledgerHead: LogHead?
    private(set) var itemsHead: LogHead?
    /// Files that were written aside and are to become true.
    private(set) var staged: [StateFile] = []
    /// What becomes of the vault file.
    var effect = RestorePlan.Effect.kept
    var rows: [RestoreRow] = []
    var remarks: [String] = []

    /// The part that is being read.
    private var part = BackupPart.information
    private var bytes: [UInt8] = []
    private var secret = SecretBytes(count: BackupLedgerKey.length)
    private var secretCount = 0
    /// Where the large part that is being read goes; nil where it is only checked.
    private var target: StateFile?
    private var log: LogReader?
    /// Whether the list of items becomes the one of the backup.
    private var takesList = false
    private var hash = SHA256()
    private var here = ItemsHere()

    init(_ work: VaultWork, _ id: VaultID, isCheck: Bool, removed: Set<ItemID>) {
        self.work = work
        self.id = id
        self.isCheck = isCheck
        self.removed = removed
    }

    // MARK: Parts

    /// Takes what comes out of the backup next.
    func take(_ event: BackupReader.Event) throws {
        switch event {
        case .begins(let part, _): try begin(part)
        case .bytes(let bytes): try take(bytes)
        case .ends(let part): try end(part)
        }
    }

    private func begin(_ part: BackupPart) throws {
        self.part = part
        bytes = []
        target = nil
        log = nil
        switch part {
        case .ledgerEntries:
            let head = try known(ledgerHead, part)
            let effect = try known(plan, part).effect(ofLedger: head)
            count("entries of the ledger", effect)
            log = LogReader(head.name, publicKey: ledger?.publicKey)
            if case .ledger(let ledger) = head.name {
                try aside(.importedLedgerEntries(ledger), effect)
            }
        case .itemsLog:
            let head = try known(itemsHead, part)
            let effect = try known(plan, part).effect(ofItemsLog: head)
            count("list of items", effect)
            takesList = effect.isUsed
            // A log that is replaced must continue the one that is here.
            let witness = try known(plan, part).witness(ofItemsLog: head)
            log = LogReader(head.name, publicKey: nil, witness: effect == .replaced ? witness : nil)
            if effect == .replaced, witness == nil { remarks.append(Self.list(of: head)) }
            try aside(.itemsLog(id), effect)
        case .item(let item):
            hash = SHA256()
            // Whether it is the one that is here, only its last byte tells.
            try aside(.item(id, item), .added)
        default: break
        }
    }

    private func aside(_ file: StateFile, _ effect: RestorePlan.Effect) throws(VaultRefusal) {
        guard effect.isUsed, !isCheck else { return }
        try work.ports.beginAside(file)
        target = file
    }

    private func take(_ piece: UnsafeRawBufferPointer) throws {
        switch part {
        case .ledgerKey:
            let start = secretCount
            secretCount += piece.count
            guard secretCount <= BackupLedgerKey.length else { throw BackupError.wrongEnd }
            secret.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: piece)
            }
        case .ledgerEntries, .itemsLog:
            let keys = NoLogKeys(name: try logName())
            log?.append(piece, keys: keys) { _, _ in }
            if target != nil { try work.ports.writeAside(piece) }
        case .item:
            hash.update(piece)
            bytes += piece.prefix(StreamHeader.length - min(StreamHeader.length, bytes.count))
            if target != nil { try work.ports.writeAside(piece) }
        default: bytes += piece
        }
    }

    private func logName() throws -> LogName {
        try known(part == .itemsLog ? itemsHead : ledgerHead, part).name
    }

    private func end(_ part: BackupPart) throws {
        switch part {
        case .information:
            let read = try BackupInformation(bytes)
            guard read.vault == id else { throw StreamError.anotherStream }
            information = read
            here = try work.itemsHere(id)
            plan = plan(read)
        case .vault: vault = bytes
        case .name:
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw VaultRefusal.badInput("its name is not UTF-8")
            }
            name = try VaultName(kept: text)
        case .index: index = try PublicIndex(payload: bytes)
        case .ledgerKey: ledger = BackupLedgerKey(secret)
        case .ledgerHead:
            let head = try LogHead(bytes)
            guard head.name == ledger?.key.name, head.publicKey == ledger?.publicKey else {
                throw LogProblem.anotherLog
            }
            ledgerHead = head
        case .itemsHead:
            let head = try LogHead(bytes)
            guard head.name == .items(id) else { throw LogProblem.anotherLog }
            itemsHead = head
        case .ledgerEntries: try endLog(ledgerHead)
        case .itemsLog: try endLog(itemsHead)
        case .item(let item):
            let header = try StreamHeader(bytes)
            guard header.kind == .item(item), header.vault == id else {
                throw StreamError.anotherStream
            }
            let presence = here.presence(of: item, hash.finalize())
            // A list that stays does not know it any more.
            let isGone = presence == .absent && !takesList && removed.contains(item)
            let effect = isGone ? .kept : try known(plan, part).effect(ofItem: presence)
            count(isGone ? "items that were removed here" : "items", effect)
            try endAside(isUsed: effect.isUsed)
        case .registration, .end: break
        }
    }

    private func endLog(_ head: LogHead?) throws {
        if let problem = log?.finish(head: head).first { throw problem }
        try endAside()
    }

    private func endAside(isUsed: Bool = true) throws(VaultRefusal) {
        guard let target else { return }
        try work.ports.endAside()
        if isUsed { staged.append(target) }
    }

    private static func list(of head: LogHead) -> String {
        "The list of items here is damaged, and the one of the backup comes in its place, with "
            + "\(counted(head.counter, "entry", "entries")): items added after the backup are no longer in it."
    }

    // MARK: What is decided by

    private func plan(_ information: BackupInformation) -> RestorePlan {
        RestorePlan(
            information, ownLedger: work.head(.ledgerHead),
            importedLedger: work.head(.importedLedgerHead(information.ledger)),
            itemsHead: work.head(.itemsHead(id)), isItemsLogWhole: here.isLogWhole)
    }

    private func known<Value>(_ value: Value?, _ part: BackupPart) throws -> Value {
        guard let value else { throw BackupError.misplaced(part) }
        return value
    }

    /// Adds one to the row of a kind of thing.
    func count(_ what: String, _ effect: RestorePlan.Effect) {
        let effect = RestoreRow.Effect(effect)
        if let place = rows.firstIndex(where: { $0.what == what && $0.effect == effect }) {
            rows[place].count += 1
        } else {
            rows.append(RestoreRow(what: what, effect: effect))
        }
    }
}

extension RestoreRow.Effect {
    init(_ effect: RestorePlan.Effect) {
        self =
            switch effect {
            case .added: .added
            case .unchanged: .unchanged
            case .replaced: .replaced
            case .kept: .kept
            }
    }
}

/// Opens no entry: a log of items is sealed under the vault's own key, which a restore does not have.
struct NoLogKeys: LogEntryKeys {
    let name: LogName

    func covers(_ scope: LogScope) -> Bool { false }

    func entryKey(_ scope: LogScope, nonce: [UInt8]) -> SecretBytes {
        preconditionFailure("no scope is covered")
    }
}
