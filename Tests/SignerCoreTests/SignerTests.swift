import Messages
import SignerCore
import Testing
import Wire

@Suite("The signer's decisions")
struct SignerTests {
    private let id = RequestID(high: 1, low: 1)
    private let console = ConsoleID(1)

    private func signer(
        _ limits: SignerLimits = SignerLimits(), hasOneUser: Bool = false
    ) -> Signer {
        var signer = Signer(chain: .regtest, limits: limits, at: .zero)
        _ = signer.handle(.control(.hello(hello(hasOneUser: hasOneUser))), at: .zero)
        _ = signer.handle(.link(.hello), at: .zero)
        _ = signer.handle(.connected(console, uid: 1000), at: .zero)
        return signer
    }

    private func hello(
        role: ChildRole = .signer, chain: ChainName = .regtest, hasOneUser: Bool = false
    ) -> ControlHello {
        ControlHello(
            role: role, chain: chain, hasOneUser: hasOneUser, networkUID: 990,
            signerDirectory: "/s", signerSocket: "/s.sock")
    }

    @Test("Nobody is served before the keeper has said whom to refuse")
    func before() {
        var signer = Signer(chain: .regtest, at: .zero)
        #expect(!signer.acceptsConsoles)
        #expect(signer.handle(.connected(console, uid: 1), at: .zero) == [.close(console)])
    }

    @Test("Orders for another process or another chain end the signer")
    func wrongOrders() {
        for hello in [hello(role: .network), hello(chain: .mainnet)] {
            var signer = Signer(chain: .regtest, at: .zero)
            let actions = signer.handle(.control(.hello(hello)), at: .zero)
            #expect(actions.last == .finish(.wrongOrders))
            #expect(signer.handle(.time, at: .zero) == [])
        }
    }

    @Test("The network process's uid is refused, unless there is one uid for all")
    func networkUser() {
        var signer = signer()
        let actions = signer.handle(.connected(ConsoleID(2), uid: 990), at: .zero)
        #expect(actions.first == .close(ConsoleID(2)))
        #expect(actions.count == 2)
        var single = self.signer(hasOneUser: true)
        #expect(single.handle(.connected(ConsoleID(2), uid: 990), at: .zero) == [])
    }

    @Test("There are never more consoles than allowed, and a closed one makes room")
    func consoles() {
        var limits = SignerLimits()
        limits.consoles = 2
        var signer = signer(limits)
        #expect(signer.handle(.connected(ConsoleID(2), uid: 1), at: .zero) == [])
        #expect(!signer.acceptsConsoles)
        let refused = signer.handle(.connected(ConsoleID(3), uid: 1), at: .zero)
        #expect(refused == [.close(ConsoleID(3))])
        #expect(signer.handle(.consoleEnded(console, violation: nil), at: .zero) == [])
        #expect(signer.acceptsConsoles)
    }

    @Test("After a failed accept the socket is left alone for a while, and one line says so")
    func acceptFails() {
        var signer = signer()
        let first = signer.handle(.acceptFailed("no room"), at: .seconds(1))
        #expect(first == [.report(.log(.warning, "a connection could not be accepted: no room"))])
        #expect(!signer.acceptsConsoles)
        #expect(signer.nextDeadline == .seconds(1) + signer.limits.acceptPause)
        for second in 2...100 as ClosedRange<Int64> {
            #expect(signer.handle(.time, at: .seconds(second)) == [])
            #expect(signer.acceptsConsoles)
            #expect(signer.handle(.acceptFailed("no room"), at: .seconds(second)) == [])
        }
        _ = signer.handle(.time, at: .seconds(200))
        #expect(signer.acceptsConsoles)
        _ = signer.handle(.connected(ConsoleID(2), uid: 1000), at: .seconds(200))
        #expect(signer.handle(.acceptFailed("again"), at: .seconds(201)).count == 1)
    }

    @Test("A console that says nothing gives its place to others, unless it waits for an answer")
    func idle() {
        var signer = signer()
        let (limit, other) = (signer.limits.consoleIdleTime, ConsoleID(2))
        _ = signer.handle(.connected(other, uid: 1000), at: .zero)
        _ = signer.handle(.console(other, .submit(file: []), pipe: nil), at: .zero)
        _ = signer.handle(.console(console, .status, pipe: nil), at: .seconds(5))
        let late = limit + .seconds(4)
        // The worker of the other is late before: it is killed, and its end is what it waits for.
        #expect(!signer.handle(.time, at: late).contains(.close(console)))
        #expect(signer.nextDeadline == limit + .seconds(5))
        let closing = signer.handle(.time, at: limit + .seconds(5))
        #expect(closing.first == .close(console))
        #expect(!closing.contains(.close(other)))
        #expect(signer.status(at: late).consoles == 1)
        #expect(signer.handle(.console(console, .status, pipe: nil), at: late) == [])

        let answered = limit + .seconds(6)
        let ended = signer.handle(.workerEnded(WorkerID(1), .failed("it was late")), at: answered)
        #expect(ended.contains(.reply(other, .entry(.failure(.reviewFailed("it took too long"))))))
        #expect(signer.nextDeadline == answered + limit)
        #expect(signer.handle(.time, at: answered + limit).contains(.close(other)))
    }

