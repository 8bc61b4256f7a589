import Glibc
import LinuxIO
import LocalSockets
import Messages

extension RunningChild {
    /// Something that has to come, looked for again and again.
    static func until(
        _ what: String, within time: Duration = .seconds(120), _ body: () throws -> Bool
    ) throws {
        let end = Kernel.timeSinceBoot() + time
        while Kernel.timeSinceBoot() < end {
            if try body() { return }
            usleep(20_000)
        }
        throw Missing(what: what)
    }

    /// How far its light client says that it is.
    func progress() throws -> ChainProgress {
        guard case .chain(.progress(let progress)) = try query().ask(.chain(.progress)) else {
            throw Missing(what: "progress")
        }
        return progress
    }

    /// Waits until it says that every wallet is searched to a chain's end at this height.
    func waitUntilCurrent(at height: Int) throws {
        let query = try query()
        var last: ChainProgress?
        do {
            try RunningChild.until("the end of the chain") {
                guard case .chain(.progress(let now)) = try query.ask(.chain(.progress)) else {
                    throw Missing(what: "progress")
                }
                last = now
                return now.phase == .current && now.height == height
                    && (now.wallets == 0 || now.scannedHeight == height)
            }
        } catch is Missing {
            let text = last.map { "\($0)" } ?? "nothing"
            throw Missing(what: "the chain's end at \(height); the last word was \(text)")
        }
    }
}
