import ChildRuntime
import Configuration
import KeeperCore
import LinuxIO
import Messages

/// The attacker whom the real keeper takes for one of its children: it serves its control channel as it
/// should, so that it lives, and attacks the link when the drill says so.
final class LinkAttacker {
    static let file = "/orders"

    private let target: Target
    private let control: FrameChannel<ControlOrder, ControlReport>
    private let orders: Orders
    private var buffer = ReadBuffer()
    private var nextLink: PassedDescriptor?

    static func run() -> Never {
        do {
            let state = try ChildArguments(ProgramArguments.all).stateDirectory
            // Before the walls: memory that is mapped already takes no system call.
            let orders = try Orders(file: state + file, creating: true)
            let isSigner = ProgramArguments.program == Child.signer.program
            let process =
                isSigner ? Attacker.signer(.everything) : Attacker.network(.everything)
            try LinkAttacker(orders, isSigner ? .answers : .link, process.confine()).turn()
        } catch {
            ChildProcess.end("drill", .usage, "\(error)")
        }
    }

    private init(_ orders: Orders, _ target: Target, _ ready: ControlReady) throws {
        self.orders = orders
        self.target = target
        control = try FrameChannel(FileDescriptor(owning: ChildProcess.Descriptor.control))
        try control.send(.ready(ready), at: Kernel.timeSinceBoot())
    }

    private func turn() throws -> Never {
        var link = try begin(FileDescriptor(owning: ChildProcess.Descriptor.link))
        while true {
            link.pause(.milliseconds(5))
            // Pauses are nothing on a channel that is over.
            if link.isOver { waitForControl() }
            if let next = nextLink?.take() { link = try begin(next) }
            guard orders.isPending, !link.isOver else { continue }
            if orders.assault == .early {
                // The next link is not greeted.
                endForAnother(link)
                continue
            }
            orders.take()
            link.perform(orders.assault)
        }
    }

    private func begin(_ socket: consuming FileDescriptor) throws -> RawChannel {
        let link = try RawChannel(socket, target, orders) { [unowned self] in serveControl() }
        if orders.isPending, orders.assault == .early {
            orders.take()
            link.perform(.early)
        } else {
            link.greet()
        }
        return link
    }

    /// The keeper starts the network process anew in either case, and leaves the signer alive.
    private func endForAnother(_ link: RawChannel) {
        if target == .link { Kernel.exit(0) }
        link.close()
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
        if let passed = PassedDescriptor(receipt.descriptor.take()) { nextLink = passed }
        for order in receipt.messages {
            switch order {
            case .ping(let nonce): try? control.send(.pong(nonce: nonce), at: now)
            case .stop: Kernel.exit(0)
            case .hello, .facts, .newLink, .nameServers: break
            }
        }
        // In the place of the network process a new link means that the signer died, which the drill sees.
        let isLost = nextLink != nil && target == .link
        if receipt.end != nil || isLost { Kernel.exit(0) }
    }
}
