import Bitcoin
import Chain
import Database
import NetworkCore
import Watch
import Wire

/// What the peers said and was proven, and what was found in it: everything here can be had again.
struct ChainTables {
    let database: Database

    /// Headers without the hash of the one before: version 4, merkle root 32, time 4, bits 4, nonce 4.
    /// The first is that of block 1. Reading them checks every rule again, so a hash that is left out
    /// is no hash that is trusted.
    static let headers = RecordTable(name: "headers", size: 48)
    /// From the genesis block's on.
    static let filterHeaders = RecordTable(name: "filter_headers", size: 32)

    static let schema = Schema(
        file: "chain.db",
        steps: [
            [
                headers.definition, filterHeaders.definition,
                """
                CREATE TABLE progress (wallet INTEGER PRIMARY KEY, progress BLOB NOT NULL) STRICT
                """,
                """
                CREATE TABLE transactions (
                    id INTEGER PRIMARY KEY, wallet INTEGER NOT NULL, height INTEGER NOT NULL,
                    position INTEGER NOT NULL, block BLOB NOT NULL, time INTEGER NOT NULL,
                    bytes BLOB NOT NULL, UNIQUE (wallet, height, position)) STRICT
                """,
            ]
        ],
        limits: Database.Limits(fileSize: 8 << 30, valueSize: 5 << 20, cacheSize: 4 << 20))

    // MARK: Writing

    /// Whether a change has something to do here.
    static func concerns(_ change: StoreChange) -> Bool {
        switch change {
        case .keepFilters, .dropFilters, .setName, .setIssued, .setGiven, .peers, .broadcast: false
        default: true
        }
    }

    func apply(_ change: StoreChange) throws(DatabaseError) {
        switch change {
        case .appendHeaders(let from, let headers):
            guard from > 0 else { return }
            try ChainTables.headers.replace(
                from: from - 1, with: headers.flatMap(\.withoutPrevious), in: database)
        case .rollBack(let height):
            try ChainTables.headers.cut(to: max(0, height), in: database)
            try ChainTables.filterHeaders.cut(to: max(0, height + 1), in: database)
            try database.run(
                "DELETE FROM transactions WHERE height > ?", .integer(Int64(height)))
        case .appendFilterHeaders(let from, let headers):
            try ChainTables.filterHeaders.replace(
                from: max(0, from), with: headers.flatMap(\.bytes.array), in: database)
        case .rewindFilters(let height):
            try ChainTables.filterHeaders.cut(to: max(0, height + 1), in: database)
        case .putWallet(let wallet): try put(wallet)
        case .removeWallet(let id): try remove(id)
        case .setProgress(let id, let progress):
            try database.run(
                "INSERT OR REPLACE INTO progress VALUES (?, ?)", .integer(Int64(id.number)),
                .blob(progress.encoded))
        case .addTransaction(let id, let transaction): try add(transaction, of: id)
        case .keepFilters, .dropFilters, .setName, .setIssued, .setGiven, .peers, .broadcast: break
        }
    }

    private func put(_ wallet: StoredWallet) throws(DatabaseError) {
        try remove(wallet.id)
        if let progress = wallet.progress { try apply(.setProgress(wallet.id, progress)) }
        for transaction in wallet.transactions { try add(transaction, of: wallet.id) }
    }

    private func remove(_ id: WalletID) throws(DatabaseError) {
        let number = DatabaseValue.integer(Int64(id.number))
        try database.run("DELETE FROM progress WHERE wallet = ?", number)
        try database.run("DELETE FROM transactions WHERE wallet = ?", number)
    }

