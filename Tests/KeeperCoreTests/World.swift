import KeeperCore

/// A made-up machine that carries out what the keeper asks and lets children misbehave.
struct World {
    /// A running child: whether it obeys, and which link its end belongs to.
    struct Process: Equatable {
        var link: Int?
        var isStuck = false
        var isReady = false
    }

    var now = Duration.zero
    var processes: [Child: Process] = [:]
    var newestLink = 0
    var log: [Action] = []
    var finished = 0

    /// Carries out what the keeper asked for; spawns fail where `spawnFails` says so.
    mutating func perform(_ actions: [Action], spawnFails: (Child) -> Bool) -> [Event] {
        var events: [Event] = []
        log += actions
        for action in actions {
            switch action {
            case .spawn(let child, let end):
                precondition(processes[child] == nil, "a second process of \(child)")
                if end == .fresh { newestLink += 1 }
                if spawnFails(child) {
                    events.append(.spawnFailed(child, "no memory"))
                } else {
                    processes[child] = Process(link: end == .closed ? nil : newestLink)
                }
            case .sendLink(let child):
                precondition(processes[child] != nil, "a link end for nobody")
                processes[child]?.link = newestLink
            case .ping(let child):
                if processes[child]?.isStuck == false { events.append(.answered(child)) }
            case .stop(let child):
                if processes[child]?.isStuck == false {
                    processes[child] = nil
                    events.append(.ended(child, .exited(0)))
                }
            case .kill(let child):
                precondition(processes[child] != nil, "nobody to kill")
                processes[child] = nil
                events.append(.ended(child, .killed(signal: 9)))
            case .publish, .report: break
            case .finish: finished += 1
            }
        }
        return events
    }
}

/// A small generator whose run is given by its seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
