import Configuration
import KeeperCore
import Testing

@Suite("Keeper")
struct KeeperTests {
    private func seconds(_ number: Int) -> Duration { .seconds(number) }

    /// A keeper of both children, both ready at second 1.
    private func running() -> Keeper {
        var keeper = Keeper(plan: KeeperPlan(role: .home))
        _ = keeper.handle(.time, at: .zero)
        _ = keeper.handle(.ready(.signer), at: seconds(1))
        _ = keeper.handle(.ready(.network), at: seconds(1))
        return keeper
    }

    private func withoutReports(_ actions: [Action]) -> [Action] {
        actions.filter { action in
            if case .report = action { return false }
            return action != .publish
        }
    }

    private func reports(_ actions: [Action]) -> [Report] {
        actions.compactMap { action in
            if case .report(let report) = action { return report }
            return nil
        }
    }

    @Test("at first it starts the signer, then the network process at the other end of its link")
    func start() {
        var keeper = Keeper(plan: KeeperPlan(role: .home))
        #expect(keeper.nextDeadline == .zero)
        let actions = keeper.handle(.time, at: .zero)
        #expect(withoutReports(actions) == [.spawn(.signer, .fresh), .spawn(.network, .kept)])
        #expect(!keeper.wasReady)
        _ = keeper.handle(.ready(.network), at: seconds(1))
        #expect(!keeper.wasReady)
        _ = keeper.handle(.ready(.signer), at: seconds(1))
        #expect(keeper.wasReady && keeper.isReady(.signer) && keeper.isReady(.network))
    }

    @Test("a role with one child gives it a closed link", arguments: [Role.offline, .watch])
    func oneChild(role: Role) {
        var keeper = Keeper(plan: KeeperPlan(role: role))
        let child = role == .offline ? Child.signer : .network
        #expect(withoutReports(keeper.handle(.time, at: .zero)) == [.spawn(child, .closed)])
        #expect(withoutReports(keeper.handle(.ready(child), at: .zero)).isEmpty)
        #expect(keeper.wasReady)
        _ = keeper.handle(.linkLost(child, generation: 0, "closed"), at: .zero)
        #expect(withoutReports(keeper.handle(.time, at: seconds(5))).isEmpty, "there is no link")
    }

    @Test("a dead network process leaves the signer alone, which gets a new link end")
    func networkDies() {
        var keeper = running()
        let actions = keeper.handle(.ended(.network, .killed(signal: 11)), at: seconds(2))
        #expect(withoutReports(actions).isEmpty)
        #expect(keeper.isReady(.signer))
        #expect(keeper.nextDeadline == seconds(2) + .milliseconds(250))
        let restart = keeper.handle(.time, at: seconds(3))
        #expect(withoutReports(restart) == [.spawn(.network, .fresh), .sendLink(.signer)])
        #expect(keeper.starts(of: .network) == 2 && keeper.starts(of: .signer) == 1)
    }

