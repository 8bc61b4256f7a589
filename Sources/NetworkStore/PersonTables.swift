import Bitcoin
import Database
import Descriptors
import Labels
import NetworkCore
import PeerMessages

/// What only a person has: which wallets are watched, which addresses were given out, labels. No peer
/// can say it again, so it lies in two files.
struct PersonTables {
    let database: Database

    var labels: LabelTable { LabelTable(database: database) }

    /// The file and its copy.
    static let files = ["wallets.db", "wallets-copy.db"]

    static func schema(of file: String) -> Schema {
        Schema(
            file: file,
            steps: [
                [
                    "INSERT INTO meta VALUES ('commits', '0')",
                    """
                    CREATE TABLE wallets (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL, descriptors TEXT NOT NULL,
                        gap_limit INTEGER NOT NULL, birthday TEXT NOT NULL) STRICT
                    """,
                    """
                    CREATE TABLE issued (
                        wallet INTEGER NOT NULL, branch INTEGER NOT NULL, last INTEGER NOT NULL,
                        PRIMARY KEY (wallet, branch)) STRICT
                    """,
                    """
                    CREATE TABLE broadcasts (
                        txid BLOB NOT NULL PRIMARY KEY, bytes BLOB NOT NULL, fee_rate INTEGER,
                        since INTEGER NOT NULL, echoed INTEGER, confirmed INTEGER) STRICT
                    """,
                    """
                    CREATE TABLE labels (
                        type TEXT NOT NULL, ref TEXT NOT NULL, line TEXT NOT NULL,
                        PRIMARY KEY (type, ref)) STRICT
                    """,
                ],
                // What wallets gave out that are watched no more, by the last script of the branch.
                [
                    "CREATE TABLE given (script BLOB NOT NULL PRIMARY KEY, last INTEGER NOT NULL) STRICT"
                ],
                // Which peers got a transaction that is sent.
                [
                    """
                    CREATE TABLE takers (
                        txid BLOB NOT NULL, endpoint TEXT NOT NULL,
                        PRIMARY KEY (txid, endpoint)) STRICT
                    """
                ],
                LabelTable.step,
                // The highest number that a wallet ever had, so that none is used again.
                [
                    "CREATE TABLE numbers (last INTEGER NOT NULL) STRICT",
                    "INSERT INTO numbers SELECT coalesce(max(id), 0) FROM wallets",
                ],
            ],
            // What was removed is to be gone: it says what somebody owns.
            limits: Database.Limits(
                fileSize: 512 << 20, valueSize: 5 << 20, cacheSize: 1 << 20,
                overwritesDeleted: true))
    }

    /// Its tables and their columns.
    static let tables = [
        ("wallets", 5), ("issued", 3), ("broadcasts", 6), ("labels", 4), ("given", 2),
        ("takers", 2), ("label_imports", 2), ("numbers", 1),
    ]

    /// Something that a person said.
    enum Change {
        case store(StoreChange)
        case label(Label)
        case unlabel(Label.Subject)
        /// The labels that were written as the next import count from now on.
        case keepImport
    }

    /// Whether a change has something to do here.
    static func concerns(_ change: StoreChange) -> Bool {
        switch change {
        case .putWallet, .removeWallet, .setName, .setIssued, .setGiven, .broadcast: true
        default: false
        }
    }

    // MARK: Writing

    /// - Returns: why what was written, and holds, is still in the log beside the file.
    func apply(_ changes: [Change]) throws(DatabaseError) -> DatabaseError? {
        try database.transaction { () throws(DatabaseError) in
            for change in changes {
                switch change {
                case .store(let change): try apply(change)
                case .label(let label): try labels.put(LabelRow(label))
                case .unlabel(let subject):
                    try labels.remove(type: subject.type, ref: subject.ref)
                case .keepImport: try labels.keep()
                }
            }
            try database.run(
                "UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'commits'")
        }
        // From the log into pages, whose checksums tell a damaged one from an old one.
        do throws(DatabaseError) { try database.checkpoint() } catch { return error }
        return nil
    }

