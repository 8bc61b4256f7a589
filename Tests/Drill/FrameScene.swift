import Glibc
import LinuxIO
import Messages

/// An appliance whose channels are attacked, and the drill's own connections to it, which stay the
/// same throughout: a signer that died once would close them.
final class FrameScene {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let appliance: Appliance
    private let console: Client<ConsoleReply, ConsoleRequest>
    private let query: Client<QueryReply, QueryRequest>?
    private let orders: Orders

    init(hasAttacker: Bool) throws {
        let appliance = try Appliance(
            hasAttacker ? "frames-link" : "frames-sockets", attacker: hasAttacker ? .network : nil)
        self.appliance = appliance
        console = try appliance.connect {
            try Client($0 + "/signer.sock", hello: ConsoleRequest.hello)
        }
        if hasAttacker {
            query = nil
            orders = try appliance.connect { _ in
                try Orders(
                    file: appliance.folder + "/state/network" + LinkAttacker.file, creating: false)
            }
        } else {
            query = try appliance.connect {
                try Client($0 + "/network.sock", hello: QueryRequest.hello)
            }
            orders = try Orders()
        }
        // What the first of its kind takes, such as code that is read in, says nothing of an attack.
        try work()
        _ = try settled { $0.linkIsUp && $0.waiting == 0 }
    }

    /// Makes one attack and measures.
    func attempt(_ assault: Assault, _ target: Target, milliseconds: Int) throws -> FrameRow {
        var row = FrameRow(assault: assault, target: target)
        let before = try settled { $0.linkIsUp && $0.waiting == 0 }
        let victim = pid_t(target == .query ? before.facts.networkPID : before.facts.signerPID)
        row.before = try residentKilobytes(victim)
        row.descriptors.before = try descriptors(target)
        orders.order(assault, milliseconds: milliseconds)
        let path = appliance.folder + "/state/run/" + target.rawValue
        let attacker =
            target == .link
            ? nil : try PersonAttacker.start(assault, at: target, path: path, orders)
        let limit = Kernel.timeSinceBoot() + .milliseconds(milliseconds) + Frames.Bound.patience
        while orders.outcome == .running, Kernel.timeSinceBoot() < limit {
            try ping(before.facts, target, &row)
            row.peak = max(row.peak, try residentKilobytes(victim))
            usleep(2000)
        }
        if let attacker {
            kill(attacker, SIGKILL)
            waitpid(attacker, nil, 0)
        }
        row.frames = orders.frames
        try recover(from: before, &row)
        row.after = try residentKilobytes(victim)
        row.judge(orders.outcome)
        return row
    }

    /// Waits until all is as it was before, and checks that it is the same signer all along.
    private func recover(from before: SignerStatus, _ row: inout FrameRow) throws {
        let start = Kernel.timeSinceBoot()
        let needsNewLink = row.target == .link && row.assault.expectation != .kept
        let status = try settled {
            try self.ping($0.facts, row.target, &row)
            guard $0.linkIsUp, $0.waiting == 0 else { return false }
            return !needsNewLink
                || $0.linkGeneration > before.linkGeneration
                    && $0.facts.networkPID != before.facts.networkPID
        }
        row.recovery = Kernel.timeSinceBoot() - start
        if status.facts.signerPID != before.facts.signerPID || status.facts.signerRestarts != 0 {
            row.faults.append("the signer died")
        }
        if !needsNewLink, status.linkGeneration != before.linkGeneration {
            row.faults.append("the link was lost")
        }
        try work()
        // A channel that was closed is seen as closed a turn later.
        for _ in 0..<500 {
            row.descriptors.after = try descriptors(row.target)
            if row.descriptors.after == row.descriptors.before { break }
            usleep(2000)
        }
    }

    // MARK: Questions

    /// Asks until it is so.
    private func settled(_ isSo: (SignerStatus) throws -> Bool) throws -> SignerStatus {
        let limit = Kernel.timeSinceBoot() + Frames.Bound.patience
        while Kernel.timeSinceBoot() < limit {
            guard case .status(let status) = try console.ask(.status).0 else { break }
            if try isSo(status) { return status }
            usleep(2000)
        }
        throw Failure(
            description: "the appliance is not whole again after \(Frames.Bound.patience)")
    }

    private func ping(_ facts: KeeperFacts, _ target: Target, _ row: inout FrameRow) throws {
        try row.pings.add(of: pid_t(facts.signerPID)) { try console.ask(.ping(nonce: 1)).1 }
        if target == .query, let query {
            try row.pings.add(of: pid_t(facts.networkPID)) { try query.ask(.ping(nonce: 1)).1 }
        }
    }

    private func descriptors(_ target: Target) throws -> UInt32 {
        if target == .query, let query, case .selfReport(let report) = try query.ask(.selfReport).0
        {
            return report.descriptors
        }
        if case .selfReport(let report) = try console.ask(.selfReport).0 {
            return report.descriptors
        }
        throw Failure(description: "nobody says how many descriptors are open")
    }

    /// Has a worker review a file for a person: the queue lives.
    private func work() throws {
        let reply = try console.ask(.submit(file: [1])).0
        guard case .entry(.failure(.unreadable)) = reply else {
            throw Failure(description: "the signer's queue does no work any more: \(reply)")
        }
    }
}
