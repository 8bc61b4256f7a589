import Messages
import SecretMemory
import StateFiles
import Vault
import Wire

/// This machine's ledger, open for what an operation appends. Nothing is done that it could not
/// record, so it is opened first.
struct WorkLedger: ~Copyable {
    /// What writes and opens it.
    let keys: OpenLedgerKey
    /// The head that the new entries follow; nil in a ledger that begins.
    let head: LogHead?
    /// What makes a ledger that begins; empty where one was there.
    private let beginning: [StateChange]
    /// Whether the file of entries is another ledger's.
    private let isReplacing: Bool

    private init(
        key: consuming LogKey, head: LogHead?, beginning: [StateChange] = [],
        isReplacing: Bool = false
    ) {
        keys = OpenLedgerKey(key)
        self.head = head
        self.beginning = beginning
        self.isReplacing = isReplacing
    }

    /// The ledger, or a new one where there never was one.
    ///
    /// - Throws: `missing`, `damaged`, `newerVersion`.
    static func open(
        _ order: WorkOrder, _ device: borrowing DeviceKey
    ) throws(VaultRefusal) -> WorkLedger {
        let own: [StateFile] = [.ledgerKey, .ledgerHead, .ledgerEntries]
        guard own.contains(where: order.contains) else {
            // Only a state without anything has no ledger yet.
            guard order.isFirst else { throw .missing(.ledgerKey) }
            return begin(device, [])
        }
        let key = try key(try order.load(.ledgerKey), device)
        let head = try head(try order.load(.ledgerHead), key)
        return WorkLedger(key: key, head: head)
    }

    /// The ledger, or a new one where this device key opens none.
    static func openOrBegin(_ order: WorkOrder, _ device: borrowing DeviceKey) -> WorkLedger {
        do throws(VaultRefusal) {
            return try open(order, device)
        } catch {
            return begin(besides: order, device)
        }
    }

    /// A new ledger. What was there is kept aside.
    static func begin(besides order: WorkOrder, _ device: borrowing DeviceKey) -> WorkLedger {
        begin(device, settingAside(order))
    }

    private static func begin(
        _ device: borrowing DeviceKey, _ aside: [StateChange]
    ) -> WorkLedger {
        let key = LogKey.newLedger()
        let file = LedgerKeyFile(sealing: key, under: device)
        return WorkLedger(
            key: key, head: nil, beginning: aside + [.put(.ledgerKey, file.bytes)],
            isReplacing: !aside.isEmpty)
    }

    private static func key(
        _ file: [UInt8], _ device: borrowing DeviceKey
    ) throws(VaultRefusal) -> LogKey {
        do throws(LogProblem) {
            return try LedgerKeyFile(file).openLedger(under: device)
        } catch {
            throw VaultRefusal(error, .ledgerKey)
        }
    }

    private static func head(
        _ file: [UInt8], _ key: borrowing LogKey
    ) throws(VaultRefusal) -> LogHead {
        do throws(LogProblem) {
            let head = try LogHead(file)
            try key.check(head)
            return head
        } catch {
            throw VaultRefusal(error, .ledgerHead)
        }
    }

    private static func settingAside(_ order: WorkOrder) -> [StateChange] {
        let id = name(order)
        let places: [(StateFile, StateFile)] = [
            (.ledgerKey, .importedLedgerKey(id)), (.ledgerHead, .importedLedgerHead(id)),
            (.ledgerEntries, .importedLedgerEntries(id)),
        ]
        return places.filter { order.contains($0.0) }.map { .copy($0.0, to: $0.1) }
    }

    /// The id of a ledger whose key is lost, or a fresh one where nothing tells it.
    private static func name(_ order: WorkOrder) -> LedgerID {
        if let file = order.files[.ledgerKey], let key = try? LedgerKeyFile(file) {
            return key.ledger
        }
        if let file = order.files[.ledgerHead], let head = try? LogHead(file),
            case .ledger(let id) = head.name
        {
            return id
        }
        return .random()
    }

    /// Whether it was there before.
    var isOld: Bool { head != nil }

    /// The entries for these records, and the head that is true with them.
    func changes(
        _ records: [LedgerRecord], at time: UInt64
    ) throws(VaultRefusal) -> [StateChange] {
        guard !records.isEmpty else { return [] }
        do throws(LogProblem) {
            let keys = keys
            let added = try keys.key.append(records, time: time, after: head)
            let entries: StateChange =
                isReplacing
                ? .put(.ledgerEntries, added.entries)
                : .append(.ledgerEntries, at: added.offset, added.entries)
            return beginning + [entries, .put(.ledgerHead, added.head.bytes)]
        } catch {
            throw VaultRefusal(error, .ledgerHead)
        }
    }
}

/// The key of this machine's ledger as an object, which closures can hold: Swift 6.0.3 cannot borrow a
/// generic key into one.
final class OpenLedgerKey: LogEntryKeys {
    let key: LogKey

    init(_ key: consuming LogKey) { self.key = key }

    var name: LogName { key.name }

    var publicKey: Bytes32 { key.publicKey }

    func covers(_ scope: LogScope) -> Bool { key.covers(scope) }

    func entryKey(_ scope: LogScope, nonce: [UInt8]) -> SecretBytes {
        key.entryKey(scope, nonce: nonce)
    }
}

extension Identifier {
    /// A fresh id.
    static func random() -> Identifier {
        SecretBytes.random(count: length).withUnsafeBytes { bytes in
            guard let id = Identifier(bytes) else { preconditionFailure("as many as an id has") }
            return id
        }
    }
}

extension VaultRefusal {
    /// Why a log cannot be continued.
    init(_ problem: LogProblem, _ file: StateFile) {
        if case .unknownVersion(let version) = problem {
            self = .newerVersion(file, version)
        } else {
            self = .damaged(file, problem.description)
        }
    }
}
