import CDrill
import Glibc
import LinuxIO
import Messages

/// The real appliance, each of whose processes dies by SIGKILL at so many random moments.
///
/// The side that lives answers within 100 ms throughout, keeps its channels and its memory, and has a
/// new partner soon; when the keeper dies, also in the middle of its start, nothing is left.
struct Deaths {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private typealias Console = Client<ConsoleReply, ConsoleRequest>
    private typealias Query = Client<QueryReply, QueryRequest>

    private let appliance: Appliance
    private var console: Console
    private let rounds: Int
    private let isShort: Bool
    private var pings = PingTimes()
    private var worstRecovery = Duration.zero

    static func run(_ options: Options) throws {
        var deaths = try Deaths(options)
        try deaths.run()
        try killKeepers(options.deaths)
    }

    private init(_ options: Options) throws {
        rounds = options.deaths
        isShort = options.isShort
        appliance = try Appliance("deaths")
        console = try appliance.connect { try Console($0 + "/signer.sock", hello: .hello) }
    }

    /// Runs all rounds and prints figures.
    private mutating func run() throws {
        var query = try appliance.connect { try Query($0 + "/network.sock", hello: .hello) }
        let memory = try residentKilobytes(appliance.keeper)
        for killsNetwork
            in (Array(repeating: true, count: rounds)
            + Array(repeating: false, count: rounds)).shuffled()
        {
            usleep(UInt32.random(in: 0...50_000))
            if killsNetwork {
                try killNetwork()
                query = try appliance.connect { try Query($0 + "/network.sock", hello: .hello) }
            } else {
                try killSigner(query)
                console = try appliance.connect {
                    try Console($0 + "/signer.sock", hello: .hello)
                }
            }
        }
        let growth = try residentKilobytes(appliance.keeper) - memory
        appliance.end()
        print(
            "deaths: \(rounds) of each child, worst ping of the other \(milliseconds(pings.worst)) ms, ",
            terminator: "")
        print("slowest return \(milliseconds(worstRecovery)) ms, keeper grew by \(growth) KiB")
        guard (isShort ? pings.worstOfVictim : pings.worst) < Frames.Bound.ping else {
            throw Failure(description: "a ping took too long")
        }
        guard growth < 4096 else { throw Failure(description: "the keeper's memory grows") }
    }

    /// Whoever loses its parent becomes a child of this program, so that whatever is left is seen.
    private static func killKeepers(_ rounds: Int) throws {
        guard drill_adopt_orphans() == 0 else { throw Errno(errno) }
        for _ in 0..<rounds {
            let appliance = try Appliance("keeper-deaths")
            usleep(UInt32.random(in: 0...300_000))
            appliance.end()
            let limit = Kernel.timeSinceBoot() + Frames.Bound.patience
            while case let pid = waitpid(-1, nil, WNOHANG), pid >= 0 {
                guard Kernel.timeSinceBoot() < limit else {
                    throw Failure(description: "a process outlives its keeper")
                }
                if pid == 0 { usleep(2000) }
            }
        }
        print("deaths: \(rounds) of the keeper, also in its start, and nothing was left")
    }

    // MARK: One death

    private mutating func killNetwork() throws {
        let before = try signerStatus().facts
        kill(pid_t(before.networkPID), SIGKILL)
        let start = Kernel.timeSinceBoot()
        repeat {
            try pings.add(of: pid_t(before.signerPID)) { try console.ask(.ping(nonce: 1)).1 }
            let status = try signerStatus()
            if status.facts.networkPID != before.networkPID, status.linkIsUp { break }
            guard Kernel.timeSinceBoot() - start < Frames.Bound.patience else {
                throw Failure(description: "the network process does not come back")
            }
            usleep(2000)
        } while true
        worstRecovery = max(worstRecovery, Kernel.timeSinceBoot() - start)
        guard try signerStatus().facts.signerPID == before.signerPID else {
            throw Failure(description: "the signer died of the network process's death")
        }
    }

    private mutating func killSigner(_ query: Query) throws {
        let before = try networkStatus(query).facts
        kill(pid_t(before.signerPID), SIGKILL)
        let start = Kernel.timeSinceBoot()
        repeat {
            try pings.add(of: pid_t(before.networkPID)) { try query.ask(.ping(nonce: 1)).1 }
            let status = try networkStatus(query)
            if status.facts.signerPID != before.signerPID, status.linkIsUp { break }
            guard Kernel.timeSinceBoot() - start < Frames.Bound.patience else {
                throw Failure(description: "the signer does not come back")
            }
            usleep(2000)
        } while true
        worstRecovery = max(worstRecovery, Kernel.timeSinceBoot() - start)
    }

    // MARK: Questions

    private func signerStatus() throws -> SignerStatus {
        guard case .status(let status) = try console.ask(.status).0 else {
            throw Failure(description: "the signer does not say how it is")
        }
        return status
    }

    private func networkStatus(_ query: Query) throws -> NetworkStatus {
        guard case .status(let status) = try query.ask(.status).0 else {
            throw Failure(description: "the network process does not say how it is")
        }
        return status
    }
}
