import Messages
import StateFiles
import Testing

@testable import SignerCore

@Suite("From an approval to a signed file, in the broker")
struct ApprovalTests {
    typealias Scene = ApprovalScene
    typealias Step = ApprovalScene.Step

    @Test(
        "One approval signs once, and what is signed waits no longer",
        arguments: Scene.Origin.allCases)
    func once(origin: Scene.Origin) throws {
        var scene = try Scene(origin)
        scene.approve()
        try scene.go(to: .merging)
        scene.tell(try scene.success(of: .merging))
        guard case .success(.signed(let answer)) = scene.answer else {
            Issue.record("not signed")
            return
        }
        #expect(answer.entry == scene.entry)
        if origin == .link {
            let expected: [LinkReply] = [
                .answer(Scene.request, .signed), .signed(Scene.request, file: Scene.signed),
            ]
            #expect(scene.toldLink == expected)
            #expect(scene.state() == expected)
            // It is never done again, and after it arrived it is kept no longer.
            scene.tell(.link(.request(Scene.request, payload: Scene.file)))
            #expect(scene.toldLink == expected)
            scene.tell(.link(.collected(Scene.request)))
            #expect(scene.state() == [.answer(Scene.request, .collected)])
            scene.tell(.link(.request(Scene.request, payload: Scene.file)))
            #expect(scene.toldLink == [.answer(Scene.request, .collected)])
        }
        #expect(scene.waiting() == [])
        scene.approve()
        #expect(scene.actions.contains(.list))
        scene.tell(try scene.success(of: .listing))
        // Only what came over the link could be seen by others, who may ask for it again.
        let again: VaultRefusal =
            origin == .link
            ? .decided(DecidedEntry(scene.entry, .signed, ago: 0)) : .noSuchEntry(scene.entry)
        #expect(scene.answer == .failure(again))
    }

    @Test("The workers get what their part needs: no pipe before the count, no key after it")
    func parts() throws {
        var scene = try Scene(.console)
        scene.approve()
        var seen: [Step: OperationJob] = [:]
        for step in Step.allCases {
            if let job = scene.job { seen[step] = job }
            scene.tell(try scene.success(of: step))
        }
        let check = try #require(seen[.checking])
        #expect(check.deviceKey == .absent)
        #expect(check.indexKey == .present)
        #expect(check.pipes.isEmpty)
        #expect(check.psbt == Scene.file)
        #expect(try #require(seen[.counting]).pipes.isEmpty)
        let sign = try #require(seen[.working])
        #expect(Set(sign.pipes.keys) == [.secrets])
        #expect(sign.deviceKey == .present)
        let merge = try #require(seen[.merging])
        #expect(merge.deviceKey == .absent)
        #expect(merge.indexKey == .absent)
        #expect(Set(merge.pipes.keys) == [.output])
        guard case .merge(_, let signatures, let isForLink) = merge.task else {
            Issue.record("no merge")
            return
        }
        #expect(signatures == [9, 9])
        #expect(!isForLink)
    }

