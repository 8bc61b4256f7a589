import Messages
import StateFiles
import Testing

@testable import SignerCore

@Suite("What waits in the signer")
struct PendingTests {
    typealias Scene = ApprovalScene

    @Test("A rejection is told to whoever asked, with its reason, and entered into the ledger")
    func reject() throws {
        var scene = try Scene(.link)
        scene.tell(.console(Scene.console, .reject(scene.entry, reason: "not ours"), pipe: nil))
        #expect(scene.actions.contains(.reply(Scene.console, .entryGone(nil))))
        let told = RequestState.refused(.rejected, "It was rejected at the console: not ours")
        #expect(scene.toldLink == [.answer(Scene.request, told)])
        scene.tell(.listed(.success(Scene.state)))
        scene.tell(.loaded(LoadedFiles()))
        let event = RecordedEvent.rejected(
            uid: 1000, file: summary(Scene.file).file, reason: "not ours")
        #expect(scene.job?.task == .record([event]))
        #expect(scene.waiting() == [])
        #expect(scene.state() == [.answer(Scene.request, told)])
    }

    @Test(
        "Whoever comes late to what another console decided, or nobody, hears how and when",
        arguments: DecidedEntry.End.allCases)
    func late(end: DecidedEntry.End) throws {
        var scene = try Scene(.link)
        var now = Duration.seconds(1)
        switch end {
        case .signed:
            scene.approve()
            try scene.go(to: .merging)
            scene.tell(try scene.success(of: .merging), at: now)
        case .rejected:
            scene.tell(
                .console(Scene.console, .reject(scene.entry, reason: ""), pipe: nil), at: now)
        case .expired:
            now = scene.signer.limits.entryTime
            scene.tell(.time, at: now)
        case .walletDeleted: try scene.delete(at: now)
        }
        let decided = DecidedEntry(scene.entry, end, ago: 90)
        now += .seconds(90)
        let other = ConsoleID(2)
        scene.tell(.connected(other, uid: 1001), at: now)
        scene.tell(.console(other, .reject(scene.entry, reason: ""), pipe: nil), at: now)
        #expect(scene.actions == [.reply(other, .entryGone(.decided(decided)))])
        scene.tell(.console(other, .review(scene.entry, .json), pipe: nil), at: now)
        #expect(scene.actions == [.reply(other, .entry(.failure(.decided(decided))))])
        #expect(scene.waiting(for: other) == [])
    }

    @Test("What only a deleted wallet could sign waits no longer, and whoever asked hears why")
    func deletedWallet() throws {
        let why = "The wallet that could sign it was deleted at the console."
        let gone = LinkReply.answer(Scene.request, .refused(.walletDeleted, why))
        var scene = try Scene(.link)
        try scene.delete()
        #expect(scene.toldLink.contains(gone))
        #expect(scene.waiting() == [] && scene.state() == [gone])

        // A second wallet can sign it, and of a refused deletion nothing goes.
        var shared = try Scene(.link)
        let other = try #require(VaultID([UInt8](repeating: 9, count: 16)))
        var summary = try #require(shared.signer.pending.entries[shared.entry]?.summary)
        summary.signers.append(other)
        shared.signer.pending.note(summary, for: shared.entry, at: 0)
        try shared.delete()
        #expect(shared.waiting() == [shared.entry])
        var refused = try Scene(.link)
        try refused.delete(succeeds: false)
        #expect(refused.waiting() == [refused.entry])
        // What a console submitted is its own to take back.
        var own = try Scene(.console)
        try own.delete()
        #expect(own.waiting() == [own.entry])
    }

    @Test(
        "What is under review while its wallet is deleted goes with the reason, once the review is done"
    )
    func deletedUnderReview() throws {
        let why = "The wallet that could sign it was deleted at the console."
        let next = RequestID(high: 1, low: 8)
        let gone = LinkReply.answer(next, .refused(.walletDeleted, why))
        let other = try #require(VaultID([UInt8](repeating: 9, count: 16)))
        for (signers, goes) in [
            ([Scene.vault], true), ([Scene.vault, other], false), ([other], false), ([], false),
        ] {
            var scene = try Scene(.link)
            scene.tell(.link(.request(next, payload: [8])))
            let review = try #require(startedReview(scene.actions))
            try scene.delete()
            var found = summary([8])
            found.signers = signers
            scene.tell(.workerEnded(review.worker, .reviewed(.success(found))))
            #expect(scene.toldLink == [goes ? gone : .answer(next, .pending)], "\(signers)")
            #expect(scene.waiting() == (goes ? [] : [review.job.entry]), "\(signers)")
            let kept = scene.signer.pending.entries[review.job.entry]?.summary?.signers
            #expect(kept == (goes ? nil : signers.filter { $0 != Scene.vault }))
        }
        // A console hears who can still sign; what it submitted stays its own.
        var own = try Scene(.console)
        own.tell(.connected(ConsoleID(2), uid: 1000))
        own.tell(.console(ConsoleID(2), .submit(file: [8]), pipe: nil))
        let review = try #require(startedReview(own.actions))
        try own.delete()
        var found = summary([8])
        found.signers = [Scene.vault, other]
        own.tell(.workerEnded(review.worker, .reviewed(.success(found))))
        found.signers = [other]
        let shown = ReviewedEntry(id: review.job.entry, summary: found)
        #expect(own.actions.contains(.reply(ConsoleID(2), .entry(.success(shown)))))
    }

