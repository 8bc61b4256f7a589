import Glibc
import LinuxIO
import LocalSockets
import Messages

/// The program `bulkhead-network` and a connection to it.
final class NetworkChild {
    private let program: ChildProgram
    private let query: FrameChannel<QueryReply, QueryRequest>

    var pid: Int32 { program.pid }
    var ready: Duration { program.ready }

    /// Starts it with its state in `directory/state`.
    init(in directory: String) throws {
        program = try ChildProgram(
            "bulkhead-network", as: .network, .watch, on: .regtest, in: directory)
        query = try FrameChannel(LocalSocket.connect(to: program.socket))
        _ = try ask(.hello)
    }

    func ask(_ request: QueryRequest) throws -> QueryReply { try query.ask(request) }

    func stop() throws { try program.stop() }

    /// Until every block is searched to this height; throws where a minute brings nothing new.
    func waitUntilCurrent(at height: Int) throws {
        var last: ChainProgress?
        var changed = Kernel.timeSinceBoot()
        while true {
            guard case .chain(.progress(let now)) = try ask(.chain(.progress)) else {
                throw ChildProgram.Failure(what: "no progress")
            }
            guard now.phase != .storeUnusable else { throw ChildProgram.Failure(what: now.remark) }
            if now.phase == .current, now.height == height, now.scannedHeight == height { return }
            if now.height != last?.height || now.scannedHeight != last?.scannedHeight {
                (last, changed) = (now, Kernel.timeSinceBoot())
            }
            guard Kernel.timeSinceBoot() < changed + .seconds(60) else {
                throw ChildProgram.Failure(
                    what: "searched to \(now.scannedHeight), and no further in a minute")
            }
            usleep(10_000)
        }
    }
}