    @Test("when both are dead, the second one started gets the end kept by the first")
    func bothDie() {
        var keeper = running()
        _ = keeper.handle(.ended(.network, .killed(signal: 11)), at: seconds(2))
        _ = keeper.handle(.ended(.signer, .killed(signal: 11)), at: seconds(3))
        #expect(
            withoutReports(keeper.handle(.time, at: .milliseconds(2900)))
                == [.spawn(.network, .fresh)])
        #expect(
            withoutReports(keeper.handle(.time, at: seconds(4))) == [.spawn(.signer, .kept)])
    }

    @Test("a link that is gone while both run is renewed by starting the network process again")
    func linkLost() {
        var keeper = running()
        #expect(keeper.linkGeneration == 1)
        let lost = Event.linkLost(.signer, generation: 1, "trailing bytes")
        #expect(keeper.handle(lost, at: seconds(2)).isEmpty)
        _ = keeper.handle(.linkLost(.network, generation: 1, "closed"), at: .milliseconds(2100))
        #expect(keeper.nextDeadline == .milliseconds(2500))
        let kill = keeper.handle(.time, at: .milliseconds(2500))
        #expect(
            kill == [.report(.linkLost(.network, "trailing bytes")), .kill(.network)])
        _ = keeper.handle(.ended(.network, .killed(signal: 9)), at: .milliseconds(2500))
        let restart = withoutReports(keeper.handle(.time, at: seconds(3)))
        #expect(restart == [.spawn(.network, .fresh), .sendLink(.signer)])
        #expect(keeper.linkGeneration == 2)
        _ = keeper.handle(.ready(.network), at: seconds(3))
        _ = keeper.handle(lost, at: seconds(4))
        #expect(withoutReports(keeper.handle(.time, at: seconds(5))).isEmpty, "an old link")
    }

    @Test("the wait doubles up to its limit, and is forgotten after a stable time")
    func backOff() {
        var keeper = running()
        var now = seconds(10)
        var waits: [Duration] = []
        for _ in 0..<9 {
            for case .restarting(_, let wait, _) in reports(
                keeper.handle(.ended(.network, .exited(1)), at: now))
            {
                waits.append(wait)
                now += wait
            }
            _ = keeper.handle(.time, at: now)
            _ = keeper.handle(.ready(.network), at: now)
        }
        let expected = [250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]
        #expect(waits == expected.map { .milliseconds($0) })

        now += keeper.plan.stableAfter
        let last = reports(keeper.handle(.ended(.network, .exited(1)), at: now))
        #expect(last.contains(.restarting(.network, wait: .milliseconds(250), failures: 1)))
    }

    @Test("what the keeper killed itself is no alert and says so; another end is told as it was")
    func ownKill() {
        for (ending, level) in [
            (Ending.killed(signal: 9), Report.Level.notice), (.killed(signal: 31), .alert),
        ] {
            var keeper = running()
            _ = keeper.handle(.time, at: seconds(11))
            let killed = keeper.handle(.time, at: seconds(41))
            #expect(reports(killed).contains(.noSignOfLife(.signer)))
            let report = reports(keeper.handle(.ended(.signer, ending), at: seconds(41))).first
            #expect(report?.level == level)
            #expect(report?.description.contains("the keeper killed it") == (level == .notice))
        }
        var keeper = running()
        let report = reports(keeper.handle(.ended(.signer, .killed(signal: 9)), at: seconds(2)))
        #expect(report.first?.level == .alert, "killed by somebody else")
    }

    @Test("only a signer that dies by a signal, or breaks its channel, is an alert")
    func alert() {
        let broken = Report.channelBroken(.signer, "trailing bytes")
        #expect(broken.level == .alert && broken.description.hasPrefix("ALERT: "))
        #expect(Report.channelBroken(.network, "trailing bytes").level == .warning)
        #expect(Report.ended(.signer, .killed(signal: 31)).level == .alert)
        #expect(Report.ended(.signer, .killed(signal: 31)).description.contains("SIGSYS"))
        #expect(Report.ended(.network, .killed(signal: 31)).level == .warning)
        #expect(Report.ended(.signer, .exited(1)).level == .notice)
    }

    @Test(
        "a child that is not ready in time, gives no sign of life or breaks its channel is killed")
    func kills() {
        var keeper = Keeper(plan: KeeperPlan(role: .offline))
        _ = keeper.handle(.time, at: .zero)
        #expect(withoutReports(keeper.handle(.time, at: seconds(9))).isEmpty)
        #expect(withoutReports(keeper.handle(.time, at: seconds(10))) == [.kill(.signer)])

        keeper = running()
        #expect(
            withoutReports(keeper.handle(.time, at: seconds(11))) == [
                .ping(.signer), .ping(.network),
            ])
        _ = keeper.handle(.answered(.network), at: seconds(12))
        #expect(
            withoutReports(keeper.handle(.time, at: seconds(41))) == [
                .kill(.signer), .ping(.network),
            ])

        keeper = running()
        let broken = keeper.handle(.channelBroken(.network, "trailing bytes"), at: seconds(2))
        #expect(withoutReports(broken) == [.kill(.network)])
        #expect(keeper.handle(.channelBroken(.network, "again"), at: seconds(2)).isEmpty)

        keeper = running()
        #expect(keeper.handle(.channelClosed(.network), at: seconds(2)).isEmpty, "it is ending")
        #expect(withoutReports(keeper.handle(.time, at: seconds(3))) == [.kill(.network)])
    }

    @Test("a stop asks every child, kills at the deadline, and then ends with success")
    func stop() {
        var keeper = running()
        let actions = keeper.handle(.stopRequested, at: seconds(2))
        #expect(withoutReports(actions) == [.stop(.signer), .stop(.network)])
        #expect(withoutReports(keeper.handle(.ended(.signer, .exited(0)), at: seconds(3))).isEmpty)
        #expect(withoutReports(keeper.handle(.time, at: seconds(7))) == [.kill(.network)])
        let last = keeper.handle(.ended(.network, .killed(signal: 9)), at: seconds(8))
        #expect(last.last == .finish(.success))
        #expect(keeper.nextDeadline == nil)
    }

    @Test("a second stop does not wait")
    func impatientStop() {
        var keeper = running()
        _ = keeper.handle(.stopRequested, at: seconds(2))
        let actions = keeper.handle(.stopRequested, at: seconds(2))
        #expect(withoutReports(actions) == [.kill(.signer), .kill(.network)])
    }

    @Test("before it was ready, a status that cannot change ends the start with that status")
    func hopelessStart() {
        var keeper = Keeper(plan: KeeperPlan(role: .home))
        _ = keeper.handle(.time, at: .zero)
        let actions = keeper.handle(.ended(.signer, .exited(12)), at: .zero)
        #expect(withoutReports(actions) == [.stop(.network)])
        let last = keeper.handle(.ended(.network, .exited(0)), at: .zero)
        #expect(last.last == .finish(.confinement))
    }

    @Test("once it was ready, no status of a child ends the appliance")
    func statusAfterReady() {
        for code in ExitCode.allCases {
            var keeper = running()
            let ended = Event.ended(.network, .exited(Int32(code.rawValue)))
            #expect(withoutReports(keeper.handle(ended, at: seconds(2))).isEmpty)
            #expect(keeper.isReady(.signer) && keeper.nextDeadline != nil)
        }
    }

    @Test("when both children cannot be started, the keeper still ends")
    func nothingStarts() {
        var keeper = Keeper(plan: KeeperPlan(role: .home))
        var last: [Action] = []
        for attempt in 1...5 {
            let now = seconds(attempt * 40)
            _ = keeper.handle(.time, at: now)
            _ = keeper.handle(.spawnFailed(.signer, "no rights"), at: now)
            last = keeper.handle(.spawnFailed(.network, "no rights"), at: now)
        }
        #expect(last.last == .finish(.child))
    }

    @Test("a start that keeps failing is given up, saying that a child failed")
    func startAttempts() {
        var keeper = Keeper(plan: KeeperPlan(role: .offline))
        var last: [Action] = []
        for attempt in 1...5 {
            let now = seconds(attempt * 40)
            _ = keeper.handle(.time, at: now)
            last = keeper.handle(.spawnFailed(.signer, "no memory"), at: now)
        }
        #expect(last.last == .finish(.child))
        #expect(keeper.starts(of: .signer) == 5)
    }
}