    @Test(
        "What several wallets could sign goes with the last of them, and one that came back counts again"
    )
    func deletedInTurn() throws {
        let other = try #require(VaultID([UInt8](repeating: 9, count: 16)))
        var queue = PendingQueue(limits: SignerLimits())
        let taken = queue.take([1], from: .link(Scene.request), at: .zero)
        let id = try #require(taken)
        var found = summary([1])
        found.signers = [other, Scene.vault]
        queue.note(found, for: id, at: 0)
        let first = queue.note(deleted: Scene.vault)
        let second = queue.note(deleted: other)
        #expect(first.isEmpty && second.map(\.id) == [id])
        queue.note(restored: other)
        #expect(queue.standing(found).signers == [other])
    }

    @Test("Only so many decisions are remembered, the latest of them")
    func manyDecisions() throws {
        var limits = SignerLimits()
        limits.keptAnswers = 2
        var queue = PendingQueue(limits: limits)
        for number in 1...3 as ClosedRange<UInt64> {
            let taken = queue.take([1], from: .link(RequestID(high: 0, low: number)), at: .zero)
            let id = try #require(taken)
            let entry = try #require(queue.entries[id])
            queue.remove(entry, as: .rejected, at: .zero)
        }
        let known = (1...3 as ClosedRange<UInt32>).filter {
            queue.decision(on: EntryID($0), at: .zero) != nil
        }
        #expect(known == [2, 3])
    }

    @Test("Nothing is rejected that the ledger could not be told of")
    func fullLedger() throws {
        var scene = try Scene(.link)
        for number in 2..<30 as Range<UInt64> {
            let id = ConsoleID(number)
            scene.tell(.connected(id, uid: UInt32(number)))
            scene.tell(.console(id, .operation(.list), pipe: nil))
        }
        for number in 0..<20 as Range<UInt32> {
            _ = scene.signer.operations.take(.init(console: nil, uid: number, work: .record([])))
        }
        scene.tell(.console(Scene.console, .reject(scene.entry, reason: ""), pipe: nil))
        #expect(scene.actions.contains(.reply(Scene.console, .entryGone(.busy))))
        #expect(scene.waiting() == [scene.entry])
    }

    @Test("A console takes back what it submitted, and nothing of others")
    func withdraw() throws {
        var scene = try Scene(.console)
        let other = ConsoleID(2)
        scene.tell(.connected(other, uid: 1001))
        #expect(scene.waiting(for: other) == [])
        for request in [
            ConsoleRequest.withdraw(scene.entry), .reject(scene.entry, reason: ""),
        ] {
            scene.tell(.console(other, request, pipe: nil))
            #expect(scene.actions == [.reply(other, .entryGone(.noSuchEntry(scene.entry)))])
        }
        scene.tell(.console(Scene.console, .withdraw(scene.entry), pipe: nil))
        #expect(scene.actions == [.reply(Scene.console, .entryGone(nil))])
        #expect(scene.waiting() == [])
        var linked = try Scene(.link)
        linked.tell(.console(Scene.console, .withdraw(linked.entry), pipe: nil))
        #expect(linked.actions == [.reply(Scene.console, .entryGone(.noSuchEntry(linked.entry)))])
    }

    @Test("What nobody decides expires, and so does what nobody collects")
    func expiry() throws {
        var scene = try Scene(.link)
        let time = scene.signer.limits.entryTime
        #expect(scene.signer.nextDeadline.map { $0 <= time } == true)
        scene.tell(.time, at: time)
        #expect(scene.toldLink == [.answer(Scene.request, .expired)])
        #expect(scene.waiting() == [])
        var signed = try Scene(.link)
        signed.approve()
        try signed.go(to: .merging)
        signed.tell(try signed.success(of: .merging))
        signed.tell(.time, at: time)
        #expect(signed.state() == [.answer(Scene.request, .expired)])
        var submitted = try Scene(.console)
        submitted.tell(.console(Scene.console, .ping(nonce: 1), pipe: nil), at: time)
        submitted.tell(.time, at: time)
        #expect(submitted.waiting() == [submitted.entry], "it lives as long as its console")
    }

