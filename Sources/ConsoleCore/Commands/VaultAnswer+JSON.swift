public import JSON
public import Messages
import StateFiles
import Wire

extension VaultAnswer {
    /// The same for `--json`.
    public var json: JSONValue {
        switch self {
        case .done(let remarks): Self.object("done", [.init("remarks", Self.list(remarks))])
        case .vaults(let rows): Self.object("vaults", [.init("vaults", .array(rows.map(\.json)))])
        case .index(let fingerprint, let rows):
            Self.object("keys", Self.members(of: fingerprint, rows))
        case .made(let id, let fingerprint, let rows, let remarks):
            Self.object(
                "made",
                [.init("vault", .string(id.description))] + Self.members(of: fingerprint, rows)
                    + [.init("remarks", Self.list(remarks))])
        case .ledger(let rows, let last):
            Self.object(
                "ledger",
                [.init("entries", .array(rows.map(\.json))), .init("counter", Self.number(last))])
        case .importedLedgers(let rows):
            Self.object("imported-ledgers", [.init("ledgers", .array(rows.map(\.json)))])
        case .ledgerHolds(let entries, let head, let remarks):
            Self.object(
                "ledger-holds",
                [
                    .init("entries", Self.number(entries)),
                    .init("head", .string(Hex.encode(head.array))),
                    .init("remarks", Self.list(remarks)),
                ])
        case .restored(let id, let rows, let remarks):
            Self.object(
                "restored",
                [
                    .init("vault", .string(id.description)),
                    .init("changes", .array(rows.map(\.json))),
                    .init("remarks", Self.list(remarks)),
                ])
        case .backedUp(let bytes, let digest, let items, let remarks):
            Self.object(
                "backed-up",
                [
                    .init("bytes", Self.number(bytes)),
                    .init("sha256", .string(Hex.encode(digest.array))),
                    .init("items", .integer(Int(items))), .init("remarks", Self.list(remarks)),
                ])
        case .itemAdded(let id, let bytes):
            Self.object(
                "item-added",
                [.init("item", .string(id.description)), .init("bytes", Self.number(bytes))])
        case .written(let count): Self.object("written", [.init("count", Self.number(count))])
        case .messageSigned(let signature):
            Self.object(
                "message-signed",
                [
                    .init("address", .string(signature.row.value)),
                    .init("account", .string(signature.row.title)),
                    .init("path", .string(signature.row.path)),
                    .init("form", .string(signature.form.name)),
                    .init("sha256", .string(Hex.encode(signature.digest.array))),
                    .init("signature", .string(signature.signature)),
                ])
        case .searched(let found, let depth, let remarks):
            Self.object(
                "address-search",
                [
                    .init("found", .array(found.map(\.json))),
                    .init("depth", .integer(Int(depth))), .init("remarks", Self.list(remarks)),
                ])
        case .signed(let answer): EntryText.json(of: answer)
        }
    }

    fileprivate static func object(_ what: String, _ members: [JSONValue.Member]) -> JSONValue {
        .object([.init("schema", .string("bulkhead-\(what)-1"))] + members)
    }

    private static func members(of fingerprint: String, _ rows: [IndexRow]) -> [JSONValue.Member] {
        [.init("fingerprint", .string(fingerprint)), .init("keys", .array(rows.map(\.json)))]
    }

    fileprivate static func list(_ texts: [String]) -> JSONValue {
        .array(texts.map { .string($0) })
    }

    fileprivate static func number(_ value: UInt64) -> JSONValue {
        .integer(Int(clamping: value))
    }
}

extension MessageForm {
    /// As flags and JSON name it.
    public var name: String {
        switch self {
        case .bip137: "bip137"
        case .bip322Simple: "bip322"
        case .bip322Full: "bip322-full"
        }
    }
}

extension VaultRow {
    fileprivate var json: JSONValue {
        .object([
            .init("id", .string(id.description)), .init("name", .string(name)),
            .init("kind", .string("\(kind)")), .init("network", .string(chain.name)),
            .init("createdAt", VaultAnswer.number(createdAt)),
            .init("birthday", birthday.map(VaultAnswer.number) ?? .null),
            .init("problem", problem.isEmpty ? .null : .string(problem)),
        ])
    }
}

extension IndexRow {
    fileprivate var json: JSONValue {
        .object([
            .init("what", .string(title)), .init("path", .string(path)),
            .init("value", .string(value)),
        ])
    }
}

extension FoundAddress {
    fileprivate var json: JSONValue {
        .object([
            .init("vault", .string(vault.description)), .init("name", .string(name)),
            .init("branch", .string(isChange ? "change" : "receive")),
            .init("account", .string(row.title)), .init("path", .string(row.path)),
            .init("address", .string(row.value)),
        ])
    }
}

extension LedgerRow {
    fileprivate var json: JSONValue {
        .object([
            .init("counter", VaultAnswer.number(counter)), .init("time", VaultAnswer.number(time)),
            .init("vault", vault.map { .string($0.description) } ?? .null),
            .init("text", .string(text)),
        ])
    }
}

extension ImportedLedgerRow {
    fileprivate var json: JSONValue {
        .object([
            .init("id", .string(id.description)), .init("entries", VaultAnswer.number(entries)),
            .init("vaults", .array(vaults.map { .string($0.description) })),
        ])
    }
}

extension RestoreRow {
    fileprivate var json: JSONValue {
        .object([
            .init("what", .string(what)), .init("count", .integer(Int(count))),
            .init("effect", .string("\(effect)")),
        ])
    }
}

extension VaultRefusal {
    /// The case's name: stable, for programs.
    public var code: String {
        switch self {
        case .noSuchVault: "no-such-vault"
        case .wrongKind: "wrong-kind"
        case .wrongChain: "wrong-network"
        case .alreadyThere: "already-there"
        case .noSuchItem: "no-such-item"
        case .badName: "bad-name"
        case .badAddress: "bad-address"
        case .badRange: "bad-range"
        case .notOwnAddress: "not-own-address"
        case .badMessage: "bad-message"
        case .wrongName: "wrong-name"
        case .wordCount: "word-count"
        case .noSuchEntry: "no-such-entry"
        case .decided: "decided"
        case .notSigned(let fault, _): fault.code
        case .missingField: "missing-field"
        case .malformed: "malformed"
        case .notHandedOver: "not-handed-over"
        case .passwordRule: "password-rule"
        case .outputFailed: "output-failed"
        case .badInput: "bad-input"
        case .tooLarge: "too-large"
        case .passphraseIsFixed: "passphrase-is-fixed"
        case .wrongPassword: "wrong-password"
        case .mustWait: "must-wait"
        case .wrongCode: "wrong-code"
        case .wrongSecretKey: "wrong-secret-key"
        case .damaged: "damaged"
        case .newerVersion: "newer-version"
        case .missing: "missing"
        case .unsafeKey: "unsafe-key"
        case .ledgerBroken: "ledger-broken"
        case .littleMemory: "little-memory"
        case .diskUnread: "disk-unread"
        case .diskFailed: "disk-failed"
        case .diskUncertain: "disk-uncertain"
        case .busy: "busy"
        case .workerFailed: "worker-failed"
        }
    }
}
