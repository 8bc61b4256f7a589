public import Messages
public import StateFiles

/// What the broker gives to the workers of one operation and takes from them; everything else is kept
/// from them, whatever they ask for.
public struct OperationPlan: Hashable, Sendable {
    /// What an operation does with a key file.
    enum KeyUse: Hashable, Sendable {
        /// Nothing.
        case none
        /// Reads it if it is there and safe.
        case optional
        /// Reads it.
        case needed
        /// Reads it; makes it where nothing was kept yet.
        case first
        /// Reads it; makes it in place of one that is lost.
        case renewed
    }

    /// The vault's files without which nothing can be done.
    var required: [StateFile] = []
    /// Small files that are loaded if they are there.
    public var loaded: [StateFile] = []
    /// Large files that are fed through a pipe, in this order, if they are there.
    public var fed: [StateFile] = []
    var deviceKey = KeyUse.none
    var indexKey = KeyUse.none
    /// Whether a file may be written aside.
    public var stages = false
    /// Whether it takes as long as its data is large.
    var isLong = false
    /// Whether it turns a password into a key, which takes memory.
    public var derives = false

    private static let ledger: [StateFile] = [.ledgerKey, .ledgerHead]
}

extension OperationPlan {
    /// The plan of a request in a state.
    public init(_ request: VaultRequest, in state: StateListing) {
        self.init()
        switch request {
        case .list, .findAddress:
            loaded = state.files.filter(\.isForSearch).sorted()
            indexKey = .optional
        case .index(let id), .addresses(let id, _):
            // The worker tells a missing index from a vault that has none.
            required = [.vault(id)]
            loaded = [.vault(id), .index(id), .name(id)]
            indexKey = .needed
        case .create, .importWords, .importXprv:
            loaded = Self.ledger + state.names
            deviceKey = .first
            indexKey = .first
            derives = true
        case .approve(_, let approval, _): planSigning(approval.wallet, in: state)
        case .ledgerList, .ledgerExport, .ledgerVerify:
            planReading(in: state)
        case .importedLedgers: loaded = state.files.filter(\.isImportedPart).sorted()
        case .importedLedger(let id, _):
            isLong = true
            required = [.importedLedgerHead(id)]
            loaded = [.importedLedgerKey(id), .importedLedgerHead(id)]
            fed = [.importedLedgerEntries(id)]
            deviceKey = .needed
        case .showPhrase(let id), .changePassword(let id, _), .rename(let id, _),
            .delete(let id, _), .newKit(let id), .openWithCode(let id, _), .adopt(let id),
            .rebuildIndex(let id), .signMessage(let id, _):
            plan(request, on: id, in: state)
        case .backup(let id), .restoreCheck(let id), .restore(let id), .itemsAdd(let id),
            .itemsList(let id), .itemsGet(let id, _), .itemsRemove(let id, _):
            plan(request, withFilesOf: id, in: state)
        }
    }

    /// Requests that read the ledger. Where nothing was kept yet there is none.
    private mutating func planReading(in state: StateListing) {
        isLong = true
        guard !state.isEmpty else { return }
        required = [.ledgerHead]
        // The ledger is a witness of what the items' logs were.
        loaded = Self.ledger + state.files.filter(\.isItemsHead).sorted()
        fed = [.ledgerEntries]
        deviceKey = .needed
    }

    /// The files that tell a review what the own wallets are.
    public static func wallets(in state: StateListing) -> [StateFile] {
        state.files.filter(\.isForSearch).sorted()
    }

    /// Signing reviews the file once more, for which it needs what every wallet is.
    private mutating func planSigning(_ id: VaultID, in state: StateListing) {
        required = [.vault(id), .secretKey(id), .attempts(id), .index(id)]
        let known = Self.wallets(in: state)
        loaded = known + Self.small(id).filter { !$0.isForSearch }
        deviceKey = .needed
        indexKey = .needed
        derives = true
    }