    private func apply(_ change: StoreChange) throws(DatabaseError) {
        switch change {
        case .putWallet(let wallet):
            try remove(wallet.id)
            try database.run(
                "INSERT INTO wallets VALUES (?, ?, ?, ?, ?)", .integer(Int64(wallet.id.number)),
                .text(wallet.name),
                .text(wallet.descriptors.map { "\($0)" }.joined(separator: "\n")),
                .integer(Int64(wallet.gapLimit)), .text(wallet.birthday.text))
            try database.run(
                "UPDATE numbers SET last = max(last, ?)", .integer(Int64(wallet.id.number)))
            for (branch, index) in wallet.issued {
                try apply(.setIssued(wallet.id, branch: branch, index: index))
            }
        case .removeWallet(let id): try remove(id)
        case .setName(let id, let name):
            try database.run(
                "UPDATE wallets SET name = ? WHERE id = ?", .text(name), .integer(Int64(id.number)))
        case .setIssued(let id, let branch, let index):
            // Never a lower one: an address that was given out stays given out.
            try database.run(
                """
                INSERT INTO issued VALUES (?, ?, ?)
                ON CONFLICT (wallet, branch) DO UPDATE SET last = max(last, excluded.last)
                """,
                .integer(Int64(id.number)), .integer(Int64(branch)), .integer(Int64(index)))
        case .setGiven(let script, let index):
            try database.run(
                """
                INSERT INTO given VALUES (?, ?)
                ON CONFLICT (script) DO UPDATE SET last = max(last, excluded.last)
                """,
                .blob(script.bytes), .integer(Int64(index)))
        case .broadcast(.kept(let record)): try keep(record)
        case .broadcast(.taken(let txid, let endpoint)):
            try database.run(
                "INSERT OR IGNORE INTO takers VALUES (?, ?)", .blob(txid.bytes.array),
                .text("\(endpoint)"))
        case .broadcast(.removed(let txid)):
            for table in ["broadcasts", "takers"] {
                try database.run("DELETE FROM \(table) WHERE txid = ?", .blob(txid.bytes.array))
            }
        default: break
        }
    }

    private func keep(_ record: BroadcastRecord) throws(DatabaseError) {
        func value(_ number: Int64?) -> DatabaseValue { number.map { .integer($0) } ?? .null }
        try database.run(
            "INSERT OR REPLACE INTO broadcasts VALUES (?, ?, ?, ?, ?, ?)",
            .blob(record.transaction.txid.bytes.array), .blob(record.transaction.serialized()),
            value(record.feeRate), .integer(record.since), value(record.echoed),
            value(record.confirmed.map { Int64($0) }))
    }

    private func remove(_ id: WalletID) throws(DatabaseError) {
        let number = DatabaseValue.integer(Int64(id.number))
        try database.run("DELETE FROM wallets WHERE id = ?", number)
        try database.run("DELETE FROM issued WHERE wallet = ?", number)
    }

