public import StateFiles
public import Wire

/// One vault in a list.
public struct VaultRow: Hashable, Sendable {
    /// Its id.
    public var id: VaultID
    /// What it holds.
    public var kind: VaultKind
    /// The chain it was made for.
    public var chain: ChainName
    /// Seconds since 1970.
    public var createdAt: UInt64
    /// Its display name, at most 256 bytes; empty where that file is missing or does not verify.
    public var name: String
    /// Seconds since 1970 before which no address of the wallet was used; nil where nobody knows.
    public var birthday: UInt64?
    /// What is wrong with it, a sentence of at most 256 bytes; empty if nothing is.
    public var problem: String

    /// A row by its fields.
    public init(
        id: VaultID, kind: VaultKind, chain: ChainName, createdAt: UInt64, name: String,
        birthday: UInt64? = nil, problem: String = ""
    ) {
        self.id = id
        self.kind = kind
        self.chain = chain
        self.createdAt = createdAt
        self.name = name
        self.birthday = birthday
        self.problem = problem
    }

    init(from reader: inout Reader) throws(WireError) {
        id = try VaultID(from: &reader)
        kind = try reader.readCase()
        chain = try reader.readCase()
        createdAt = try reader.readUInt64()
        name = try reader.readText(limit: Limit.vaultName)
        birthday = try reader.readFlag() ? reader.readUInt64() : nil
        problem = try reader.readText(limit: Limit.sentence)
    }

    func encode(into writer: inout Writer) {
        id.encode(into: &writer)
        writer.write(kind)
        writer.write(chain)
        writer.write(createdAt)
        writer.write(name, limit: Limit.vaultName)
        writer.write(birthday != nil)
        if let birthday { writer.write(birthday) }
        writer.write(problem, limit: Limit.sentence)
    }
}

/// One public key or address of a wallet, as a person and another wallet read it.
public struct IndexRow: Hashable, Sendable {
    /// What it is, for instance `BIP84` or `TRON`; at most 32 bytes.
    public var title: String
    /// Its derivation path, at most 64 bytes.
    public var path: String
    /// The extended public key, public key or address, at most 128 bytes.
    public var value: String

    /// A row by its fields.
    public init(title: String, path: String, value: String) {
        self.title = title
        self.path = path
        self.value = value
    }

    init(from reader: inout Reader) throws(WireError) {
        title = try reader.readText(limit: 32)
        path = try reader.readText(limit: 64)
        value = try reader.readText(limit: 128)
    }

    func encode(into writer: inout Writer) {
        writer.write(title, limit: 32)
        writer.write(path, limit: 64)
        writer.write(value, limit: 128)
    }
}

/// An own address that was searched for and found.
public struct FoundAddress: Hashable, Sendable {
    /// The wallet.
    public var vault: VaultID
    /// The wallet's name, at most 256 bytes; empty where it does not verify.
    public var name: String
    /// Whether it lies on a branch for what is left of payments.
    public var isChange: Bool
    /// The account, the path and the address.
    public var row: IndexRow

    /// A found address by its parts.
    public init(vault: VaultID, name: String, isChange: Bool, row: IndexRow) {
        self.vault = vault
        self.name = name
        self.isChange = isChange
        self.row = row
    }

    init(from reader: inout Reader) throws(WireError) {
        vault = try VaultID(from: &reader)
        name = try reader.readText(limit: Limit.vaultName)
        isChange = try reader.readFlag()
        row = try IndexRow(from: &reader)
    }

    func encode(into writer: inout Writer) {
        vault.encode(into: &writer)
        writer.write(name, limit: Limit.vaultName)
        writer.write(isChange)
        row.encode(into: &writer)
    }
}

/// One entry of the ledger.
public struct LedgerRow: Hashable, Sendable {
    /// Its place, counted from 1.
    public var counter: UInt64
    /// Seconds since 1970, by the machine's clock then.
    public var time: UInt64
    /// The vault that it is about, if it is about one.
    public var vault: VaultID?
    /// What happened, at most 1024 bytes.
    public var text: String

    /// A row by its fields.
    public init(counter: UInt64, time: UInt64, vault: VaultID?, text: String) {
        self.counter = counter
        self.time = time
        self.vault = vault
        self.text = text
    }

    init(from reader: inout Reader) throws(WireError) {
        counter = try reader.readUInt64()
        time = try reader.readUInt64()
        vault = try reader.readFlag() ? VaultID(from: &reader) : nil
        text = try reader.readText(limit: Limit.logText)
    }