    /// Requests about one vault that move no files of it.
    private mutating func plan(
        _ request: VaultRequest, on id: VaultID, in state: StateListing
    ) {
        required = [.vault(id), .secretKey(id)]
        if request.takesPassword { required.append(.attempts(id)) }
        loaded = Self.small(id)
        deviceKey = .needed
        indexKey = .optional
        derives = true
        switch request {
        case .rename:
            loaded += state.names.filter { $0 != .name(id) }
            indexKey = .needed
        case .signMessage: indexKey = .needed
        case .rebuildIndex: indexKey = .renewed
        case .newKit, .delete:
            // They tell of the backups that still open.
            fed = [.ledgerEntries]
            isLong = true
        case .adopt:
            required = [.vault(id)]
            deviceKey = .renewed
            derives = false
            fed = [.ledgerEntries]
            isLong = true
        default: break
        }
    }

    /// Requests that move files of a vault through pipes.
    private mutating func plan(
        _ request: VaultRequest, withFilesOf id: VaultID, in state: StateListing
    ) {
        required = [.vault(id), .secretKey(id), .attempts(id)]
        loaded = Self.small(id) + [.itemsHead(id)]
        fed = [.itemsLog(id)]
        let items = state.files.filter { if case .item(id, _) = $0 { true } else { false } }
            .sorted()
        deviceKey = .needed
        isLong = true
        derives = true
        switch request {
        case .backup:
            // Each item is checked to its end before it is taken into the backup.
            fed = [.ledgerEntries, .itemsLog(id)] + items + items
            indexKey = .needed
        case .restoreCheck, .restore:
            let isCheck = request == .restoreCheck(id)
            required = []
            // The ledger knows which items were removed here.
            fed = [.ledgerEntries, .itemsLog(id)] + items
            loaded += state.files.filter(\.isImportedPart).sorted()
            loaded += state.names.filter { $0 != .name(id) }
            deviceKey = isCheck ? .optional : .first
            indexKey = isCheck ? .optional : .first
            derives = false
            stages = !isCheck
        case .itemsAdd: stages = true
        case .itemsGet(_, let item):
            required.append(.item(id, item))
            fed.append(.item(id, item))
        case .itemsRemove(_, let item): required.append(.item(id, item))
        default: break
        }
    }

    private static func small(_ id: VaultID) -> [StateFile] {
        [.secretKey(id), .vault(id), .name(id), .attempts(id), .index(id)] + ledger
    }

    /// What entries in the ledger need that no request brought about. At a start the whole ledger
    /// is checked.
    init(recording events: [RecordedEvent], in state: StateListing) {
        self.init()
        loaded = Self.ledger
        deviceKey = .needed
        guard events.contains(where: { $0.isStart || $0.witness != nil }) else { return }
        loaded += state.files.filter(\.isItemsHead).sorted()
        fed = [.ledgerEntries]
        isLong = true
    }

    /// What the pairing files of all wallets are made from.
    init(pairing state: StateListing) {
        self.init()
        loaded = state.files.filter(\.isForSearch).sorted()
        indexKey = .optional
    }
}

extension StateListing {
    /// The names of all vaults, to which a new one is compared.
    fileprivate var names: [StateFile] {
        vaults.sorted().filter { files.contains(.vault($0)) }.map { .name($0) }
            .filter { files.contains($0) }
    }
}

extension StateFile {
    /// What needs no password of a vault to be read.
    var isForSearch: Bool {
        switch self {
        case .vault, .name, .index: true
        default: false
        }
    }

    fileprivate var isItemsHead: Bool { if case .itemsHead = self { true } else { false } }

    /// What is small of a ledger that is not this machine's.
    fileprivate var isImportedPart: Bool {
        switch self {
        case .importedLedgerKey, .importedLedgerHead: true
        default: false
        }
    }
}

extension VaultRequest {
    /// What a console may hand over besides.
    var optionalHandovers: Set<Handover> {
        if case .approve = self { [.output] } else { [] }
    }

    /// What a console must hand over before it asks for this.
    var handovers: Set<Handover> {
        switch self {
        case .list, .index, .addresses, .findAddress, .ledgerList, .ledgerVerify, .importedLedgers,
            .importedLedger(_, .list), .importedLedger(_, .verify):
            []
        case .create, .importWords, .importXprv, .newKit, .showPhrase: [.secrets, .output]
        case .changePassword, .rename, .delete, .openWithCode, .adopt, .rebuildIndex,
            .itemsRemove, .approve, .signMessage:
            [.secrets]
        case .backup, .itemsList, .itemsGet: [.secrets, .output]
        case .restoreCheck, .restore, .itemsAdd: [.secrets, .input]
        case .ledgerExport, .importedLedger(_, .export): [.output]
        }
    }
}
