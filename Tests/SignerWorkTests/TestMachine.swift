import Messages
import SecretMemory
import SignerWork
import StateFiles
import Testing
import Vault

@testable import SignerCore

/// A machine without processes: the files of a signer, and operations done to them as the broker has
/// them done.
struct TestMachine: Sendable {
    var state: [StateFile: [UInt8]] = [:]
    /// Files of the state that cannot be read; why.
    var unreadable: [StateFile: String] = [:]
    /// So many bytes of output are taken, and then its reader is gone.
    var outputLimit = Int.max
    var chain = ChainName.mainnet
    var schedule = AttemptSchedule.standard
    var time: UInt64 = 1_800_000_000
    var freeMemory: UInt64?
    /// What came through the pipe to the person last.
    private(set) var written: [UInt8] = []
    /// The changes of the last operation; the count of the attempt is not among them.
    private(set) var changes: [StateChange] = []

    static let password = "Correct horse 1"
    typealias Fields = [SecretFields.Tag: String]

    /// Counts the attempt if it is one, carries the request out and keeps the changes.
    @discardableResult
    mutating func ask(
        _ request: VaultRequest, _ fields: Fields = [:], input: [UInt8]? = nil
    ) throws -> VaultAnswer {
        if request.takesPassword, let id = request.vault {
            state[.attempts(id)] = try count(request).next
        }
        let plan = OperationPlan(request, in: listing)
        let ports = TestPorts(state, feeding: plan.fed, fields, input)
        ports.outputLimit = outputLimit
        let result = SignerWork.perform(order(.carryOut, request), through: ports)
        written = ports.written
        switch result {
        case .done(let answer, let changes):
            apply(changes, of: request, ports.staged)
            return answer
        case .refused(let refusal, let changes):
            apply(changes, of: request, ports.staged)
            throw refusal
        case .counted, .signed, .paired: throw VaultRefusal.workerFailed("counted")
        }
    }

    /// What the signer does when it starts: the start is entered; what the check of the ledger found.
    mutating func start() throws -> [String] {
        let events = [RecordedEvent.started(version: "1")]
        let plan = OperationPlan(recording: events, in: listing)
        let ports = TestPorts(state, feeding: plan.fed, nil, nil)
        switch SignerWork.perform(order(.record(events), .ledgerVerify), through: ports) {
        case .done(.done(let remarks), let changes):
            apply(changes, of: .ledgerVerify, [:])
            return remarks
        case .refused(let refusal, _): throw refusal
        case .done, .counted, .signed, .paired: throw VaultRefusal.workerFailed("no entry")
        }
    }

    /// The first stage alone: nothing is kept.
    func count(_ request: VaultRequest) throws -> AttemptCount {
        let ports = TestPorts(state, feeding: [], nil, nil)
        switch SignerWork.perform(order(.count, request), through: ports) {
        case .counted(let count): return count
        case .refused(let refusal, let changes):
            #expect(changes.isEmpty)
            throw refusal
        case .done, .signed, .paired: throw VaultRefusal.workerFailed("done")
        }
    }

    /// One stage of an approval; nothing is kept.
    func approve(
        _ stage: WorkOrder.Stage, _ request: VaultRequest, psbt: [UInt8], _ ports: TestPorts,
        isForLink: Bool = false
    ) -> VaultResult {
        var order = order(stage, request)
        order.psbt = psbt
        order.isForLink = isForLink
        return SignerWork.perform(order, through: ports)
    }

    /// Reviews a PSBT as the broker has it done.
    func review(
        _ psbt: [UInt8], _ form: ReviewForm? = nil, _ ports: TestPorts? = nil
    ) -> Result<ReviewSummary, EntryRefusal> {
        let files = Set(OperationPlan.wallets(in: listing))
        let order = ReviewOrder(
            psbt: psbt, chain: chain, files: state.filter { files.contains($0.key) },
            hasIndexKey: state[.indexKey] != nil, form: form)
        return ReviewWork.perform(order, through: ports ?? TestPorts(state, feeding: [], nil, nil))
    }

    private var listing: StateListing {
        StateListing(
            files: Set(state.keys), deviceKey: state[.deviceKey] == nil ? .missing : .safe,
            indexKey: state[.indexKey] == nil ? .missing : .safe)
    }

    /// What the broker gives to a worker, by its own plan.
    private func order(_ stage: WorkOrder.Stage, _ request: VaultRequest) -> WorkOrder {
        let plan = OperationPlan(request, in: listing)
        let loaded = Set(plan.loaded)
        let readable = loaded.subtracting(unreadable.keys)
        let vault = request.vault
        return WorkOrder(
            stage: stage, request: request, chain: chain, schedule: schedule, time: time, uid: 1000,
            freeMemory: freeMemory,
            files: state.filter { readable.contains($0.key) },
            unreadable: unreadable.filter { loaded.contains($0.key) },
            present: listing.files.filter { $0.vault == nil || vault == nil || $0.vault == vault },
            deviceKey: key(.deviceKey, plan.deviceKey), indexKey: key(.indexKey, plan.indexKey))
    }