    @Test("The same file waits once, and whoever sends it again is told its number")
    func twins() throws {
        var scene = try Scene(.link)
        let second = RequestID(high: 9, low: 9)
        scene.tell(.link(.request(second, payload: Scene.file)))
        let review = try #require(startedReview(scene.actions))
        scene.tell(.workerEnded(review.worker, .reviewed(.success(summary(Scene.file)))))
        let why = EntryRefusal.alreadyWaiting(scene.entry).sentence
        #expect(scene.toldLink == [.answer(second, .refused(.alreadyWaiting, why))])
        scene.tell(.console(Scene.console, .submit(file: Scene.file), pipe: nil))
        let again = try #require(startedReview(scene.actions))
        scene.tell(.workerEnded(again.worker, .reviewed(.success(summary(Scene.file)))))
        #expect(
            scene.actions
                == [.reply(Scene.console, .entry(.failure(.alreadyWaiting(scene.entry))))])
        #expect(scene.waiting() == [scene.entry])
    }

    @Test("What the review stops takes no place of the link's, and stays for a console to read")
    func stopped() throws {
        var scene = try Scene(.link)
        let second = RequestID(high: 9, low: 9)
        scene.tell(.link(.request(second, payload: [8])))
        let review = try #require(startedReview(scene.actions))
        let found = summary([8], .stopped)
        scene.tell(.workerEnded(review.worker, .reviewed(.success(found))))
        guard case .answer(second, .refused(.stopped, let why))? = scene.toldLink.first else {
            Issue.record("not refused")
            return
        }
        #expect(why.contains("claim-false"))
        scene.tell(.console(Scene.console, .submit(file: [8]), pipe: nil))
        let submitted = try #require(startedReview(scene.actions))
        scene.tell(.workerEnded(submitted.worker, .reviewed(.success(found))))
        #expect(scene.waiting() == [scene.entry, submitted.job.entry])
    }

    @Test("A report is made anew for whoever reads it, and what it says is what can be approved")
    func show() throws {
        var scene = try Scene(.link)
        scene.tell(.console(Scene.console, .review(scene.entry, .json), pipe: nil))
        #expect(scene.actions == [.reply(Scene.console, .entry(.failure(.noOutput)))])
        scene.tell(.console(Scene.console, .output, pipe: PipeID(3)))
        scene.tell(.console(Scene.console, .review(EntryID(99), .json), pipe: nil))
        #expect(
            scene.actions == [
                .drop(PipeID(3)),
                .reply(Scene.console, .entry(.failure(.noSuchEntry(EntryID(99))))),
            ])
        scene.tell(.console(Scene.console, .output, pipe: PipeID(4)))
        scene.tell(.console(Scene.console, .review(scene.entry, .text(columns: 80)), pipe: nil))
        let review = try #require(startedReview(scene.actions))
        #expect(review.job.output == PipeID(4))
        #expect(review.job.form == .text(columns: 80))
        var other = summary(Scene.file)
        other.report = summary([77]).report
        scene.tell(.workerEnded(review.worker, .reviewed(.success(other))))
        let shown = ReviewedEntry(id: scene.entry, summary: other)
        #expect(scene.actions == [.reply(Scene.console, .entry(.success(shown)))])
        scene.tell(.console(Scene.console, .pending, pipe: nil))
        for case .reply(_, .pending(let rows)) in scene.actions {
            #expect(rows.map(\.summary) == [other])
        }
    }

    @Test("Results are bounded: the oldest file goes first, and its request is told so")
    func results() {
        var limits = SignerLimits()
        limits.keptFiles = 2
        limits.keptFileBytes = 10
        limits.keptAnswers = 3
        var results = RequestResults(limits: limits)
        let ids = (1...5).map { RequestID(high: 0, low: UInt64($0)) }
        results.keep([1, 2, 3, 4], for: ids[0], at: .seconds(1))
        results.keep([1, 2, 3, 4], for: ids[1], at: .seconds(2))
        results.keep([1, 2, 3, 4], for: ids[2], at: .seconds(3))
        #expect(results[ids[0]] == .expired)
        #expect(results.file(of: ids[0]) == nil)
        #expect(results.bytes == 8)
        results.keep([UInt8](repeating: 1, count: 9), for: ids[3], at: .seconds(4))
        #expect(results.bytes == 9)
        #expect(results[ids[0]] == nil, "only the latest answers are kept")
        #expect(results[ids[3]] == .signed)
    }
}