    @Test("One user never takes the places of all others")
    func shareOfOneUser() {
        var signer = signer()
        let limits = SignerLimits()
        let consoles = (2...20).map { ConsoleID($0) }
        let closed = consoles.filter { id in
            signer.acceptsConsoles
                && signer.handle(.connected(id, uid: 4), at: .zero).contains(.close(id))
        }
        #expect(!closed.isEmpty)
        #expect(signer.acceptsConsoles)
        #expect(limits.consolesOfOneUser < limits.consoles)
        #expect(signer.handle(.connected(ConsoleID(99), uid: 5), at: .zero) == [])
    }

    @Test("A request is taken once: sent again it gets the answer again, on any link")
    func idempotent() throws {
        var signer = signer()
        let first = signer.handle(.link(.request(id, payload: [1])), at: .zero)
        #expect(first.first == .tell(.answer(id, .reviewing)))
        let worker = try #require(startedReview(first)?.worker)
        let again = signer.handle(.link(.request(id, payload: [1])), at: .zero)
        #expect(again == [.tell(.answer(id, .reviewing))])

        let lost = signer.handle(.linkEnded(.closed, "gone"), at: .zero)
        #expect(lost == [.report(.linkLost(generation: 0, .closed, "gone"))])
        // The review ends while there is no link.
        let reviewed = WorkerResult.reviewed(.success(summary([1])))
        #expect(signer.handle(.workerEnded(worker, reviewed), at: .zero) == [])
        #expect(signer.handle(.control(.newLink(generation: 1)), at: .zero) == [.adoptLink])
        #expect(signer.handle(.link(.hello), at: .zero) == [.tell(.welcome)])
        #expect(signer.handle(.link(.inquiry(id)), at: .zero) == [.tell(.answer(id, .pending))])
        let third = signer.handle(.link(.request(id, payload: [1])), at: .zero)
        #expect(third == [.tell(.answer(id, .pending))])
    }

    @Test("What came by a link that is over is not answered")
    func oldLink() {
        var signer = signer()
        _ = signer.handle(.linkEnded(.violation, "it lied"), at: .zero)
        #expect(signer.handle(.link(.ping(nonce: 1)), at: .zero) == [])
    }

    @Test("The link can fill its own queue and not the consoles'")
    func quotas() throws {
        var limits = SignerLimits()
        limits.linkEntries = 3
        var signer = signer(limits)
        var states: [RequestState] = []
        for low in 1...5 as ClosedRange<UInt64> {
            let id = RequestID(high: 2, low: low)
            let actions = signer.handle(.link(.request(id, payload: [1])), at: .zero)
            if case .tell(.answer(_, let state))? = actions.first { states.append(state) }
        }
        #expect(states == [.reviewing, .reviewing, .reviewing, .full, .full])
        let submit = signer.handle(.console(console, .submit(file: [1]), pipe: nil), at: .zero)
        #expect(startedReview(submit)?.job.asker == console)
        #expect(signer.status(at: .zero).refused == 2)
        #expect(signer.status(at: .zero).waiting == 4)
    }

    @Test("Bytes count too")
    func bytes() throws {
        var limits = SignerLimits()
        limits.linkEntryBytes = 10
        var signer = signer(limits)
        let large = [UInt8](repeating: 1, count: 6)
        let first = signer.handle(.link(.request(id, payload: large)), at: .zero)
        let second = RequestID(high: 1, low: 2)
        let refused = signer.handle(.link(.request(second, payload: large)), at: .zero)
        #expect(refused == [.tell(.answer(second, .full))])
        // That is no final answer: once there is room it may come again.
        let worker = try #require(startedReview(first)?.worker)
        let unreadable = WorkerResult.reviewed(.failure(.unreadable("it is none")))
        _ = signer.handle(.workerEnded(worker, unreadable), at: .zero)
        let taken = signer.handle(.link(.request(second, payload: large)), at: .zero)
        #expect(taken.first == .tell(.answer(second, .reviewing)))
    }

    @Test("Requests may come only so fast, and frames too")
    func rates() {
        var limits = SignerLimits()
        limits.requestsPerSecond = 1
        limits.requestsAtOnce = 2
        limits.framesPerSecond = 10
        limits.framesAtOnce = 10
        var signer = signer(limits)
        var states: [RequestState] = []
        for low in 1...3 as ClosedRange<UInt64> {
            let id = RequestID(high: 2, low: low)
            let actions = signer.handle(.link(.request(id, payload: [])), at: .zero)
            if case .tell(.answer(_, let state))? = actions.first { states.append(state) }
        }
        #expect(states == [.reviewing, .reviewing, .tooFast])
        #expect(signer.linkPause(at: .zero) == nil)
        for nonce in 0..<20 as Range<UInt64> {
            _ = signer.handle(.link(.ping(nonce: nonce)), at: .zero)
        }
        let pause = signer.linkPause(at: .zero)
        #expect(pause == .milliseconds(1400))
        #expect(signer.linkPause(at: .milliseconds(1400)) == nil)
        #expect(signer.pause(of: console, at: .zero) == nil)
    }

