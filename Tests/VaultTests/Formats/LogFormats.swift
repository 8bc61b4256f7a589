import StateFiles
import Wire

@testable import Vault

/// Cases of logs, their keys and records, from values that `bytes` gives by name and length.
enum LogFormats {
    static let ledger: LedgerID = identifier(0x1E)
    static let wallet = VaultID.fixed("wallet")

    static func log(
        _ name: LogName, _ records: [LogRecord], title: String,
        from bytes: (String, Int) -> [UInt8]
    ) throws -> FormatCase {
        let root = bytes("root", 32)
        let nonces = records.indices.map { bytes("nonce \($0)", 24) }
        let key = LogKey(name, root: secret(root))
        let random = RandomSource.scripted(nonces)
        var file: [UInt8] = []
        var head: LogHead?
        var scopes: [String: String] = [:]
        var entries: [[Any]] = []
        for (number, record) in records.enumerated() {
            let time = 1_750_000_000 + UInt64(number)
            let step = try key.append([record], time: time, after: head, using: random)
            file += step.entries
            head = step.head
            let scopeKey = key.scopeKey(record.scope)
            scopes[Hex.encode(record.scope.bytes)] =
                scopeKey.withSecret { Hex.encode($0.revealed()) }
            entries.append([
                Hex.encode(record.scope.bytes), Int(time), Hex.encode(nonces[number]),
                Hex.encode(record.bytes),
            ])
        }
        return FormatCase(
            name: title, format: "log",
            inputs: [
                "root": Hex.encode(root), "name": Hex.encode(name.bytes), "entries": entries,
            ],
            onTheWay: ["public key": key.publicKey.description, "scope keys": scopes],
            bytes: file + (head?.bytes ?? []), contents: ["entries": entries])
    }

    static func ledgerKey(
        isWhole: Bool, from bytes: (String, Int) -> [UInt8]
    ) throws -> FormatCase {
        let device = bytes("device key", 32)
        let nonce = bytes("key nonce \(isWhole)", 12)
        let key = LogKey(.ledger(ledger), root: secret(bytes("root", 32)))
        let scope = LogScope.vault(wallet)
        let deviceKey = try DeviceKey(secret(device))
        let file =
            isWhole
            ? LedgerKeyFile(sealing: key, under: deviceKey, using: .scripted([nonce]))
            : LedgerKeyFile(
                sealing: key.scopeKey(scope), publicKey: key.publicKey, under: deviceKey,
                using: .scripted([nonce]))
        let sealed =
            isWhole
            ? key.withRoot { $0.revealed() }
            : key.scopeKey(scope).withSecret { $0.revealed() }
        let contents: [String: Any] = [
            "kind": isWhole ? 1 : 2, "ledger": ledger.description,
            "scope": Hex.encode(isWhole ? LogScope.machine.bytes : scope.bytes),
            "public key": key.publicKey.description, "key": Hex.encode(sealed),
        ]
        var inputs = contents
        inputs["device key"] = Hex.encode(device)
        inputs["nonce"] = Hex.encode(nonce)
        return FormatCase(
            name: isWhole ? "ledger key" : "ledger key of one vault", format: "ledger key",
            inputs: inputs,
            onTheWay: [
                "sealing key": Hex.encode(
                    deviceKey.key(for: DomainLabel("ledger-key"), salt: ledger.bytes).revealed())
            ], bytes: file.bytes, contents: contents)
    }

    /// The keys of two vaults from one lost machine.
    static func importedKeys(from bytes: (String, Int) -> [UInt8]) throws -> FormatCase {
        let device = bytes("device key", 32)
        let deviceKey = try DeviceKey(secret(device))
        let key = LogKey(.ledger(ledger), root: secret(bytes("root", 32)))
        var keys: ImportedLedgerKeys?
        var inputs: [[String: Any]] = []
        var contents: [[String: Any]] = []
        for vault in [wallet, VaultID.fixed("second of a ledger")] {
            let scope = LogScope.vault(vault)
            let nonce = bytes("nonce \(vault)", 12)
            let file = LedgerKeyFile(
                sealing: key.scopeKey(scope), publicKey: key.publicKey, under: deviceKey,
                using: .scripted([nonce]))
            if keys == nil { keys = ImportedLedgerKeys(file) }
            keys?.add(file, under: deviceKey)
            let content: [String: Any] = [
                "kind": 2, "ledger": ledger.description, "scope": Hex.encode(scope.bytes),
                "public key": key.publicKey.description,
                "key": Hex.encode(key.scopeKey(scope).withSecret { $0.revealed() }),
            ]
            contents.append(content)
            inputs.append(content.merging(["nonce": Hex.encode(nonce)]) { $1 })
        }
        return FormatCase(
            name: "imported ledger keys", format: "imported ledger keys",
            inputs: ["device key": Hex.encode(device), "keys": inputs],
            bytes: keys?.bytes ?? [], contents: ["keys": contents])
    }

    static func record(_ event: LedgerEvent, by actor: LedgerActor?) -> FormatCase {
        var object: [String: Any] = ["event": event.listed]
        if let actor { object["actor"] = [Int(actor.user), actor.terminal] }
        return FormatCase(
            name: "ledger event \(event.listed[0])", format: "ledger record", inputs: object,
            bytes: LedgerRecord(event, scope: .machine, actor: actor).logRecord.bytes,
            contents: object)
    }

    static func record(_ event: ItemsEvent) -> FormatCase {
        FormatCase(
            name: "items event \(event.listed[0])", format: "items record",
            inputs: ["event": event.listed], bytes: event.logRecord(of: wallet).bytes,
            contents: ["event": event.listed])
    }
}

extension LedgerEvent {
    /// Its number and its fields, as the second implementation takes them.
    var listed: [Any] {
        switch self {
        case .started(let version): [1, version]
        case .approved(let approval):
            [
                2, approval.txid.description, Int(approval.sent),
                approval.fee.map { Int($0) as Any } ?? NoValue.null,
                [
                    "count": Int(approval.destinationCount),
                    "named": approval.destinations.map { [Int($0.amount), $0.address] as [Any] },
                ] as [String: Any],
                approval.file.description, approval.report.description,
                Int(approval.origin.rawValue),
            ]
        case .refused(let refusal):
            [
                3, Int(refusal.origin.rawValue), refusal.code, Int(refusal.count),
                Int(refusal.first), Int(refusal.last),
            ]
        case .passwordFailed(let operation, let failures):
            [4, Int(operation.rawValue), Int(failures)]
        case .operation(let operation, let name): [5, Int(operation.rawValue), name]
        case .backedUp(let bytes, let digest): [6, Int(bytes), digest.description]
        case .restored(let madeAt, let digest): [7, Int(madeAt), digest.description]
        case .registered(let name, let digest): [8, name, digest.description]
        case .item(let change, let item, let counter):
            [9, Int(change.rawValue), item.description, Int(counter)]
        case .damageFound(let sentence): [10, sentence]
        case .messageSigned(let address, let digest): [11, address, digest.description]
        case .rejected(let file, let reason): [12, file.description, reason]
        case .undelivered(let file, let reason): [13, file.description, reason]
        }
    }
}

extension ItemsEvent {
    /// Its number and its fields, as the second implementation takes them.
    var listed: [Any] {
        switch self {
        case .added(let record):
            [
                1, record.id.description, record.name, record.type, Int(record.size),
                Int(record.modifiedAt), record.headerDigest.description,
            ]
        case .removed(let id): [2, id.description]
        case .renamed(let id, let name): [3, id.description, name]
        }
    }
}