    func encode(into writer: inout Writer) {
        writer.write(counter)
        writer.write(time)
        writer.write(vault != nil)
        vault?.encode(into: &writer)
        writer.write(text, limit: Limit.logText)
    }
}

/// A ledger that is not this machine's.
public struct ImportedLedgerRow: Hashable, Sendable {
    /// Its id.
    public var id: LedgerID
    /// How many entries it has; 0 where its head cannot be read.
    public var entries: UInt64
    /// The vaults whose entries can be read, at most 256; empty where none or all can.
    public var vaults: [VaultID]

    /// A row by its fields.
    public init(id: LedgerID, entries: UInt64, vaults: [VaultID]) {
        self.id = id
        self.entries = entries
        self.vaults = vaults
    }

    init(from reader: inout Reader) throws(WireError) {
        id = try LedgerID(from: &reader)
        entries = try reader.readUInt64()
        vaults = try reader.readList(limit: Limit.rows) { reader throws(WireError) in
            try VaultID(from: &reader)
        }
    }

    func encode(into writer: inout Writer) {
        id.encode(into: &writer)
        writer.write(entries)
        writer.write(vaults, limit: Limit.rows) { $1.encode(into: &$0) }
    }
}

/// What a restore changes, or would.
public struct RestoreRow: Hashable, Sendable {
    /// What becomes of one thing in the backup.
    public enum Effect: UInt8, CaseIterable, Hashable, Sendable {
        /// It is not here yet and comes.
        case added = 1
        /// It is here, byte for byte.
        case unchanged = 2
        /// It is here in an older form and is replaced.
        case replaced = 3
        /// It is here in a newer form, which stays.
        case kept = 4
    }

    /// What it is, at most 256 bytes.
    public var what: String
    /// What becomes of it.
    public var effect: Effect
    /// How many of them.
    public var count: UInt32

    /// A row by its fields.
    public init(what: String, effect: Effect, count: UInt32 = 1) {
        self.what = what
        self.effect = effect
        self.count = count
    }

    init(from reader: inout Reader) throws(WireError) {
        what = try reader.readText(limit: Limit.sentence)
        effect = try reader.readCase()
        count = try reader.readUInt32()
    }

    func encode(into writer: inout Writer) {
        writer.write(what, limit: Limit.sentence)
        writer.write(effect)
        writer.write(count)
    }
}

/// What became of a request that was done.
public enum VaultAnswer: Hashable, Sendable {
    /// It was done and there is nothing to say; remarks are sentences for the person.
    case done(remarks: [String])
    /// All vaults, at most 256.
    case vaults([VaultRow])
    /// The wallet's master fingerprint (8 hexadecimal digits), keys and addresses, at most 256.
    case index(fingerprint: String, [IndexRow])
    /// Where an address was found, which may be nowhere or in two wallets of the same words: how many
    /// addresses of each branch were looked at, and which wallets could not be.
    case searched([FoundAddress], depth: UInt32, remarks: [String])
    /// A vault was made, imported, opened anew or given a new kit. The index is empty for one of
    /// items.
    case made(VaultID, fingerprint: String, [IndexRow], remarks: [String])
    /// A part of the ledger, at most 256 entries, and the counter of its head.
    case ledger([LedgerRow], last: UInt64)
    /// The whole ledger holds: so many entries to its head, whose hash this is, and what the head that
    /// the network process kept says of it.
    case ledgerHolds(entries: UInt64, head: Bytes32, remarks: [String])
    /// What a restore would change, or has changed, at most 256.
    case restored(VaultID, [RestoreRow], remarks: [String])
    /// A backup was written: its bytes, their SHA-256, how many items.
    case backedUp(bytes: UInt64, digest: Bytes32, items: UInt32, remarks: [String])
    /// An item was added: its id and its size before sealing.
    case itemAdded(ItemID, bytes: UInt64)
    /// Items were listed, or one was written, on the output: how many, or how many bytes.
    case written(UInt64)
    /// A PSBT was signed.
    case signed(SigningAnswer)
    /// The ledgers that are not this machine's, at most 64.
    case importedLedgers([ImportedLedgerRow])
    /// A message was signed.
    case messageSigned(MessageSignature)
}

