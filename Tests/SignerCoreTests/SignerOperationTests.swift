import Messages
import SignerCore
import StateFiles
import Testing

@Suite("The signer's operations")
struct SignerOperationTests {
    private let console = ConsoleID(1)
    private let vault = SignerOperationTests.id(0) as VaultID
    private let other = SignerOperationTests.id(40) as VaultID

    private static func id<Named>(_ first: UInt8) -> Identifier<Named> {
        guard let id = Identifier<Named>(Array(first..<first + 16)) else {
            preconditionFailure("16 bytes make an id")
        }
        return id
    }

    private func state(
        _ files: Set<StateFile>? = nil, deviceKey: KeyFinding = .safe,
        indexKey: KeyFinding = .safe
    ) -> StateListing {
        let all: Set<StateFile> = [
            .vault(vault), .secretKey(vault), .attempts(vault), .name(vault), .index(vault),
            .vault(other), .secretKey(other), .attempts(other), .ledgerKey, .ledgerHead,
            .ledgerEntries,
        ]
        return StateListing(files: files ?? all, deviceKey: deviceKey, indexKey: indexKey)
    }

    private func signer() -> Signer {
        var signer = Signer(chain: .regtest, at: .zero)
        let hello = ControlHello(
            role: .signer, chain: .regtest, hasOneUser: true, networkUID: 9,
            signerDirectory: "", signerSocket: "")
        _ = signer.handle(.control(.hello(hello)), at: .zero)
        _ = signer.handle(.connected(console, uid: 1000), at: .zero)
        return signer
    }

    /// Hands over all three ends and asks.
    private func ask(_ signer: inout Signer, _ request: VaultRequest) -> [SignerAction] {
        for (number, what) in [ConsoleRequest.secretInput, .output, .input].enumerated() {
            _ = signer.handle(.console(console, what, pipe: PipeID(UInt64(number))), at: .zero)
        }
        return signer.handle(.console(console, .operation(request), pipe: nil), at: .zero)
    }

    private func refusal(_ actions: [SignerAction]) -> VaultRefusal? {
        for case .reply(_, .operationAnswer(.failure(let refusal))) in actions { return refusal }
        return nil
    }

    private func job(_ actions: [SignerAction]) -> (worker: WorkerID, job: OperationJob)? {
        for case .begin(let worker, let job) in actions { return (worker, job) }
        return nil
    }

