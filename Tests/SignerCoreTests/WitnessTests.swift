import Messages
import SignerCore
import StateFiles
import Testing

@Suite("What the signer makes of the witness")
struct WitnessTests {
    private let console = ConsoleID(1)
    private let files: Set<StateFile> = [.ledgerKey, .ledgerHead, .ledgerEntries]

    private func head(_ counter: UInt8) throws -> LedgerWitness {
        var bytes = [UInt8](repeating: 0, count: LedgerWitness.length)
        bytes[32] = counter
        return try #require(LedgerWitness(bytes))
    }

    private func state(_ files: Set<StateFile>? = nil) -> StateListing {
        StateListing(files: files ?? self.files, deviceKey: .safe, indexKey: .safe)
    }

    /// A signer that has not seen its state yet.
    private func signer(sharesAccounts: Bool = false) -> Signer {
        var signer = Signer(chain: .regtest, sharesAccounts: sharesAccounts, at: .zero)
        let hello = ControlHello(
            role: .signer, chain: .regtest, hasOneUser: true, networkUID: 9,
            signerDirectory: "", signerSocket: "")
        _ = signer.handle(.control(.hello(hello)), at: .zero)
        _ = signer.handle(.connected(console, uid: 1000), at: .zero)
        return signer
    }

    private func job(_ actions: [SignerAction]) -> (worker: WorkerID, job: OperationJob)? {
        for case .begin(let worker, let job) in actions { return (worker, job) }
        return nil
    }

    private func told(_ actions: [SignerAction]) -> [LedgerWitness] {
        actions.compactMap { if case .tell(.witness(let head)) = $0 { head } else { nil } }
    }

    /// Follows the signer's own operation to its worker's end.
    private func finish(
        _ signer: inout Signer, _ actions: [SignerAction], remarks: [String] = [],
        _ changes: [StateChange]
    ) throws -> (task: OperationJob.Task, actions: [SignerAction]) {
        #expect(actions.contains(.list))
        _ = signer.handle(.listed(.success(state())), at: .zero)
        let begun = try #require(job(signer.handle(.loaded(LoadedFiles()), at: .zero)))
        let said = WorkerResult.said(.done(.done(remarks: remarks), changes))
        let ended = signer.handle(.workerEnded(begun.worker, said), at: .zero)
        guard !changes.isEmpty else { return (begun.job.task, ended) }
        return (begun.job.task, signer.handle(.committed(.done), at: .zero))
    }

    @Test("No head is told before the one that was kept is heard and compared")
    func order() throws {
        var signer = signer()
        _ = signer.handle(.link(.hello), at: .zero)
        let listed = signer.handle(.listed(.success(state())), at: .zero)
        let start = try finish(&signer, listed, [.put(.ledgerHead, head(6).bytes)])
        #expect(told(start.actions) == [])
        #expect(signer.status(at: .zero).ledgerEntries == 6)
        let heard = signer.handle(.link(.witnessed(try head(5))), at: .zero)
        let compared = try finish(&signer, heard, [])
        let (kept, newest) = (try head(5), try head(6))
        #expect(compared.task == .record([.witnessed(kept)]))
        #expect(told(compared.actions) == [newest])
        #expect(signer.status(at: .zero).witness == .agrees)
        #expect(signer.status(at: .zero).problems == [])
    }

    @Test("How long the ledger is, is not known before it was read, and nought where there is none")
    func count() throws {
        var signer = signer()
        #expect(signer.status(at: .zero).ledgerEntries == nil)
        let listed = signer.handle(.listed(.success(state())), at: .zero)
        #expect(signer.status(at: .zero).ledgerEntries == nil)
        _ = try finish(&signer, listed, [.put(.ledgerHead, head(6).bytes)])
        #expect(signer.status(at: .zero).ledgerEntries == 6)

        var fresh = self.signer()
        let none = StateListing(files: [], deviceKey: .missing, indexKey: .missing)
        _ = fresh.handle(.listed(.success(none)), at: .zero)
        #expect(fresh.status(at: .zero).ledgerEntries == 0)
    }

    @Test("What contradicts is a problem of the state, and the head of its entry is told")
    func contradiction() throws {
        var signer = signer()
        _ = signer.handle(.link(.hello), at: .zero)
        let listed = signer.handle(.listed(.success(state())), at: .zero)
        _ = try finish(&signer, listed, [.put(.ledgerHead, head(3).bytes)])
        let heard = signer.handle(.link(.witnessed(try head(5))), at: .zero)
        let compared = try finish(
            &signer, heard, remarks: ["Set back."], [.put(.ledgerHead, head(4).bytes)])
        let newest = try head(4)
        #expect(told(compared.actions).last == newest)
        #expect(signer.status(at: .zero).witness == .differs)
        #expect(signer.status(at: .zero).problems == ["Set back."])
    }