    @Test(
        "A worker that dies at any step leaves the entry, and it can be approved again",
        arguments: Scene.Origin.allCases,
        [Step.checking, .counting, .working, .merging])
    func workerDies(origin: Scene.Origin, step: Step) throws {
        var scene = try Scene(origin)
        scene.approve()
        try scene.go(to: step)
        let worker = try #require(scene.worker)
        scene.tell(.workerEnded(worker, .failed("signal 9 ended it")))
        #expect(scene.answer == .failure(.workerFailed("signal 9 ended it")))
        #expect(scene.toldLink == [], "no signature escapes")
        try scene.settle()
        #expect(scene.waiting() == [scene.entry])
        if origin == .link { #expect(scene.state() == [.answer(Scene.request, .pending)]) }
        scene.approve()
        try scene.go(to: .merging)
        scene.tell(try scene.success(of: .merging))
        #expect(try scene.answer?.get() != nil)
    }

    @Test(
        "What disk or review refuses leaves the entry and gives nothing out",
        arguments: Scene.Origin.allCases)
    func refusals(origin: Scene.Origin) throws {
        let disk = CommitResult.unchanged("it is full")
        let fault = VaultRefusal.notSigned(.otherReport, "it changed")
        for step in [Step.checking, .committingCount, .working, .committing, .merging] {
            var scene = try Scene(origin)
            scene.approve()
            try scene.go(to: step)
            let worker = try #require(scene.worker)
            switch step {
            case .committingCount, .committing: scene.tell(.committed(disk))
            default: scene.tell(.workerEnded(worker, .said(.refused(fault, []))))
            }
            if step == .committing { scene.tell(.committed(disk)) }
            #expect(try thrownRefusal(scene.answer) != nil)
            #expect(scene.toldLink == [])
            #expect(scene.waiting() == [scene.entry])
        }
    }

    private func thrownRefusal(
        _ answer: Result<VaultAnswer, VaultRefusal>?
    ) throws -> VaultRefusal? {
        guard case .failure(let refusal)? = answer else { return nil }
        return refusal
    }

    @Test(
        "What was signed and reached nobody is told to the ledger, and then alone",
        arguments: Scene.Origin.allCases)
    func undelivered(origin: Scene.Origin) throws {
        let refusal = VaultRefusal.notHandedOver(.output)
        for step in [Step.checking, .working, .merging] {
            for result in [
                WorkerResult.failed("signal 9 ended it"), .said(.refused(refusal, [])),
            ] {
                var scene = try Scene(origin)
                scene.approve()
                try scene.go(to: step)
                scene.tell(.workerEnded(try #require(scene.worker), result))
                let why =
                    result == .said(.refused(refusal, []))
                    ? refusal : VaultRefusal.workerFailed("signal 9 ended it")
                let event = RecordedEvent.undelivered(
                    uid: 1000, wallet: Scene.vault, file: summary(Scene.file).file,
                    reason: why.sentence)
                let isTold = try scene.settle().contains(event)
                #expect(isTold == (step == .merging), "\(step), \(why)")
            }
        }
        var scene = try Scene(origin)
        scene.approve()
        try scene.go(to: .merging)
        scene.tell(try scene.success(of: .merging))
        let entered = try scene.settle()
        #expect(entered.isEmpty)
    }

    @Test("A console that leaves before its signed file is there leaves an entry in the ledger")
    func undeliveredToConsole() throws {
        for step in [Step.committing, .merging] {
            var scene = try Scene(.console)
            scene.approve()
            try scene.go(to: step)
            scene.tell(.consoleEnded(Scene.console, violation: nil))
            let ended: SignerEvent =
                step == .committing
                ? .committed(.done)
                : .workerEnded(try #require(scene.worker), .failed("signal 9 ended it"))
            scene.tell(ended)
            let told = try scene.settle()
            #expect(told.contains { if case .undelivered = $0 { true } else { false } }, "\(step)")
        }
    }

    @Test("What the last review of the same wallets found is not reviewed again before the attempt")
    func noSecondCheck() throws {
        /// What is done first: a review for an approval that the last one does not cover.
        func begins(
            with change: (inout PSBTApproval) -> Void = { _ in }, sameWallets: Bool = true,
            warnings: [String] = []
        ) throws -> OperationJob.Task? {
            var scene = try Scene(.link, sameWallets: sameWallets, warnings: warnings)
            var approval = scene.approval
            change(&approval)
            scene.approve(approval)
            scene.tell(try scene.success(of: .listing))
            scene.tell(try scene.success(of: .loading))
            return scene.job?.task
        }
        func isCheck(_ task: OperationJob.Task?) -> Bool {
            if case .check = task { true } else { false }
        }
        guard case .count = try begins() else {
            Issue.record("it was reviewed again")
            return
        }
        let other = summary([9])
        #expect(isCheck(try begins(sameWallets: false)))
        #expect(isCheck(try begins { $0.file = other.file }))
        #expect(isCheck(try begins { $0.report = other.report }))
        #expect(isCheck(try begins(warnings: ["fee-large"])))
        let accepted = try begins(with: { $0.accepted = ["fee-large"] }, warnings: ["fee-large"])
        #expect(!isCheck(accepted))
    }

    @Test("An approval whose wallets changed under it is checked, however they changed")
    func walletChanges() throws {
        let other = try #require(VaultID([UInt8](repeating: 3, count: VaultID.length)))
        for change: StateChange in [
            .put(.name(other), [1]), .put(.index(other), [1]), .remove(.vault(Scene.vault)),
        ] {
            var scene = try Scene(.console, sameWallets: true)
            scene.signer.noteWallets(in: [change])
            scene.approve()
            scene.tell(try scene.success(of: .listing))
            scene.tell(try scene.success(of: .loading))
            guard case .check? = scene.job?.task else {
                Issue.record("\(change)")
                continue
            }
        }
    }

    @Test("A refused review counts no attempt")
    func noAttempt() throws {
        var scene = try Scene(.link)
        scene.approve()
        try scene.go(to: .checking)
        let worker = try #require(scene.worker)
        scene.tell(.workerEnded(worker, .said(.refused(.notSigned(.stopped, "x"), []))))
        #expect(!scene.actions.contains { if case .commit = $0 { true } else { false } })
    }

    @Test(
        "A console that leaves at any step gets nothing more, and the link only what was signed",
        arguments: Scene.Origin.allCases, Step.allCases)
    func consoleLeaves(origin: Scene.Origin, step: Step) throws {
        var scene = try Scene(origin)
        scene.approve()
        try scene.go(to: step)
        scene.tell(.consoleEnded(Scene.console, violation: nil))
        let isKilled = scene.actions.contains { if case .kill = $0 { true } else { false } }
        let mustSign = origin == .link && (step == .committing || step == .merging)
        let hasWorker = [.checking, .counting, .working, .merging].contains(step)
        #expect(isKilled == (hasWorker && !mustSign))
        var told: [LinkReply] = []
        if isKilled {
            let worker = try #require(scene.worker)
            scene.tell(.workerEnded(worker, .failed("signal 9 ended it")))
        } else {
            for rest in Step.allCases where rest.rawValue >= step.rawValue {
                // What was abandoned before its first worker ends without one.
                guard scene.signer.operations.running != nil else { break }
                scene.tell(try scene.success(of: rest))
                told += scene.toldLink
            }
        }
        #expect(told.contains(.signed(Scene.request, file: Scene.signed)) == mustSign)
        try scene.settle()
        #expect(scene.signer.operations.running == nil)
        let other = ConsoleID(2)
        scene.tell(.connected(other, uid: 1000))
        let stays = origin == .link && !mustSign
        #expect(scene.waiting(for: other) == (stays ? [scene.entry] : []))
    }

    @Test(
        "A link that is lost at any step gets the signed file when it asks anew",
        arguments: Step.allCases)
    func linkLost(step: Step) throws {
        var scene = try Scene(.link)
        scene.approve()
        try scene.go(to: step)
        scene.tell(.linkEnded(.closed, "gone"))
        for rest in Step.allCases where rest.rawValue >= step.rawValue {
            scene.tell(try scene.success(of: rest))
            #expect(scene.toldLink == [])
        }
        scene.tell(.control(.newLink(generation: 2)))
        scene.tell(.link(.hello))
        #expect(
            scene.state() == [
                .answer(Scene.request, .signed), .signed(Scene.request, file: Scene.signed),
            ])
    }

    @Test("While it is signed an entry is neither rejected nor expired")
    func beingSigned() throws {
        var scene = try Scene(.link)
        let other = ConsoleID(2)
        scene.tell(.connected(other, uid: 1001))
        scene.approve()
        try scene.go(to: .working)
        scene.tell(.console(other, .reject(scene.entry, reason: "no"), pipe: nil))
        #expect(scene.actions == [.reply(other, .entryGone(.beingSigned(scene.entry)))])
        let late = scene.signer.limits.entryTime
        let rows = scene.waiting(for: other)
        #expect(rows == [scene.entry])
        #expect(scene.signer.pending.expired(at: late).isEmpty)
    }

    @Test("What a console submitted is signed only where its output was handed over")
    func outputs() throws {
        for origin in Scene.Origin.allCases {
            var scene = try Scene(origin)
            scene.tell(.console(Scene.console, .secretInput, pipe: PipeID(1)))
            let request = VaultRequest.approve(
                scene.entry, scene.approval, wantsTransaction: false)
            scene.tell(.console(Scene.console, .operation(request), pipe: nil))
            let refused = scene.answer == .failure(.notHandedOver(.output))
            #expect(refused == (origin == .console))
        }
    }
}
