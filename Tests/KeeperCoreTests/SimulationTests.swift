import Configuration
import KeeperCore
import Testing

@Suite("Keeper under random trouble")
struct SimulationTests {
    /// One run of the keeper in a world, driven by a seed.
    struct Run {
        var keeper: Keeper
        var world = World()
        var random: Seeded
        var pending: [Event] = []
        var wronglyEnded: [Event] = []
        /// How many of a hundred starts fail: on some machines nearly all.
        let spawnsFail: UInt64

        init(seed: UInt64, role: Role) {
            keeper = Keeper(plan: KeeperPlan(role: role))
            random = Seeded(state: seed)
            spawnsFail = seed % 5 == 0 ? 80 : 5
        }

        mutating func feed(_ event: Event) {
            pending.append(event)
            while !pending.isEmpty {
                let wasReady = keeper.wasReady
                let event = pending.removeFirst()
                let actions = keeper.handle(event, at: world.now)
                if endsTheSigner(actions), !mayEndTheSigner(event, wasReady) {
                    wronglyEnded.append(event)
                }
                var dice = random
                pending += world.perform(actions) { _ in dice.next() % 100 < spawnsFail }
                random = dice
            }
        }

        private func endsTheSigner(_ actions: [Action]) -> Bool {
            actions.contains(.kill(.signer)) || actions.contains(.stop(.signer))
        }

        /// Its own behaviour and a person may end the signer; another child only if it cannot even
        /// start, before everything was ready once.
        private func mayEndTheSigner(_ event: Event, _ wasReady: Bool) -> Bool {
            switch event {
            case .stopRequested: true
            case .time:
                world.processes[.signer]?.isStuck == true
                    || world.processes[.signer]?.isReady == false
            case .channelBroken(let child, _), .channelClosed(let child): child == .signer
            case .ended(let child, _), .spawnFailed(let child, _): child == .signer || !wasReady
            case .ready, .answered, .linkLost: false
            }
        }

        /// Something happens to a child that runs.
        mutating func trouble(_ child: Child) {
            guard let process = world.processes[child] else { return }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: world.processes[child]?.isStuck = true
            case 1:
                world.processes[child] = nil
                feed(
                    .ended(
                        child, .killed(signal: [4, 9, 11, 31].randomElement(using: &random) ?? 9)))
            case 2:
                world.processes[child] = nil
                feed(.ended(child, .exited([0, 1, 13, 15].randomElement(using: &random) ?? 0)))
            case 3: feed(.channelBroken(child, "over-long frame"))
            case 4:
                world.processes[child]?.isStuck = true
                feed(.channelClosed(child))
            case 5:
                let generation = UInt64(
                    max(0, world.newestLink - Int.random(in: 0...1, using: &random)))
                feed(.linkLost(child, generation: generation, "closed"))
            case _ where !process.isReady && !process.isStuck:
                world.processes[child]?.isReady = true
                feed(.ready(child))
            default: break
            }
        }

        mutating func step() {
            if Bool.random(using: &random), let deadline = keeper.nextDeadline {
                world.now = max(world.now, deadline)
            } else {
                world.now += .milliseconds(Int.random(in: 0...5000, using: &random))
            }
            feed(.time)
            trouble(Bool.random(using: &random) ? .signer : .network)
        }
    }

    static let seeds = (0..<150).map(UInt64.init)

    @Test(
        "whatever the children do, the keeper keeps its promises",
        arguments: [Role.home, .offline, .watch])
    func promises(role: Role) {
        var restarts = 0
        var linksMoved = 0
        for seed in Self.seeds {
            var run = Run(seed: seed, role: role)
            for _ in 0..<200 where run.world.finished == 0 {
                run.step()
                check(run, seed)
            }
            restarts += run.world.log.filter { if case .spawn = $0 { true } else { false } }.count
            linksMoved +=
                run.world.log.filter { if case .sendLink = $0 { true } else { false } }.count
            stop(&run, seed)
            checkLog(run, seed)
        }
        #expect(restarts > 2000)
        #expect((linksMoved > 500) == (role == .home))
    }

    /// What must hold after every event.
    private func check(_ run: Run, _ seed: UInt64) {
        let (keeper, world) = (run.keeper, run.world)
        if world.finished == 0, keeper.nextDeadline.map({ $0 > world.now }) != true {
            Issue.record("seed \(seed): would spin or sleep for ever")
        }
        if let signer = world.processes[.signer], let network = world.processes[.network],
            !signer.isStuck, !network.isStuck,
            signer.link != network.link || signer.link != world.newestLink
        {
            Issue.record("seed \(seed): ends of different links")
        }
    }

    /// What must hold of a whole run.
    private func checkLog(_ run: Run, _ seed: UInt64) {
        #expect(run.wronglyEnded.isEmpty, "seed \(seed)")
        for case .report(.restarting(_, let wait, let failures)) in run.world.log {
            #expect(wait == run.keeper.plan.delay(failures), "seed \(seed)")
        }
    }

    private func stop(_ run: inout Run, _ seed: UInt64) {
        run.feed(.stopRequested)
        let before = run.world.log.count
        for _ in 0..<4 where run.world.finished == 0 {
            guard let deadline = run.keeper.nextDeadline else { break }
            run.world.now = max(run.world.now, deadline)
            run.feed(.time)
        }
        #expect(run.world.finished == 1, "seed \(seed): did not finish")
        #expect(run.world.processes.isEmpty, "seed \(seed): left a child behind")
        let spawned = run.world.log[before...].contains {
            if case .spawn = $0 { true } else { false }
        }
        #expect(!spawned, "seed \(seed): started a child after the stop")
        run.feed(.time)
        run.feed(.stopRequested)
        #expect(run.world.finished == 1, "seed \(seed): finished twice")
    }
}

extension KeeperPlan {
    /// The wait by its definition, apart from the code under test.
    func delay(_ failures: Int) -> Duration {
        var delay = restartDelay
        for _ in 1..<failures { delay = min(delay + delay, restartDelayLimit) }
        return delay
    }
}
