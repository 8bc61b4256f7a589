import Messages
import NetworkCore
import TestSupport
import Testing
import Wire

@Suite("The network process's decisions")
struct NetworkProcessTests {
    private let asker = QueryID(1)
    private let done = WorkAnswer(.done, digest: .zero)

    private func process(_ limits: NetworkLimits = NetworkLimits()) -> NetworkProcess {
        var process = NetworkProcess(
            chain: .regtest, limits: limits, random: SeededGenerator(seed: 1), at: .zero)
        #expect(process.handle(.started, at: .zero) == [.tell(.hello)])
        #expect(process.handle(.connected(asker), at: .zero) == [])
        return process
    }

    private func ping(_ actions: [NetworkAction]) -> UInt64? {
        for case .tell(.ping(let nonce)) in actions { return nonce }
        return nil
    }

    private func requests(_ actions: [NetworkAction]) -> [RequestID] {
        actions.compactMap { if case .tell(.request(let id, _)) = $0 { id } else { nil } }
    }

    private func inquiries(_ actions: [NetworkAction]) -> [RequestID] {
        actions.compactMap { if case .tell(.inquiry(let id)) = $0 { id } else { nil } }
    }

    @Test("A request waits for the link, is sent once, and its answer goes to who asked")
    func request() {
        var process = process()
        #expect(process.handle(.query(asker, .work(payload: [1])), at: .zero) == [])
        let up = process.handle(.link(.welcome), at: .zero)
        let id = inquiries(up).first ?? RequestID(high: 0, low: 0)
        #expect(inquiries(up).count == 1)
        // The signer has never heard of it.
        let sent = process.handle(.link(.answer(id, .unknown)), at: .zero)
        #expect(sent == [.tell(.request(id, payload: [1]))])
        #expect(process.handle(.link(.answer(id, .pending)), at: .zero) == [])
        let answered = process.handle(.link(.answer(id, .signed)), at: .zero)
        #expect(answered == [.reply(asker, .workAnswer(done))])
        #expect(process.handle(.link(.answer(id, .signed)), at: .zero) == [])
    }

    @Test("After a failed accept the socket is left alone for a while, and one line says so")
    func acceptFails() {
        var process = process()
        let first = process.handle(.acceptFailed("no room"), at: .seconds(1))
        #expect(first == [.report(.log(.warning, "a connection could not be accepted: no room"))])
        #expect(!process.acceptsConnections)
        #expect(process.nextDeadline == .seconds(1) + process.limits.acceptPause)
        for second in 2...100 as ClosedRange<Int64> {
            #expect(process.handle(.time, at: .seconds(second)) == [])
            #expect(process.acceptsConnections)
            #expect(process.handle(.acceptFailed("no room"), at: .seconds(second)) == [])
        }
        _ = process.handle(.time, at: .seconds(200))
        #expect(process.acceptsConnections)
        _ = process.handle(.connected(QueryID(2)), at: .seconds(200))
        #expect(process.handle(.acceptFailed("again"), at: .seconds(201)).count == 1)
    }

    @Test("A request keeps its id over links, and is not sent again where it is known")
    func outlivesLinks() {
        var process = process()
        _ = process.handle(.link(.welcome), at: .zero)
        let sent = requests(process.handle(.query(asker, .work(payload: [1])), at: .zero))
        let lost = process.handle(.linkEnded(.closed, "gone"), at: .zero)
        #expect(lost == [.report(.linkLost(generation: 0, .closed, "gone"))])
        let opened = process.handle(.control(.newLink(generation: 4)), at: .zero)
        #expect(opened == [.adoptLink, .tell(.hello)])
        #expect(inquiries(process.handle(.link(.welcome), at: .zero)) == sent)
        let answered = process.handle(.link(.answer(sent[0], .signed)), at: .zero)
        #expect(answered == [.reply(asker, .workAnswer(done))])
        #expect(process.status(at: .zero).sent == 1)
        #expect(process.status(at: .zero).linkGeneration == 4)
    }