    @Test("It is compared once in the signer's life, whatever the network process says later")
    func once() throws {
        var signer = signer()
        _ = signer.handle(.link(.hello), at: .zero)
        let listed = signer.handle(.listed(.success(state())), at: .zero)
        _ = try finish(&signer, listed, [.put(.ledgerHead, head(3).bytes)])
        let heard = signer.handle(.link(.witnessed(try head(2))), at: .zero)
        _ = try finish(&signer, heard, [])
        let (newest, later) = (try head(3), try head(9))
        for _ in 0..<100 {
            #expect(signer.handle(.link(.witnessed(later)), at: .zero) == [])
        }
        // A new link hears the head at once.
        _ = signer.handle(.linkEnded(.closed, ""), at: .zero)
        _ = signer.handle(.control(.newLink(generation: 1)), at: .zero)
        #expect(told(signer.handle(.link(.hello), at: .zero)) == [newest])
    }

    @Test("Where nothing was kept, heads are told from then on")
    func nothingKept() throws {
        var signer = signer()
        _ = signer.handle(.link(.hello), at: .zero)
        let listed = signer.handle(.listed(.success(state())), at: .zero)
        _ = try finish(&signer, listed, [.put(.ledgerHead, head(3).bytes)])
        let newest = try head(3)
        #expect(told(signer.handle(.link(.witnessed(nil)), at: .zero)) == [newest])
        #expect(signer.status(at: .zero).witness == .none)
    }

    @Test("A witness where there is no ledger is a problem, and no worker is asked")
    func noLedger() throws {
        var signer = signer()
        _ = signer.handle(.link(.hello), at: .zero)
        _ = signer.handle(.listed(.success(state([]))), at: .zero)
        let heard = signer.handle(.link(.witnessed(try head(5))), at: .zero)
        #expect(!heard.contains(.list))
        #expect(signer.status(at: .zero).witness == .differs)
        #expect(signer.status(at: .zero).problems.count == 1)
    }

    @Test("A person's operation goes before the signer's own work")
    func peopleFirst() throws {
        var signer = signer(sharesAccounts: true)
        _ = signer.handle(.listed(.success(state([]))), at: .zero)
        _ = signer.handle(.console(console, .operation(.list), pipe: nil), at: .zero)
        let hello = signer.handle(.link(.hello), at: .zero)
        #expect(!hello.contains(.list))
        _ = signer.handle(.listed(.success(state([]))), at: .zero)
        let asked = try #require(job(signer.handle(.loaded(LoadedFiles()), at: .zero)))
        #expect(asked.job.task == .carryOut(.list))
        let answered = signer.handle(
            .workerEnded(asked.worker, .said(.done(.vaults([]), []))), at: .zero)
        #expect(answered.contains(.list))
        _ = signer.handle(.listed(.success(state([]))), at: .zero)
        let own = try #require(job(signer.handle(.loaded(LoadedFiles()), at: .zero)))
        #expect(own.job.task == .pair)
        let told = signer.handle(.workerEnded(own.worker, .said(.paired([]))), at: .zero)
        #expect(told.contains(.tell(.accounts([]))))
    }

    /// Ends the worker that looks at what was listed, as a failed one.
    private func fail(_ signer: inout Signer, at now: Duration) throws -> OperationJob.Task {
        _ = signer.handle(.listed(.success(state())), at: now)
        let own = try #require(job(signer.handle(.loaded(LoadedFiles()), at: now)))
        _ = signer.handle(.workerEnded(own.worker, .failed("killed")), at: now)
        return own.job.task
    }

    @Test("Accounts whose worker failed are made later, ever more rarely, until one succeeds")
    func pairingAgain() throws {
        var signer = signer(sharesAccounts: true)
        _ = signer.handle(.listed(.success(state([]))), at: .zero)
        #expect(signer.handle(.link(.hello), at: .zero).contains(.list))
        var now = Duration.zero
        for pause in [5, 10, 20, 40, 80, 160, 300, 300, 300] {
            let task = try fail(&signer, at: now)
            #expect(task == .pair)
            let deadline = try #require(signer.nextDeadline)
            #expect(deadline <= now + .seconds(pause))
            let early = signer.handle(.time, at: now + .seconds(pause - 1))
            #expect(!early.contains(.list))
            now += .seconds(pause)
            #expect(signer.handle(.time, at: now).contains(.list))
        }
        _ = signer.handle(.listed(.success(state([]))), at: now)
        let own = try #require(job(signer.handle(.loaded(LoadedFiles()), at: now)))
        let told = signer.handle(.workerEnded(own.worker, .said(.paired([]))), at: now)
        #expect(told.contains(.tell(.accounts([]))))
    }

    @Test("A comparison whose worker failed says nothing of the ledger, and is made again")
    func comparisonAgain() throws {
        var signer = signer()
        _ = signer.handle(.link(.hello), at: .zero)
        let listed = signer.handle(.listed(.success(state())), at: .zero)
        _ = try finish(&signer, listed, [.put(.ledgerHead, head(6).bytes)])
        let kept = try head(5)
        #expect(signer.handle(.link(.witnessed(kept)), at: .zero).contains(.list))
        let task = try fail(&signer, at: .zero)
        #expect(task == .record([.witnessed(kept)]))
        #expect(signer.status(at: .zero).witness == .unheard)
        let again = signer.handle(.time, at: .seconds(5))
        let compared = try finish(&signer, again, [])
        let newest = try head(6)
        #expect(told(compared.actions) == [newest])
        #expect(signer.status(at: .zero).witness == .agrees)
    }
}
