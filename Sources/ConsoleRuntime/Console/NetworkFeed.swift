import ConsoleCore
import LinuxIO
import Messages

/// Keeps a pipe filled with the network's numbers, one record every two seconds. It connects anew
/// through a child of its own, which is confined while it talks.
enum NetworkFeed {
    static let interval = Duration.seconds(2)

    /// The life of the feeding process; ends when nobody reads the pipe any more.
    static func run(_ runtimeDirectory: String, pipe: Int32) -> Never {
        while true {
            guard let pid = try? Kernel.fork() else { Kernel.exit(1) }
            if pid == 0 {
                _ = try? feed(runtimeDirectory, pipe: pipe)
                Helper.writeAll(NetworkAnswer.silence, to: pipe)
                Kernel.exit(0)
            }
            while isRunning(pid) { pause(watching: pipe, child: pid) }
            pause(watching: pipe, child: nil)
        }
    }

    private static func isRunning(_ child: Int32) -> Bool {
        do throws(Errno) { return try Kernel.reap(child) == nil } catch { return false }
    }

    private static func feed(_ runtimeDirectory: String, pipe: Int32) throws(ClientFailure) {
        var client = try NetworkClient(connectingTo: World.network.enter(runtimeDirectory))
        _ = try ConsoleConfinement.enter(keeping: [pipe, client.number])
        _ = try client.ask(.hello)
        while true {
            guard case .status(let status) = try client.ask(.status) else { throw .unexpected }
            Helper.writeAll(NetworkNumbers(status).record, to: pipe)
            var set = PollSet()
            let place = set.add(pipe, [])
            _ = try? set.wait(until: Kernel.timeSinceBoot() + interval)
            if set.canWrite(at: place) { return }
        }
    }

    /// Waits one interval; leaves for good when the reader of the pipe is gone.
    private static func pause(watching pipe: Int32, child: Int32?) {
        var set = PollSet()
        let place = set.add(pipe, [])
        _ = try? set.wait(until: Kernel.timeSinceBoot() + interval)
        // With no interest, only an error is reported: there is no reader.
        guard set.canWrite(at: place) else { return }
        if let child { _ = try? Kernel.killAndReap(child) }
        Kernel.exit(0)
    }
}
