public import Chain
import Database
public import NetworkCore
public import StateFiles
import Wire

/// Everything that the network process keeps, in five files of its directory: what a person said and
/// its copy (`wallets.db`, `wallets-copy.db`), what peers proved (`chain.db`), filters
/// (`filters.db`), and who the peers are (`peers.db`).
///
/// A list of changes holds as a whole or not at all. Of what peers can say again, a power cut may
/// leave an older state; of what a person said, and of a reorganisation, nothing that was acknowledged
/// is lost. A damaged file of the second kind is begun anew, one of the first is made anew from its
/// copy, and `notices` says so.
public final class NetworkStore {
    /// What was found and mended, a sentence each, since they were last asked for.
    public internal(set) var notices: [String] = []

    private let system: DiskFileSystem
    private let parameters: ChainParameters
    private let chainName: String
    var person: PersonFiles?
    /// Where the walk is that takes away labels which do not count.
    var tidying = LabelTidying()
    private var chain: ChainTables?
    var filters: FilterTables?
    /// Why filters were not kept or read when they were last used; nil where nothing was wrong.
    var filterTrouble: String?
    private var peers: PeerTables?
    /// Why peers could not be read at the start.
    private var peerTrouble: DatabaseError?

    private static let chainConsequence =
        "the chain is fetched again, and wallets are searched from their birthdays on"
    static let filterConsequence = "filters are fetched again"
    private static let peerConsequence =
        "peers are found again; add those again that were added by hand"

    /// Opens the files of a chain, or makes them. Nobody else may have them open.
    public init(_ disk: any Disk, _ parameters: ChainParameters) throws(StoreRefusal) {
        system = DiskFileSystem(disk)
        self.parameters = parameters
        chainName = parameters.storeName
        try open()
    }

    /// What the libraries below open once in a process; called before it is confined.
    public static func warmUp() { LibraryWarmUp.run() }

    // MARK: Opening

    private func open() throws(StoreRefusal) {
        (tidying, filterTrouble, peerTrouble) = (LabelTidying(), nil, nil)
        person = try PersonFiles(on: system, chain: chainName)
        notices += person?.notices ?? []
        chain = ChainTables(
            database: try openPublic(ChainTables.schema, NetworkStore.chainConsequence))
        try openFilters()
        peers = PeerTables(
            database: try openPublic(PeerTables.schema, NetworkStore.peerConsequence))
    }

    /// Opens a file that can be done without, anew if it is damaged.
    func openPublic(
        _ schema: Schema, _ consequence: String
    ) throws(StoreRefusal) -> Database {
        for _ in 0..<2 {
            do throws(Schema.Fault) {
                return try schema.open(on: system, chain: chainName)
            } catch .database(let error) where error.isDamage {
                try discard(schema, "\(error)", consequence)
            } catch {
                throw StoreRefusal(error, schema.file, chainName)
            }
        }
        throw .unusable("\(schema.file) is damaged again right after it was made")
    }

    func discard(
        _ schema: Schema, _ reason: String, _ consequence: String
    ) throws(StoreRefusal) {
        do throws(DiskFailure) {
            try system.remove(schema.file)
        } catch {
            throw .unusable("\(error)")
        }
        notices.append("\(reason); \(schema.file) is made anew: \(consequence)")
    }

    /// Closes everything, and opens it again with what the disk has.
    public func reopen() throws(StoreRefusal) {
        (person, chain, filters, peers) = (nil, nil, nil, nil)
        try open()
    }

    /// Gives the notices away.
    public func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    // MARK: Loading

    /// What is there. What does not pass its rules is cut off or made anew, and a notice says so.
    public func load() throws(StoreRefusal) -> StoredState {
        let wallets = try reading { () throws(DatabaseError) in
            try person?.tables?.wallets() ?? []
        }
        let given = try reading { () throws(DatabaseError) in try person?.tables?.given() ?? [:] }
        let lastNumber = try reading { () throws(DatabaseError) in
            try person?.tables?.lastNumber() ?? 0
        }
        for _ in 0..<2 {
            do throws(DatabaseError) {
                var state = try load(wallets)
                state.given = given
                state.lastNumber = lastNumber
                return state
            } catch  where error.isDamage {
                chain = nil
                try discard(ChainTables.schema, "\(error)", NetworkStore.chainConsequence)
                chain = ChainTables(database: try openPublic(ChainTables.schema, ""))
            } catch {
                throw .unusable("\(error)")
            }
        }
        throw .unusable("chain.db is damaged again right after it was made")
    }