extension VaultAnswer {
    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .done(remarks: try reader.readSentences())
        case 2:
            self = .vaults(
                try reader.readList(limit: Limit.rows) { reader throws(WireError) in
                    try VaultRow(from: &reader)
                })
        case 3:
            self = .index(fingerprint: try reader.readText(limit: 8), try reader.readIndex())
        case 4:
            self = .made(
                try VaultID(from: &reader), fingerprint: try reader.readText(limit: 8),
                try reader.readIndex(), remarks: try reader.readSentences())
        case 5:
            let rows = try reader.readList(limit: Limit.rows) { reader throws(WireError) in
                try LedgerRow(from: &reader)
            }
            self = .ledger(rows, last: try reader.readUInt64())
        case 6:
            self = .ledgerHolds(
                entries: try reader.readUInt64(), head: try reader.readBytes32(),
                remarks: try reader.readSentences())
        case 7:
            let id = try VaultID(from: &reader)
            let rows = try reader.readList(limit: Limit.rows) { reader throws(WireError) in
                try RestoreRow(from: &reader)
            }
            self = .restored(id, rows, remarks: try reader.readSentences())
        case 8:
            self = .backedUp(
                bytes: try reader.readUInt64(), digest: try reader.readBytes32(),
                items: try reader.readUInt32(), remarks: try reader.readSentences())
        case 9: self = .itemAdded(try ItemID(from: &reader), bytes: try reader.readUInt64())
        case 10: self = .written(try reader.readUInt64())
        case 11:
            let found = try reader.readList(limit: Limit.rows) { reader throws(WireError) in
                try FoundAddress(from: &reader)
            }
            self = .searched(
                found, depth: try reader.readUInt32(), remarks: try reader.readSentences())
        case 12: self = .signed(try SigningAnswer(from: &reader))
        case 13: self = .messageSigned(try MessageSignature(from: &reader))
        case 14:
            self = .importedLedgers(
                try reader.readList(limit: Limit.ledgers) { reader throws(WireError) in
                    try ImportedLedgerRow(from: &reader)
                })
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(number)
        switch self {
        case .done(let remarks):
            writer.write(sentences: remarks)
        case .vaults(let rows):
            writer.write(rows, limit: Limit.rows) { $1.encode(into: &$0) }
        case .index(let fingerprint, let rows):
            writer.write(fingerprint, limit: 8)
            writer.write(rows, limit: Limit.rows) { $1.encode(into: &$0) }
        case .searched(let found, let depth, let remarks):
            writer.write(found, limit: Limit.rows) { $1.encode(into: &$0) }
            writer.write(depth)
            writer.write(sentences: remarks)
        case .made(let id, let fingerprint, let rows, let remarks):
            id.encode(into: &writer)
            writer.write(fingerprint, limit: 8)
            writer.write(rows, limit: Limit.rows) { $1.encode(into: &$0) }
            writer.write(sentences: remarks)
        case .ledger(let rows, let last):
            writer.write(rows, limit: Limit.rows) { $1.encode(into: &$0) }
            writer.write(last)
        case .ledgerHolds(let entries, let head, let remarks):
            writer.write(entries)
            writer.write(head)
            writer.write(sentences: remarks)
        case .restored(let id, let rows, let remarks):
            id.encode(into: &writer)
            writer.write(rows, limit: Limit.rows) { $1.encode(into: &$0) }
            writer.write(sentences: remarks)
        case .backedUp(let bytes, let digest, let items, let remarks):
            writer.write(bytes)
            writer.write(digest)
            writer.write(items)
            writer.write(sentences: remarks)
        case .itemAdded(let id, let bytes):
            id.encode(into: &writer)
            writer.write(bytes)
        case .written(let count):
            writer.write(count)
        case .signed(let answer):
            answer.encode(into: &writer)
        case .importedLedgers(let rows):
            writer.write(rows, limit: Limit.ledgers) { $1.encode(into: &$0) }
        case .messageSigned(let signature):
            signature.encode(into: &writer)
        }
    }

    private var number: UInt8 {
        switch self {
        case .done: 1
        case .vaults: 2
        case .index: 3
        case .made: 4
        case .ledger: 5
        case .ledgerHolds: 6
        case .restored: 7
        case .backedUp: 8
        case .itemAdded: 9
        case .written: 10
        case .searched: 11
        case .signed: 12
        case .messageSigned: 13
        case .importedLedgers: 14
        }
    }
}

extension Reader {
    fileprivate mutating func readIndex() throws(WireError) -> [IndexRow] {
        try readList(limit: Limit.rows) { reader throws(WireError) in
            try IndexRow(from: &reader)
        }
    }

    mutating func readSentences() throws(WireError) -> [String] {
        try readList(limit: Limit.remarks) { reader throws(WireError) in
            try reader.readText(limit: Limit.sentence)
        }
    }
}

extension Writer {
    mutating func write(sentences: [String]) {
        write(sentences, limit: Limit.remarks) { writer, sentence in
            writer.write(sentence, limit: Limit.sentence)
        }
    }
}
