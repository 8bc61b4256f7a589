import LinuxIO
import LocalSockets

/// An attacker at a socket, from a person's side: a process of its own beside the drill.
enum PersonAttacker {
    /// Starts it; its pid.
    static func start(_ assault: Assault, at target: Target, path: String, _ orders: Orders) throws
        -> Int32
    {
        let pid = try Kernel.fork()
        guard pid == 0 else { return pid }
        do {
            if assault == .floodConnections {
                try floodConnections(target, path, orders)
            } else {
                let channel = try connect(target, path, orders)
                if assault != .early { channel.greet() }
                channel.perform(assault)
            }
        } catch {
            orders.outcome = .unmade
        }
        Kernel.exit(0)
    }

    private static func connect(_ target: Target, _ path: String, _ orders: Orders) throws
        -> RawChannel
    {
        try RawChannel(LocalSocket.connect(to: path), target, orders) {}
    }

    private static func floodConnections(_ target: Target, _ path: String, _ orders: Orders) throws
    {
        let end = Kernel.timeSinceBoot() + orders.time
        while Kernel.timeSinceBoot() < end {
            try connect(target, path, orders).send(target.hello.body)
        }
        orders.outcome = .left
    }
}
