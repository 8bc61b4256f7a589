import CDrill
import ChildRuntime
import Configuration
import Confinement
import Glibc
import LinuxIO
import NetworkRuntime
import SeccompPolicies
import SignerRuntime

/// The attacker's side: puts itself under the walls of its role, as the real program does, and then
/// does what it was ordered to.
enum Attacker {
    static func run() -> Never {
        let arguments = try? ChildArguments(ProgramArguments.all)
        if arguments?.network != Attempt.network { LinkAttacker.run() }
        var order = readOrder()
        let role = Role.allCases[Int(order.role)]
        let cell = Cell.allCases[Int(order.cell)]
        if role == .console { drill_take_terminal() }
        if cell.hasRest { confine(role, cell) }
        switch order.kind {
        case DRILL_CALL: drill_system_call(&order.goals, Int(order.number))
        case DRILL_FAMILY: drill_socket_family(&order.goals, order.number)
        case DRILL_STAND_STILL: break
        default: Attack.all[Int(order.number)].run(&order.goals)
        }
        Kernel.exit(0)
    }

    private static func readOrder() -> drill_order {
        var order = drill_order()
        let link = ChildProcess.Descriptor.link
        let moved = withUnsafeMutableBytes(of: &order) { try? Kernel.read(link, into: $0) }
        guard moved == .moved(MemoryLayout<drill_order>.size) else {
            ChildProcess.end("drill", .usage, "no order at descriptor \(link)")
        }
        return order
    }

    private static func confine(_ role: Role, _ cell: Cell) {
        switch role {
        case .signer: _ = signer(cell).confine()
        case .worker:
            let process = signer(cell)
            let filter = process.filter(.signerWorker)
            _ = process.confine()
            becomeWorker(filter)
        case .network:
            _ = network(cell).confine()
        case .console:
            var process = ChildProcess(
                name: "drill", policy: .console,
                limits: ResourceLimits([.openFiles: 64, .fileSize: 0]), tcp: .none)
            process.plan.landlock = cell.hasLandlock ? LandlockRules() : nil
            _ = process.confine()
        }
    }

    static func network(_ cell: Cell) -> ChildProcess {
        var process = ChildProcess(
            name: "drill", policy: .network, limits: NetworkMain.limits, tcp: .connect)
        if !cell.hasLandlock { process.plan.landlock = nil }
        return process
    }

    static func signer(_ cell: Cell) -> ChildProcess {
        var process = ChildProcess(
            name: "drill", policy: .signer, limits: SignerProcess.limits, tcp: .none)
        if !cell.hasLandlock { process.plan.landlock = nil }
        return process
    }

    /// Forks as the broker does; the parent waits for the child and ends with it.
    private static func becomeWorker(_ filter: SeccompFilter) {
        guard let pid = try? Kernel.fork() else { Kernel.exit(3) }
        if pid != 0 {
            waitpid(pid, nil, 0)
            Kernel.exit(0)
        }
        do {
            try Confinement.narrow(
                WorkerLimits(time: .seconds(5), passwordTime: .seconds(1), memory: 256 << 20)
                    .plan(filter, keeping: [ChildProcess.Descriptor.control]))
        } catch {
            Kernel.exit(4)
        }
    }
}