    /// Takes over everything that another file has.
    func copy(from other: PersonTables) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for (table, columns) in PersonTables.tables {
                try database.run("DELETE FROM \(table)")
                let places = repeatElement("?", count: columns).joined(separator: ", ")
                try other.database.query("SELECT * FROM \(table)") { row throws(DatabaseError) in
                    let values = (0..<Int32(columns)).map { row.value($0) }
                    try database.query(
                        "INSERT INTO \(table) VALUES (\(places))", values
                    ) { _ throws(DatabaseError) in }
                }
            }
            try database.run(
                "UPDATE meta SET value = ? WHERE key = 'commits'",
                .text(String(try other.commits())))
        }
        try database.checkpoint()
    }

    // MARK: Reading

    /// How many times something was written; the file that says more is the newer one.
    func commits() throws(DatabaseError) -> Int64 {
        guard let text = try Schema.value("commits", in: database), let number = Int64(text) else {
            throw .damaged(file: database.file, "it does not say how often it was written")
        }
        return number
    }

    /// The wallets, without what was found for them.
    func wallets() throws(DatabaseError) -> [StoredWallet] {
        var wallets: [StoredWallet] = []
        try database.query(
            "SELECT id, name, descriptors, gap_limit, birthday FROM wallets ORDER BY id"
        ) { row throws(DatabaseError) in
            guard let id = UInt32(exactly: row.integer(0)),
                let gapLimit = UInt32(exactly: row.integer(3)), gapLimit > 0,
                let birthday = WalletBirthday(text: row.text(4))
            else { throw .damaged(file: database.file, "wallet \(row.integer(0))") }
            var descriptors: [Descriptor] = []
            for line in row.text(2).split(separator: "\n") {
                guard let descriptor = try? Descriptor(String(line)) else {
                    throw .damaged(file: database.file, "a descriptor of wallet \(id)")
                }
                descriptors.append(descriptor)
            }
            wallets.append(
                StoredWallet(
                    id: WalletID(id), name: row.text(1), descriptors: descriptors,
                    gapLimit: gapLimit, birthday: birthday, issued: try issued(of: id)))
        }
        return wallets
    }

    /// The highest number that a wallet ever had.
    func lastNumber() throws(DatabaseError) -> UInt32 {
        UInt32(clamping: try database.number("SELECT max(last) FROM numbers") ?? 0)
    }

    private func issued(of wallet: UInt32) throws(DatabaseError) -> [Int: UInt32] {
        var issued: [Int: UInt32] = [:]
        try database.query(
            "SELECT branch, last FROM issued WHERE wallet = ?", [.integer(Int64(wallet))]
        ) { row throws(DatabaseError) in
            issued[Int(row.integer(0))] = UInt32(clamping: row.integer(1))
        }
        return issued
    }

    /// What wallets gave out that are watched no more.
    func given() throws(DatabaseError) -> [Script: UInt32] {
        var given: [Script: UInt32] = [:]
        try database.query("SELECT script, last FROM given") { row throws(DatabaseError) in
            given[Script(row.blob(0))] = UInt32(clamping: row.integer(1))
        }
        return given
    }

    /// The transactions that are sent.
    func broadcasts() throws(DatabaseError) -> [BroadcastRecord] {
        var records: [BroadcastRecord] = []
        try database.query(
            "SELECT bytes, fee_rate, since, echoed, confirmed FROM broadcasts ORDER BY since"
        ) { row throws(DatabaseError) in
            func number(_ column: Int32) -> Int64? {
                row.isNull(column) ? nil : row.integer(column)
            }
            guard let transaction = try? Transaction(row.blob(0)) else {
                throw .damaged(file: database.file, "a transaction that is sent")
            }
            records.append(
                BroadcastRecord(
                    transaction, feeRate: number(1), since: row.integer(2), echoed: number(3),
                    confirmed: number(4).map { Int($0) },
                    takers: try takers(of: transaction.txid)))
        }
        return records
    }

    private func takers(of txid: Txid) throws(DatabaseError) -> Set<PeerEndpoint> {
        var takers: Set<PeerEndpoint> = []
        try database.query(
            "SELECT endpoint FROM takers WHERE txid = ?", [.blob(txid.bytes.array)]
        ) { row throws(DatabaseError) in
            // As it was written, with its port.
            guard let endpoint = try? PeerEndpoint(row.text(0), defaultPort: 0) else {
                throw .damaged(file: database.file, "a peer that took a transaction")
            }
            takers.insert(endpoint)
        }
        return takers
    }
}

extension WalletBirthday {
    /// As it is kept: `unknown`, `height 123` or `time 1700000000`.
    fileprivate var text: String {
        switch self {
        case .unknown: "unknown"
        case .height(let height): "height \(height)"
        case .time(let time): "time \(time)"
        }
    }

    fileprivate init?(text: String) {
        let words = text.split(separator: " ").map { String($0) }
        switch (words.first, words.last) {
        case ("unknown", _): self = .unknown
        case ("height", let number?):
            guard let height = Int(number) else { return nil }
            self = .height(height)
        case ("time", let number?):
            guard let time = UInt64(number) else { return nil }
            self = .time(time)
        default: return nil
        }
    }
}