    @Test("One connection has one request, and all together have so many and so large")
    func quotas() {
        var limits = NetworkLimits()
        limits.requests = 2
        limits.requestBytes = 10
        var process = process(limits)
        let full = [QueryReply.workAnswer(WorkAnswer(.full))]
        #expect(process.handle(.query(asker, .work(payload: [1])), at: .zero) == [])
        let second = process.handle(.query(asker, .work(payload: [1])), at: .zero)
        #expect(second == full.map { .reply(asker, $0) })
        let others = (2...4).map { QueryID($0) }
        for other in others { _ = process.handle(.connected(other), at: .zero) }
        let large = process.handle(.query(others[0], .work(payload: Array(0..<10))), at: .zero)
        #expect(large == full.map { .reply(others[0], $0) })
        #expect(process.handle(.query(others[1], .work(payload: [1])), at: .zero) == [])
        let third = process.handle(.query(others[2], .work(payload: [1])), at: .zero)
        #expect(third == full.map { .reply(others[2], $0) })
    }

    @Test("The answer to one who is gone is dropped, and makes room")
    func gone() {
        var process = process()
        _ = process.handle(.link(.welcome), at: .zero)
        let sent = requests(process.handle(.query(asker, .work(payload: [1])), at: .zero))
        #expect(process.handle(.queryEnded(asker, violation: nil), at: .zero) == [])
        #expect(process.handle(.link(.answer(sent[0], .signed)), at: .zero) == [])
        #expect(process.status(at: .zero).waiting == 0)
    }

    @Test("The signer is asked for a sign of life again and again, and silence is told once")
    func pings() {
        var process = process()
        let first = ping(process.handle(.link(.welcome), at: .zero))
        #expect(process.nextDeadline == .seconds(5))
        // An answer to something else is no sign of life.
        _ = process.handle(.link(.pong(nonce: 0)), at: .milliseconds(1))
        #expect(process.nextDeadline == .seconds(5))
        _ = process.handle(.link(.pong(nonce: first ?? 0)), at: .milliseconds(2))
        #expect(process.status(at: .zero).roundTripNanoseconds == 2_000_000)
        #expect(process.nextDeadline == .milliseconds(1002))
        #expect(ping(process.handle(.time, at: .milliseconds(1001))) == nil)
        #expect(ping(process.handle(.time, at: .milliseconds(1002))) != nil)
        let silence = process.handle(.time, at: .seconds(7))
        #expect(silence.count == 1)
        #expect(process.handle(.time, at: .seconds(8)) == [])
        #expect(process.nextDeadline == nil)
    }

    @Test("Orders for another process or another chain end it, and so does the keeper's end")
    func endings() {
        let hellos: [(ChildRole, ChainName)] = [(.signer, .regtest), (.network, .mainnet)]
        for (role, chain) in hellos {
            var process = process()
            let hello = ControlHello(
                role: role, chain: chain, hasOneUser: true, networkUID: 0, signerDirectory: "",
                signerSocket: "")
            let actions = process.handle(.control(.hello(hello)), at: .zero)
            #expect(actions.last == .finish(.wrongOrders))
        }
        var stopped = process()
        #expect(stopped.handle(.control(.stop), at: .zero) == [.finish(.stopped)])
        var orphan = process()
        #expect(orphan.handle(.controlEnded("x"), at: .zero).last == .finish(.keeperGone))
        #expect(orphan.handle(.started, at: .zero) == [])
    }

    @Test("A flood pauses its own connection only")
    func flood() {
        var process = process()
        for nonce in 0..<5000 as Range<UInt64> {
            _ = process.handle(.query(asker, .ping(nonce: nonce)), at: .zero)
        }
        #expect(process.pause(of: asker, at: .zero) == .seconds(3))
        _ = process.handle(.connected(QueryID(2)), at: .zero)
        #expect(process.pause(of: QueryID(2), at: .zero) == nil)
    }
}
