import Glibc
import LinuxIO
import Messages

/// The real appliance, whose processes die by SIGKILL at random moments.
///
/// The side that lives answers within 100 ms throughout, keeps its channels and its memory, and has a
/// new partner soon; when the keeper dies, nothing is left.
struct Deaths {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private typealias Console = Client<ConsoleReply, ConsoleRequest>
    private typealias Query = Client<QueryReply, QueryRequest>

    private let appliance: Appliance
    private var console: Console
    private let rounds: Int
    private var worstPing = Duration.zero
    private var worstRecovery = Duration.zero

    static func run(rounds: Int) throws {
        var deaths = try Deaths(rounds: rounds)
        try deaths.run()
    }

    private init(rounds: Int) throws {
        self.rounds = rounds
        appliance = try Appliance("deaths")
        console = try appliance.connect { try Console($0 + "/signer.sock", hello: .hello) }
    }

    /// Runs all rounds and prints figures.
    private mutating func run() throws {
        var query = try appliance.connect { try Query($0 + "/network.sock", hello: .hello) }
        let memory = try residentKilobytes(appliance.keeper)
        for _ in 0..<rounds {
            usleep(UInt32.random(in: 0...50_000))
            if Bool.random() {
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
        try killKeeper()
        print(
            "deaths: \(rounds) deaths, worst ping of the other \(milliseconds(worstPing)) ms, ",
            terminator: "")
        print("slowest return \(milliseconds(worstRecovery)) ms, keeper grew by \(growth) KiB")
        guard worstPing < .milliseconds(100) else {
            throw Failure(description: "a ping took too long")
        }
        guard growth < 4096 else { throw Failure(description: "the keeper's memory grows") }
    }

    // MARK: One death

    private mutating func killNetwork() throws {
        let before = try signerStatus().facts
        kill(pid_t(before.networkPID), SIGKILL)
        let start = Kernel.timeSinceBoot()
        repeat {
            worstPing = max(worstPing, try console.ask(.ping(nonce: 1)).1)
            let status = try signerStatus()
            if status.facts.networkPID != before.networkPID, status.linkIsUp { break }
            guard Kernel.timeSinceBoot() - start < .seconds(10) else {
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
            worstPing = max(worstPing, try query.ask(.ping(nonce: 1)).1)
            let status = try networkStatus(query)
            if status.facts.signerPID != before.signerPID, status.linkIsUp { break }
            guard Kernel.timeSinceBoot() - start < .seconds(10) else {
                throw Failure(description: "the signer does not come back")
            }
            usleep(2000)
        } while true
        worstRecovery = max(worstRecovery, Kernel.timeSinceBoot() - start)
    }

    private func killKeeper() throws {
        let facts = try signerStatus().facts
        appliance.end()
        for _ in 0..<500 {
            let left = [facts.signerPID, facts.networkPID].filter { World.isAlive(pid_t($0)) }
            if left.isEmpty { return }
            usleep(2000)
        }
        throw Failure(description: "processes outlive their keeper")
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
