import CDrill
import Confinement
import Glibc
import LinuxIO

/// The whole matrix: each attack, in the place of each process, with each wall away in turn.
struct Drill {
    private let options: Options
    private let machine: Machine
    private let world: World

    init(_ options: Options) throws {
        self.options = options
        Kernel.ignoreBrokenPipes()
        var landlock: Int32 = 0
        if case .held(let version) = LandlockState.offered { landlock = version }
        machine = Machine(
            isRoot: getuid() == 0, landlock: landlock,
            refusesWrittenCode: ConfinementReport.observed(policy: "", landlock: .unused)
                .writeExecuteDenied != nil)
        world = try World(machine: machine)
    }

    /// Makes the attacks and prints what came of them; whether all ended as expected.
    func run() throws -> Bool {
        var isAsExpected = true
        // What is out of reach with all walls down is no proof of a wall.
        var absent: Set<Attack> = []
        for cell in options.cells.reversed() {
            for role in options.roles {
                let wrong = try run(role, cell, absent: &absent)
                isAsExpected = isAsExpected && wrong.isEmpty
                for line in wrong { print("  \(line)") }
            }
        }
        print(isAsExpected ? "drill: every attack ended as expected" : "drill: FAILED")
        return isAsExpected
    }

    private func run(_ role: Role, _ cell: Cell, absent: inout Set<Attack>) throws -> [String] {
        var wrong: [String] = []
        var (reached, stopped) = (0, 0)
        for attack in Attack.all where Expectation.applies(attack, to: role) && isWanted(attack) {
            if absent.contains(attack), cell != .nothing { continue }
            let isReached = try self.isReached(attack, role, cell)
            if isReached { reached += 1 } else { stopped += 1 }
            if cell == .nothing, !isReached, Expectation.mayBeAbsent.contains(attack.name) {
                absent.insert(attack)
                continue
            }
            let shouldStop = Expectation.isStopped(attack, role, cell, machine)
            if isReached == shouldStop {
                wrong.append(
                    isReached
                        ? "HOLE: '\(attack.name)' from the \(role.rawValue) reached its goal"
                        : "'\(attack.name)' from the \(role.rawValue) should reach its goal here")
            }
        }
        if options.triesCalls, cell == .everything { wrong += try sweep(role, cell) }
        print("\(role.rawValue), \(cell.title): \(reached) reached, \(stopped) stopped")
        return wrong
    }

    private static let inet = [Int32(AF_INET), Int32(AF_INET6)]

    private func isWanted(_ attack: Attack) -> Bool {
        options.attack.map { attack.name.contains($0) } ?? true
    }

    private func isReached(_ attack: Attack, _ role: Role, _ cell: Cell) throws -> Bool {
        try world.reset()
        let attempt = try Attempt(world, role, cell, kind: DRILL_ATTACK, number: attack.number)
        return world.isReached(
            attack.goal, evidence: attempt.evidence, sawConnection: attempt.sawConnection,
            wasReachable: attempt.wasReachable)
    }

    /// Every number of a system call, and every socket family: none may reach any goal.
    private func sweep(_ role: Role, _ cell: Cell) throws -> [String] {
        var wrong: [String] = []
        try world.reset()
        for number in Int32(0)..<Int32(480) {
            _ = try Attempt(world, role, cell, kind: DRILL_CALL, number: number)
            guard !world.isUntouched else { continue }
            wrong.append("HOLE: system call \(number) from the \(role.rawValue) did harm")
            try world.reset()
        }
        for family in Int32(0)..<46 where !(role == .network && Self.inet.contains(family)) {
            let made = try Attempt(world, role, cell, kind: DRILL_FAMILY, number: family).evidence
            if !made.isEmpty {
                wrong.append("HOLE: the \(role.rawValue) made sockets of family \(family)")
            }
        }
        return wrong
    }
}
