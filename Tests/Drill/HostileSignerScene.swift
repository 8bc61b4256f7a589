import Glibc
import LinuxIO
import Messages

/// An appliance in whose signer's place the attacker stands, and the drill's own connection to the
/// network process, which is the victim.
///
/// A network process that ends the link for a violation is started anew by the keeper, which cannot know
/// who of the two lied and never ends the signer for it.
final class HostileSignerScene {
    private typealias Query = Client<QueryReply, QueryRequest>

    private let appliance: Appliance
    private var query: Query
    private let orders: Orders

    init() throws {
        let appliance = try Appliance("frames-answers", attacker: .signer)
        self.appliance = appliance
        query = try Self.connect(appliance)
        orders = try appliance.connect { _ in
            try Orders(
                file: appliance.folder + "/state/signer" + LinkAttacker.file, creating: false)
        }
    }

    /// Makes one attack and measures.
    func attempt(_ assault: Assault, milliseconds: Int) throws -> FrameRow {
        var row = FrameRow(assault: assault, target: .answers)
        let before = try settled { $0.linkIsUp }
        let victim = pid_t(before.facts.networkPID)
        row.before = try residentKilobytes(victim)
        row.descriptors.before = try descriptors()
        orders.order(assault, milliseconds: milliseconds)
        let limit = Kernel.timeSinceBoot() + .milliseconds(milliseconds) + Frames.Bound.patience
        while orders.outcome == .running, Kernel.timeSinceBoot() < limit {
            // One that may end the link ends the victim, and a ping with it.
            let answers: Void? = try? row.pings.add(of: victim) {
                try query.ask(.ping(nonce: 1)).1
            }
            if answers == nil, assault.expectation == .kept {
                throw FrameScene.Failure(description: "the network process answers no ping")
            }
            row.peak = max(row.peak, (try? residentKilobytes(victim)) ?? 0)
            usleep(2000)
        }
        row.frames = orders.frames
        try recover(from: before, &row)
        row.judge(orders.outcome)
        return row
    }

    /// Waits until a network process has its link, and checks that it is the one that it should be.
    private func recover(from before: NetworkStatus, _ row: inout FrameRow) throws {
        let start = Kernel.timeSinceBoot()
        let isStartedAnew = row.assault.expectation != .kept
        let status = try settled {
            $0.linkIsUp && (!isStartedAnew || $0.facts.networkPID != before.facts.networkPID)
        }
        row.recovery = Kernel.timeSinceBoot() - start
        if status.facts.signerRestarts != 0 { row.faults.append("the signer was started again") }
        if !isStartedAnew, status.facts.networkPID != before.facts.networkPID {
            row.faults.append("the network process died")
        }
        row.after = try residentKilobytes(pid_t(status.facts.networkPID))
        row.descriptors.after = try descriptors()
    }

    // MARK: Questions

    /// Asks until it is so, whichever network process answers.
    private func settled(_ isSo: (NetworkStatus) -> Bool) throws -> NetworkStatus {
        let limit = Kernel.timeSinceBoot() + Frames.Bound.patience
        while Kernel.timeSinceBoot() < limit {
            guard case .status(let status) = try? query.ask(.status).0 else {
                query = try Self.connect(appliance)
                continue
            }
            if isSo(status) { return status }
            usleep(2000)
        }
        throw FrameScene.Failure(
            description: "the network process is not whole after \(Frames.Bound.patience)")
    }

    private static func connect(_ appliance: Appliance) throws -> Query {
        try appliance.connect { try Query($0 + "/network.sock", hello: .hello) }
    }

    private func descriptors() throws -> UInt32 {
        guard case .selfReport(let report) = try query.ask(.selfReport).0 else {
            throw FrameScene.Failure(description: "nobody says how many descriptors are open")
        }
        return report.descriptors
    }
}