    private func key(_ file: StateFile, _ use: OperationPlan.KeyUse) -> WorkOrder.Key {
        switch use {
        case .none: .absent
        case .optional, .needed: state[file] == nil ? .absent : .present
        case .first: state[file] == nil ? (listing.isEmpty ? .new : .absent) : .present
        case .renewed: state[file] == nil ? .new : .present
        }
    }

    private mutating func apply(
        _ changes: [StateChange], of request: VaultRequest, _ staged: [StateFile: [UInt8]]
    ) {
        self.changes = changes
        for change in changes {
            #expect(request.allows(change, in: listing), "\(change.file)")
        }
        for change in changes {
            switch change {
            case .put(let file, let bytes): state[file] = bytes
            case .remove(let file): state[file] = nil
            case .append(let file, let offset, let bytes):
                let old = state[file] ?? []
                #expect(old.count >= Int(offset))
                state[file] = Array(old.prefix(Int(offset))) + bytes
            case .adopt(let file):
                #expect(staged[file] != nil)
                state[file] = staged[file]
            case .copy(let file, let other): state[other] = state[file]
            }
        }
    }

    // MARK: What was written

    /// The output as fields.
    var output: Fields {
        get throws {
            let bytes = written
            let read = try SecretFields(
                SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) })
            var fields: Fields = [:]
            for tag in read.tags {
                guard let value = read.copy(tag) else { continue }
                fields[tag] = value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            return fields
        }
    }

    /// The output as text.
    var text: String { String(decoding: written, as: UTF8.self) }

    // MARK: Shortcuts

    /// Makes a wallet and returns its id.
    mutating func create(
        name: String = "Savings", words: UInt8 = 12, kdf: PasswordKDF = .argon2id
    ) throws -> VaultID {
        try ask(
            .create(
                Messages.NewVault(name: name, kdf: kdf), words: words, usesDice: false,
                hasPassphrase: false), [.newPassword: TestMachine.password]
        ).made
    }

    /// Makes a vault for items and returns its id.
    mutating func createItems() throws -> VaultID {
        try ask(
            .create(
                Messages.NewVault(kind: .items, name: "Papers"), words: 0, usesDice: false,
                hasPassphrase: false), [.newPassword: TestMachine.password]
        ).made
    }

    /// The words of a wallet, shown with the password.
    mutating func words(
        _ id: VaultID, password: String = TestMachine.password
    ) throws -> String {
        try ask(.showPhrase(id), [.password: password])
        return try output[.words] ?? ""
    }

    /// The texts of the ledger.
    mutating func ledger() throws -> [String] {
        guard case .ledger(let rows, _) = try ask(.ledgerList(from: 1, count: 256)) else {
            return []
        }
        return rows.map(\.text)
    }
}

/// A machine with one wallet, made once: what its person holds, and its files.
struct MadeWallet: Sendable {
    var machine = TestMachine()
    let id: VaultID
    let words: String
    let kit: TestMachine.Fields

    private init() throws {
        id = try machine.create()
        kit = try machine.output
        words = kit[.words] ?? ""
    }

    private static let made = Result { try MadeWallet() }

    /// A fresh copy.
    static func copy() throws -> MadeWallet { try made.get() }

    /// The code of the kit.
    var code: String { kit[.recoveryCode] ?? "" }
    /// The secret key of the kit.
    var secretKey: String { kit[.secretKey] ?? "" }
}

extension VaultAnswer {
    /// The id of a vault that was made.
    var made: VaultID {
        get throws {
            guard case .made(let id, _, _, _) = self else {
                throw VaultRefusal.workerFailed("\(self)")
            }
            return id
        }
    }

    /// The remarks beside an answer.
    var remarks: [String] {
        switch self {
        case .done(let remarks), .made(_, _, _, let remarks), .restored(_, _, let remarks),
            .backedUp(_, _, _, let remarks):
            remarks
        default: []
        }
    }

    /// The rows of an index.
    var index: [IndexRow] {
        switch self {
        case .index(_, let rows), .made(_, _, let rows, _): rows
        default: []
        }
    }
}

/// What `body` is refused with; an issue where it is not refused.
func refusalOf(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> VaultRefusal? {
    do {
        try body()
        Issue.record("it was not refused", sourceLocation: sourceLocation)
    } catch let refusal as VaultRefusal {
        return refusal
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