    /// Asks, and answers up to the worker that does what was asked.
    private func worker(
        _ signer: inout Signer, _ request: VaultRequest, in state: StateListing
    ) throws -> (worker: WorkerID, job: OperationJob) {
        _ = ask(&signer, request)
        _ = signer.handle(.listed(.success(state)), at: .zero)
        var actions = signer.handle(.loaded(LoadedFiles()), at: .zero)
        guard request.takesPassword else { return try #require(job(actions)) }
        let counting = try #require(job(actions))
        #expect(counting.job.task == .count(request))
        #expect(counting.job.pipes.isEmpty)
        let count = AttemptCount(failures: 0, wait: 0, next: [1])
        actions = signer.handle(
            .workerEnded(counting.worker, .said(.counted(count))), at: .zero)
        #expect(actions == [.commit([.put(.attempts(vault), [1])])])
        return try #require(job(signer.handle(.committed(.done), at: .zero)))
    }

    @Test("What a request does not use is closed, and what it lacks is named")
    func handovers() {
        var signer = signer()
        let actions = ask(&signer, .list)
        #expect(actions == [.drop(PipeID(0)), .drop(PipeID(1)), .drop(PipeID(2)), .list])
        let bare = signer.handle(
            .console(console, .operation(.showPhrase(vault)), pipe: nil), at: .zero)
        #expect(refusal(bare) == .notHandedOver(.secrets))
    }

    @Test("A missing or unsafe key and a missing count are refused before any worker")
    func obstacles() {
        let cases: [(StateListing, VaultRequest, VaultRefusal)] = [
            (state(deviceKey: .missing), .showPhrase(vault), .missing(.deviceKey)),
            (state(deviceKey: .unsafe("x")), .showPhrase(vault), .unsafeKey(.deviceKey, "x")),
            (state(deviceKey: .unsafe("x")), .adopt(vault), .unsafeKey(.deviceKey, "x")),
            (state(indexKey: .missing), .index(vault), .missing(.indexKey)),
            (
                state(deviceKey: .missing),
                .create(
                    NewVault(name: "n"), words: 12, usesDice: false,
                    hasPassphrase: false), .missing(.deviceKey)
            ),
            (state([.vault(vault)]), .showPhrase(vault), .missing(.secretKey(vault))),
            (
                state([.vault(vault), .secretKey(vault)]), .showPhrase(vault),
                .missing(.attempts(vault))
            ),
            (state([.ledgerHead]), .showPhrase(vault), .noSuchVault(vault)),
        ]
        for (state, request, expected) in cases {
            var signer = signer()
            _ = ask(&signer, request)
            let actions = signer.handle(.listed(.success(state)), at: .zero)
            #expect(refusal(actions) == expected)
            #expect(job(actions) == nil)
        }
    }

    @Test("Whatever takes a password is counted, and that kept, before a worker gets the password")
    func counted() throws {
        let item = Self.id(80) as ItemID
        let requests: [VaultRequest] = [
            .showPhrase(vault), .changePassword(vault, .pbkdf2), .rename(vault, name: "n"),
            .delete(vault, name: "n"), .newKit(vault), .rebuildIndex(vault), .backup(vault),
            .itemsAdd(vault), .itemsList(vault), .itemsGet(vault, item), .itemsRemove(vault, item),
            .signMessage(vault, MessageToSign([1], address: "bc1q", depth: 1)),
        ]
        var files = state().files
        files.insert(.item(vault, item))
        for request in requests {
            #expect(request.takesPassword, "\(request)")
            var signer = signer()
            // The helper expects the count, with no pipe, and its commit.
            let (_, job) = try worker(&signer, request, in: state(files))
            #expect(job.task == .carryOut(request) && job.pipes[.secrets] != nil, "\(request)")
            // What the disk did not take is not tried.
            var failing = self.signer()
            _ = ask(&failing, request)
            _ = failing.handle(.listed(.success(state(files))), at: .zero)
            let counting = try #require(
                self.job(failing.handle(.loaded(LoadedFiles()), at: .zero)))
            let count = AttemptCount(failures: 0, wait: 0, next: [1])
            _ = failing.handle(
                .workerEnded(counting.worker, .said(.counted(count))), at: .zero)
            let after = failing.handle(.committed(.unchanged("it is full")), at: .zero)
            #expect(self.job(after) == nil && refusal(after) != nil, "\(request)")
        }
    }

    @Test("Keys are made where nothing is kept yet, and in place of a lost one where that is asked")
    func newKeys() throws {
        let nothing = state([], deviceKey: .missing, indexKey: .missing)
        var signer = signer()
        let create = VaultRequest.create(
            NewVault(name: "n"), words: 12, usesDice: false, hasPassphrase: false)
        let first = try worker(&signer, create, in: nothing)
        #expect(first.job.deviceKey == .new)
        #expect(first.job.indexKey == .new)
        var second = self.signer()
        let adopting = try worker(
            &second, .adopt(vault), in: state(deviceKey: .missing, indexKey: .missing))
        #expect(adopting.job.deviceKey == .new)
        #expect(adopting.job.indexKey == .absent)
    }

    @Test("A worker's changes must be its operation's own, and beside a refusal the ledger's alone")
    func foreignChanges() throws {
        let foreign: [(VaultRequest, StateChange)] = [
            (.rename(vault, name: "n"), .put(.name(other), [1])),
            (.rename(vault, name: "n"), .put(.vault(vault), [1])),
            (.showPhrase(vault), .put(.attempts(other), [1])),
            (.showPhrase(vault), .remove(.ledgerEntries)),
            (.showPhrase(vault), .put(.ledgerEntries, [1])),
            (.delete(vault, name: "n"), .remove(.vault(other))),
            (.delete(vault, name: "n"), .put(.vault(vault), [])),
            (.restore(vault), .put(.attempts(vault), [1])),
            (.changePassword(vault, .pbkdf2), .adopt(.deviceKey)),
            (.newKit(vault), .copy(.vault(other), to: .vault(vault))),
            (.list, .put(.name(vault), [1])),
        ]
        for (request, change) in foreign {
            var signer = signer()
            let (worker, _) = try worker(&signer, request, in: state())
            let actions = signer.handle(
                .workerEnded(worker, .said(.done(.done(remarks: []), [change]))), at: .zero)
            guard case .workerFailed = refusal(actions) else {
                Issue.record("\(request) may \(change)")
                continue
            }
        }
        var signer = signer()
        let (worker, _) = try worker(&signer, .showPhrase(vault), in: state())
        let foreignChange = StateChange.put(.vault(vault), [0])
        let actions = signer.handle(
            .workerEnded(worker, .said(.refused(.wrongName, [foreignChange]))), at: .zero)
        guard case .workerFailed = refusal(actions) else {
            Issue.record("a refusal may change the vault")
            return
        }
    }