    private func add(
        _ transaction: WatchedTransaction, of id: WalletID
    ) throws(DatabaseError) {
        try database.run(
            """
            INSERT OR REPLACE INTO transactions (wallet, height, position, block, time, bytes)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            .integer(Int64(id.number)), .integer(Int64(transaction.height)),
            .integer(Int64(transaction.position)), .blob(transaction.block.bytes.array),
            .integer(Int64(transaction.time)), .blob(transaction.transaction.serialized()))
    }

    /// Takes away what belongs to wallets that are not there.
    func forgetOthers(than wallets: Set<WalletID>) throws(DatabaseError) {
        for id in try knownWallets().subtracting(wallets) { try remove(id) }
    }

    // MARK: Reading

    /// The wallets that something is known of.
    func knownWallets() throws(DatabaseError) -> Set<WalletID> {
        var known: Set<WalletID> = []
        try database.query("SELECT wallet FROM progress UNION SELECT wallet FROM transactions") {
            row throws(DatabaseError) in
            known.insert(WalletID(UInt32(truncatingIfNeeded: row.integer(0))))
        }
        return known
    }

    /// Reads the headers as far as they follow each other and the rules; the others are cut off.
    ///
    /// - Returns: the height from which on they were cut off; nil if all were good.
    func read(into chain: inout HeaderChain) throws(DatabaseError) -> Int? {
        var height = chain.height
        try ChainTables.headers.read(from: database) { bytes throws(DatabaseError) in
            var reader = Reader(bytes)
            while !reader.isAtEnd {
                guard let header = try? BlockHeader(&reader, after: chain.tip.hash),
                    (try? chain.append(header, clock: .max)) != nil
                else { return false }
                height += 1
            }
            return true
        }
        guard try ChainTables.headers.count(in: database) > height else { return nil }
        let good = height
        try database.transaction { () throws(DatabaseError) in
            try apply(.rollBack(above: good))
        }
        return good + 1
    }

    /// Reads the filter headers up to a height; those above are cut off.
    func read(
        into chain: inout FilterHeaderChain, through last: Int
    ) throws(DatabaseError) {
        try ChainTables.filterHeaders.read(from: database) { bytes throws(DatabaseError) in
            var reader = Reader(bytes)
            while !reader.isAtEnd, chain.height < last, let next = try? reader.readBytes32() {
                chain.append(FilterHeader(next))
            }
            return chain.height < last
        }
        let height = chain.height
        guard try ChainTables.filterHeaders.count(in: database) > height + 1 else { return }
        try database.transaction { () throws(DatabaseError) in
            try ChainTables.filterHeaders.cut(to: height + 1, in: database)
        }
    }

    /// How far a wallet is searched for; nil where that is not known.
    func progress(of id: WalletID) throws(DatabaseError) -> ScanProgress? {
        var found: ScanProgress?
        try database.query(
            "SELECT progress FROM progress WHERE wallet = ?", [.integer(Int64(id.number))]
        ) { row throws(DatabaseError) in
            guard let progress = ScanProgress(encoded: row.blob(0)) else {
                throw .damaged(file: database.file, "how far wallet \(id.number) is searched for")
            }
            found = progress
        }
        return found
    }

    /// The transactions of a wallet in the order of the chain.
    func transactions(of id: WalletID) throws(DatabaseError) -> [WatchedTransaction] {
        var found: [WatchedTransaction] = []
        try database.query(
            """
            SELECT height, position, block, time, bytes FROM transactions WHERE wallet = ?
            ORDER BY height, position
            """, [.integer(Int64(id.number))]
        ) { row throws(DatabaseError) in
            guard let height = UInt32(exactly: row.integer(0)),
                let position = Int(exactly: row.integer(1)), position >= 0,
                let block = Bytes32(row.blob(2)), let time = UInt32(exactly: row.integer(3)),
                let transaction = try? Transaction(row.blob(4))
            else {
                throw .damaged(
                    file: database.file, "a transaction of wallet \(id.number)")
            }
            found.append(
                WatchedTransaction(
                    transaction: transaction, txid: transaction.txid, height: height,
                    position: position, block: BlockHash(block), time: time))
        }
        return found
    }
}

extension BlockHeader {
    /// The 48 bytes that are kept.
    fileprivate var withoutPrevious: [UInt8] {
        var writer = Writer(capacity: 48)
        writer.write(version)
        writer.write(merkleRoot)
        writer.write(time)
        writer.write(bits.rawValue)
        writer.write(nonce)
        return writer.bytes
    }

    fileprivate init(_ reader: inout Reader, after previous: BlockHash) throws(WireError) {
        self.init(
            version: try reader.readInt32(), previous: previous,
            merkleRoot: try reader.readBytes32(), time: try reader.readUInt32(),
            bits: CompactTarget(rawValue: try reader.readUInt32()), nonce: try reader.readUInt32())
    }
}