    private func load(_ wallets: [StoredWallet]) throws(DatabaseError) -> StoredState {
        var state = StoredState(parameters)
        guard let chain else { return state }
        if person?.isNew == true { try noticeLostWallets(chain) }
        try chain.forgetOthers(than: Set(wallets.map(\.id)))
        if let height = try chain.read(into: &state.headers) {
            notices.append("headers from height \(height) on are wrong and are fetched again")
        }
        try chain.read(into: &state.filterHeaders, through: state.headers.height)
        for wallet in wallets {
            var wallet = wallet
            wallet.progress = try chain.progress(of: wallet.id)
            wallet.transactions = try chain.transactions(of: wallet.id)
            state.wallets.append(wallet)
        }
        state.keptFilters = readKept(through: state.filterHeaders.height)
        state.peers = readPeers()
        do throws(DatabaseError) {
            state.broadcasts = try person?.tables?.broadcasts() ?? []
        } catch {
            state.broadcastDamage = "\(error)"
        }
        return state
    }

    private func readPeers() -> KeptPeers {
        guard let peers else { return KeptPeers() }
        do throws(DatabaseError) {
            return try peers.read(defaultPort: parameters.defaultPort)
        } catch {
            peerTrouble = error
            self.peers = renewPeers(error)
            return KeptPeers()
        }
    }

    /// Both files of the wallets are gone, and others remember that there were some.
    private func noticeLostWallets(_ chain: ChainTables) throws(DatabaseError) {
        let known = try chain.knownWallets().map { String($0.number) }.sorted()
        guard !known.isEmpty else { return }
        notices.append(
            "wallets.db and wallets-copy.db are missing; the chain's tables know of wallets that were "
                + "watched (\(known.joined(separator: ", "))): import them again, or put the files back"
        )
    }

    /// Makes a damaged file anew; nil leaves one alone that the disk does not read now.
    private func renewPeers(_ error: DatabaseError) -> PeerTables? {
        let schema = PeerTables.schema
        guard error.isDamage else {
            notices.append("\(schema.file) cannot be read: \(error)")
            return nil
        }
        do throws(StoreRefusal) {
            try discard(schema, "\(error)", NetworkStore.peerConsequence)
            return PeerTables(database: try openPublic(schema, NetworkStore.peerConsequence))
        } catch {
            notices.append("\(error)")
            return nil
        }
    }

    private func reading<Value>(
        _ body: () throws(DatabaseError) -> Value
    ) throws(StoreRefusal) -> Value {
        do throws(DatabaseError) { return try body() } catch { throw .unusable("\(error)") }
    }

    // MARK: Changes

    /// Writes all of the changes or, on an error, none.
    ///
    /// Filters come first: one too many is harmless. What a person said comes last and decides, since
    /// what the other files have of an unknown wallet is thrown away at the next start.
    public func commit(_ changes: [StoreChange]) throws(StoreFault) {
        let isTurn = changes.contains { change in
            switch change {
            case .rollBack, .rewindFilters: true
            default: false
            }
        }
        do throws(DatabaseError) {
            guard let chain else {
                throw .refused(file: ChainTables.schema.file, code: 0, "it is not open")
            }
            if FilterTables.concern(changes) { try keep(changes, isTurn: isTurn) }
            if changes.contains(where: ChainTables.concerns) {
                try chain.database.transaction(isLasting: isTurn) { () throws(DatabaseError) in
                    for change in changes { try chain.apply(change) }
                }
            }
            let known = changes.compactMap(PeerTables.change)
            if !known.isEmpty {
                guard let peers else {
                    throw peerTrouble
                        ?? .refused(file: PeerTables.schema.file, code: 0, "it is not open")
                }
                try peers.database.transaction(isLasting: false) { () throws(DatabaseError) in
                    for change in known { try peers.apply(change) }
                }
            }
            let said = changes.filter(PersonTables.concerns)
            if !said.isEmpty { try apply(said.map { .store($0) }) }
        } catch {
            throw StoreFault(error)
        }
    }

    func apply(_ changes: [PersonTables.Change]) throws(DatabaseError) {
        notices += try person?.apply(changes) ?? []
    }
}

extension ChainParameters {
    /// Names the chain in a file: two signets differ by where their messages start.
    fileprivate var storeName: String {
        signetChallenge == nil ? "\(network)" : "\(network) \(Hex.encode(messageStart))"
    }
}
