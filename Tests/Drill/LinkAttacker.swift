import ChildRuntime
import Configuration
import LinuxIO
import Messages
import NetworkRuntime

/// The attacker whom the real keeper takes for the network process: it serves its control channel as
/// it should, so that it lives, and attacks the link when the drill says so.
final class LinkAttacker {
    static let file = "/orders"

    private let control: FrameChannel<ControlOrder, ControlReport>
    private let orders: Orders
    private var buffer = ReadBuffer()
    private var link: RawChannel?

    static func run() -> Never {
        do {
            let state = try ChildArguments(ProgramArguments.all).stateDirectory
            // Before the walls: memory that is mapped already takes no system call.
            let orders = try Orders(file: state + file, creating: true)
            let process = ChildProcess(
                name: "drill", policy: .network, limits: NetworkMain.limits, tcp: .connect)
            try LinkAttacker(orders, process.confine()).turn()
        } catch {
            ChildProcess.end("drill", .usage, "\(error)")
        }
    }

    private init(_ orders: Orders, _ ready: ControlReady) throws {
        self.orders = orders
        control = try FrameChannel(FileDescriptor(owning: ChildProcess.Descriptor.control))
        try control.send(.ready(ready), at: Kernel.timeSinceBoot())
    }

    private func turn() throws -> Never {
        let link = try RawChannel(
            FileDescriptor(owning: ChildProcess.Descriptor.link), .link, orders
        ) { [unowned self] in serveControl() }
        self.link = link
        if orders.isPending, orders.assault == .early {
            orders.take()
            link.perform(.early)
        } else {
            link.greet()
        }
        while true {
            link.pause(.milliseconds(5))
            // Pauses are nothing on a channel that is over.
            if link.isOver { waitForControl() }
            guard orders.isPending, !link.isOver else { continue }
            // The next of its kind says no hello.
            if orders.assault == .early { Kernel.exit(0) }
            orders.take()
            link.perform(orders.assault)
        }
    }

    private func waitForControl() {
        var set = PollSet()
        set.add(control.number, .reading)
        try? set.wait(until: Kernel.timeSinceBoot() + .milliseconds(20))
        serveControl()
    }

    private func serveControl() {
        let now = Kernel.timeSinceBoot()
        try? control.flush(at: now)
        var receipt = control.receive(at: now, through: &buffer)
        let passed = PassedDescriptor(receipt.descriptor.take())
        for order in receipt.messages {
            switch order {
            case .ping(let nonce): try? control.send(.pong(nonce: nonce), at: now)
            case .stop: Kernel.exit(0)
            case .hello, .facts, .newLink: break
            }
        }
        // A new link means that the signer died, which the drill sees by itself.
        if receipt.end != nil || passed != nil { Kernel.exit(0) }
    }
}
