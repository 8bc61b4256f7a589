import Messages
import StateFiles
import Testing
import Wire

@testable import SignerCore

/// One signer with a console and a link, and the answers of disk and workers up to any step of an
/// approval.
struct ApprovalScene {
    /// Where the PSBT comes from.
    enum Origin: CaseIterable { case link, console }

    /// The parts of an approval, in their order; each ends with an event that comes from outside.
    enum Step: Int, CaseIterable {
        case listing, loading, checking, counting, committingCount, working, committing, merging
    }

    static let file: [UInt8] = [5, 6, 7]
    static let signed: [UInt8] = [5, 6, 7, 8]
    static let request = RequestID(high: 1, low: 7)
    static let console = ConsoleID(1)
    static let vault: VaultID = {
        var reader = Reader(Array(1...16))
        guard let id = try? VaultID(from: &reader) else { preconditionFailure("16 bytes") }
        return id
    }()

    let origin: Origin
    var signer: Signer
    private(set) var entry = EntryID(0)
    /// All that the signer did.
    private(set) var actions: [SignerAction] = []
    private(set) var worker: WorkerID?
    private(set) var job: OperationJob?
    private var pipes: UInt64 = 10

    /// A signer with one reviewed entry, whose wallets have changed since the review unless they are
    /// `sameWallets`.
    init(
        _ origin: Origin, _ limits: SignerLimits = SignerLimits(), sameWallets: Bool = false,
        warnings: [String] = []
    ) throws {
        self.origin = origin
        signer = Signer(chain: .regtest, limits: limits, at: .zero)
        let hello = ControlHello(
            role: .signer, chain: .regtest, hasOneUser: true, networkUID: 9,
            signerDirectory: "", signerSocket: "")
        tell(.control(.hello(hello)))
        tell(.link(.hello))
        tell(.connected(Self.console, uid: 1000))
        tell(.listed(.success(Self.state)))
        try settle()
        switch origin {
        case .link: tell(.link(.request(Self.request, payload: Self.file)))
        case .console: tell(.console(Self.console, .submit(file: Self.file), pipe: nil))
        }
        let review = try #require(startedReview(actions))
        entry = review.job.entry
        var found = summary(Self.file)
        found.signers = [Self.vault]
        found.warnings = warnings
        tell(.workerEnded(review.worker, .reviewed(.success(found))))
        if !sameWallets { signer.noteWallets(in: [.put(.name(Self.vault), [])]) }
    }

    static let state = StateListing(
        files: [
            .vault(vault), .secretKey(vault), .attempts(vault), .name(vault), .index(vault),
            .ledgerKey, .ledgerHead, .ledgerEntries,
        ], deviceKey: .safe, indexKey: .safe)

    /// Ends all operations of the signer's own, and gives what they entered into the ledger.
    @discardableResult
    mutating func settle() throws -> [RecordedEvent] {
        var entered: [RecordedEvent] = []
        while let running = signer.operations.running {
            switch running.phase {
            case .listing:
                if case .record(let events) = running.operation.work { entered += events }
                tell(.listed(.success(Self.state)))
            case .loading: tell(.loaded(LoadedFiles()))
            case .committing: tell(.committed(.done))
            default:
                let isPairing = running.operation.work == .pair
                tell(
                    .workerEnded(
                        try #require(running.worker),
                        .said(isPairing ? .paired([]) : .done(.done(remarks: []), []))))
            }
        }
        return entered
    }

    /// Tells the signer, and remembers what it did.
    mutating func tell(_ event: SignerEvent, at now: Duration = .zero) {
        actions = signer.handle(event, at: now)
        for case .begin(let id, let job) in actions { (worker, self.job) = (id, job) }
    }

    var approval: PSBTApproval {
        let known = summary(Self.file)
        return PSBTApproval(
            file: known.file, report: known.report, wallet: Self.vault, accepted: [])
    }

    /// Hands over secrets and output, and approves.
    mutating func approve(_ approval: PSBTApproval? = nil) {
        for what in [ConsoleRequest.secretInput, .output] {
            pipes += 1
            tell(.console(Self.console, what, pipe: PipeID(pipes)))
        }
        let request = VaultRequest.approve(
            entry, approval ?? self.approval, wantsTransaction: false)
        tell(.console(Self.console, .operation(request), pipe: nil))
    }

    /// Deletes the wallet, from its password on; or has a worker that refuses it.
    mutating func delete(succeeds: Bool = true, at now: Duration = .zero) throws {
        pipes += 1
        tell(.console(Self.console, .secretInput, pipe: PipeID(pipes)), at: now)
        let request = VaultRequest.delete(Self.vault, name: "")
        tell(.console(Self.console, .operation(request), pipe: nil), at: now)
        for step in [Step.listing, .loading, .counting, .committingCount] {
            tell(try success(of: step), at: now)
        }
        let changes: [StateChange] = [.remove(.vault(Self.vault)), .put(.ledgerHead, [1])]
        let said =
            succeeds
            ? VaultResult.done(.done(remarks: []), changes)
            : .refused(.wrongName, [.put(.ledgerHead, [1])])
        tell(.workerEnded(try running(), .said(said)), at: now)
        tell(.committed(.done), at: now)
    }

    /// What ends a step as it should.
    func success(of step: Step) throws -> SignerEvent {
        switch step {
        case .listing: return .listed(.success(Self.state))
        case .loading: return .loaded(LoadedFiles())
        case .committingCount, .committing: return .committed(.done)
        case .checking: return .workerEnded(try running(), .said(.done(.done(remarks: []), [])))
        case .counting:
            let count = AttemptCount(failures: 0, wait: 0, next: [1])
            return .workerEnded(try running(), .said(.counted(count)))
        case .working:
            let changes: [StateChange] = [
                .put(.attempts(Self.vault), [0]), .append(.ledgerEntries, at: 0, [1]),
                .put(.ledgerHead, [1]),
            ]
            return .workerEnded(try running(), .said(.signed([9, 9], changes)))
        case .merging:
            let answer = SigningAnswer(
                entry: EntryID(0), signatures: 1, txid: nil, fileBytes: 4)
            let done = VaultResult.done(.signed(answer), [])
            return .workerEnded(
                try running(), origin == .link ? .gave(Self.signed, done) : .said(done))
        }
    }

    private func running() throws -> WorkerID { try #require(worker) }

    /// Goes on through the steps before this one.
    mutating func go(to step: Step) throws {
        for before in Step.allCases where before.rawValue < step.rawValue {
            tell(try success(of: before))
        }
    }

    // MARK: What it did

    var answer: Result<VaultAnswer, VaultRefusal>? {
        for case .reply(_, .operationAnswer(let answer)) in actions { return answer }
        return nil
    }

    var toldLink: [LinkReply] {
        var told: [LinkReply] = []
        for case .tell(let reply) in actions { told.append(reply) }
        return told
    }

    /// What a console is shown.
    mutating func waiting(for console: ConsoleID = console) -> [EntryID] {
        tell(.console(console, .pending, pipe: nil))
        for case .reply(_, .pending(let rows)) in actions { return rows.map(\.id) }
        return []
    }

    /// What the network process is told.
    mutating func state() -> [LinkReply] {
        tell(.link(.inquiry(Self.request)))
        return toldLink
    }
}
