import Messages
import NetworkCore
import TestSupport
import Testing
import Wire

@Suite("The network process's decisions")
struct NetworkProcessTests {
    private let asker = QueryID(1)

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