    @Test("A worker that is late is killed, once, and the next review starts")
    func deadline() throws {
        var signer = signer()
        let first = signer.handle(.link(.request(id, payload: [1])), at: .zero)
        let worker = try #require(startedReview(first)?.worker)
        let second = RequestID(high: 1, low: 2)
        _ = signer.handle(.link(.request(second, payload: [2])), at: .zero)
        let time = signer.limits.reviewTime
        #expect(signer.nextDeadline == time)
        #expect(signer.handle(.time, at: time - .milliseconds(1)) == [])
        #expect(signer.handle(.time, at: time) == [.kill(worker)])
        #expect(signer.handle(.time, at: time + .seconds(1)) == [])
        #expect(signer.nextDeadline == signer.limits.consoleIdleTime)
        let ended = signer.handle(.workerEnded(worker, .failed("killed")), at: time)
        let why = EntryRefusal.reviewFailed("it took too long").sentence
        #expect(ended.contains(.tell(.answer(id, .refused(.failed, why)))))
        #expect(startedReview(ended)?.job.file == [2])
    }

    @Test("A worker may not say what only the broker may")
    func workerOutcomes() throws {
        for wrong in [
            WorkerResult.reviewed(.failure(.full)), .said(.done(.done(remarks: []), [])),
            .gave([1], .done(.done(remarks: []), [])),
        ] {
            var signer = signer()
            let taken = signer.handle(.link(.request(id, payload: [1])), at: .zero)
            let worker = try #require(startedReview(taken)?.worker)
            let actions = signer.handle(.workerEnded(worker, wrong), at: .zero)
            #expect(
                actions.contains {
                    if case .tell(.answer(id, .refused(.failed, _))) = $0 { true } else { false }
                })
        }
    }

    @Test("One console has one review, and one that leaves takes what it submitted along")
    func oneReview() throws {
        var signer = signer()
        let other = ConsoleID(2)
        _ = signer.handle(.connected(other, uid: 1), at: .zero)
        let first = signer.handle(.console(console, .submit(file: [1]), pipe: nil), at: .zero)
        let worker = try #require(startedReview(first)?.worker)
        let second = signer.handle(.console(console, .submit(file: [1]), pipe: nil), at: .zero)
        #expect(second == [.reply(console, .entry(.failure(.busy)))])
        #expect(signer.handle(.console(other, .submit(file: [2]), pipe: nil), at: .zero) == [])
        #expect(signer.handle(.consoleEnded(other, violation: nil), at: .zero) == [])
        #expect(signer.status(at: .zero).waiting == 1)
        #expect(
            signer.handle(.consoleEnded(console, violation: nil), at: .zero) == [.kill(worker)])
        #expect(signer.handle(.workerEnded(worker, .failed("killed")), at: .zero) == [])
        #expect(signer.status(at: .zero).failed == 0)
        #expect(signer.status(at: .zero).waiting == 0)
        let late = signer.handle(.console(console, .output, pipe: PipeID(4)), at: .zero)
        #expect(late == [.drop(PipeID(4))])
    }

    @Test("An end kills what runs and is the last word")
    func finish() {
        var signer = signer()
        let worker = startedReview(signer.handle(.link(.request(id, payload: [1])), at: .zero))?.0
        let actions = signer.handle(.control(.stop), at: .zero)
        #expect(actions == [.kill(worker ?? WorkerID(0)), .finish(.stopped)])
        #expect(signer.handle(.link(.ping(nonce: 1)), at: .zero) == [])
        var other = self.signer()
        #expect(other.handle(.controlEnded("it closed"), at: .zero).last == .finish(.keeperGone))
    }

    @Test("A flood of complaints leaves a bounded log that says what it left out")
    func log() {
        var signer = signer()
        var lines: [String] = []
        for number in 0..<1000 as Range<UInt64> {
            let id = ConsoleID(100 + number)
            _ = signer.handle(.connected(id, uid: 5), at: .zero)
            let actions = signer.handle(.consoleEnded(id, violation: "it lied"), at: .zero)
            for case .report(.log(_, let line)) in actions { lines.append(line) }
        }
        #expect(lines.count == 20)
        _ = signer.handle(.connected(ConsoleID(2), uid: 5), at: .seconds(10))
        let actions = signer.handle(.consoleEnded(ConsoleID(2), violation: "x"), at: .seconds(10))
        guard case .report(.log(_, let line))? = actions.first else {
            Issue.record("no line")
            return
        }
        #expect(line.hasSuffix("(980 lines before it were left out)"))
    }
}