    @Test("A right password counts as no failure when the disk refuses the rest")
    func resetAlone() throws {
        let reset = StateChange.put(.attempts(vault), [0])
        let entry = StateChange.append(.ledgerEntries, at: 7, [1])
        let right = VaultResult.done(.done(remarks: []), [reset, entry])
        let wrong = VaultResult.refused(.wrongPassword(failures: 1, wait: 0), [entry])
        let cases: [(VaultResult, CommitResult, isReset: Bool, VaultRefusal)] = [
            (right, .unchanged("x"), true, .diskFailed("x")),
            (.refused(.outputFailed, [reset, entry]), .unchanged("x"), true, .outputFailed),
            (right, .unsettled("x"), false, .diskUncertain("x")),
            (wrong, .unchanged("x"), false, .wrongPassword(failures: 1, wait: 0)),
        ]
        for (said, kept, isReset, expected) in cases {
            var signer = signer()
            let (worker, _) = try worker(&signer, .showPhrase(vault), in: state())
            _ = signer.handle(.workerEnded(worker, .said(said)), at: .zero)
            var actions = signer.handle(.committed(kept), at: .zero)
            #expect(actions.contains(.commit([reset])) == isReset)
            if isReset {
                #expect(refusal(actions) == nil)
                actions = signer.handle(.committed(.done), at: .zero)
            }
            #expect(refusal(actions) == expected)
        }
    }

    @Test("Wrong codes are entered once, and from then on by their number")
    func manyWrongCodes() throws {
        var signer = signer()
        _ = signer.handle(.listed(.success(state([]))), at: .zero)
        let entry = StateChange.append(.ledgerEntries, at: 7, [1])
        var entered = 0
        for _ in 0..<20 {
            let (worker, _) = try worker(
                &signer, .openWithCode(vault, .argon2id), in: state())
            let actions = signer.handle(
                .workerEnded(worker, .said(.refused(.wrongCode, [entry]))), at: .zero)
            guard actions.contains(.commit([entry])) else {
                #expect(refusal(actions) == .wrongCode)
                continue
            }
            entered += 1
            let end = signer.handle(.committed(.done), at: .zero)
            #expect(refusal(end) == .wrongCode)
        }
        #expect(entered == 1)
        _ = signer.handle(.time, at: .seconds(300))
        _ = signer.handle(.listed(.success(state())), at: .seconds(300))
        let begun = job(signer.handle(.loaded(LoadedFiles()), at: .seconds(300)))
        let event = RecordedEvent.refusals(
            .console, code: "wrong-code", count: 19, firstAgo: 300, lastAgo: 300)
        #expect(begun?.job.task == .record([event]))
    }

    @Test("The start is entered into a ledger that is there, and nowhere else")
    func start() {
        var signer = signer()
        let actions = signer.handle(.listed(.success(state())), at: .zero)
        #expect(actions == [.list])
        _ = signer.handle(.listed(.success(state())), at: .zero)
        let begun = job(signer.handle(.loaded(LoadedFiles()), at: .zero))
        guard case .record(let events) = begun?.job.task, case .started? = events.first else {
            Issue.record("the start is not entered")
            return
        }
        var empty = self.signer()
        #expect(empty.handle(.listed(.success(state([]))), at: .zero) == [])
    }

    @Test("The status says what is wrong with the files")
    func problems() {
        var signer = signer()
        _ = signer.handle(
            .listed(.success(state([.vault(vault)], deviceKey: .missing))), at: .zero)
        let problems = signer.status(at: .zero).problems
        #expect(problems.count == 3)
        #expect(problems[0].contains("device.key"))
        #expect(problems.contains { $0.contains("attempts") })
    }
}
