import LinuxIO
import LocalSockets
import Messages
import Testing

/// `bulkhead-network` itself, alone and with a real signer.
@Suite("The network's process", .serialized)
struct NetworkProcessTests {
    typealias Signer = FrameChannel<LinkRequest, LinkReply>

    @Test("It is confined before it reads anything, and opens the link")
    func ready() throws {
        let child = try RunningChild("bulkhead-network")
        let ready = try child.begin(as: .network)
        #expect(ready.report.policy == "network")
        #expect(ready.report.seccompMode == 2)
        #expect(ready.report.hasNoNewPrivileges)
        #expect(!ready.report.isDumpable)
        let signer = try Signer(try child.takeLink())
        #expect(try signer.wait() == [.hello])
        try signer.send(.welcome, at: Kernel.timeSinceBoot())
        let nonce = try signer.waitFor { if case .ping(let nonce) = $0 { nonce } else { nil } }
        try signer.send(.pong(nonce: nonce), at: Kernel.timeSinceBoot())
        // It goes on asking.
        let next = try signer.waitFor { if case .ping(let nonce) = $0 { nonce } else { nil } }
        #expect(next != nonce)
        try child.order(.stop)
        #expect(try child.ending() == .exited(0))
    }

    @Test("It answers people in numbers")
    func query() throws {
        let child = try RunningChild("bulkhead-network")
        try child.begin(as: .network)
        let query = try child.query()
        #expect(try query.ask(.ping(nonce: 4)) == .pong(nonce: 4))
        guard case .status(let status) = try query.ask(.status) else {
            throw Missing(what: "status")
        }
        #expect(status.chain == .regtest)
        #expect(!status.linkIsUp)
        #expect(status.connections == 1)
        guard case .selfReport(let report) = try query.ask(.selfReport) else {
            throw Missing(what: "report")
        }
        #expect(report.policy == "network")
        guard case .probes(let rows) = try query.ask(.probe) else { throw Missing(what: "rows") }
        #expect(rows.count > 15)
        #expect(rows.count { $0.outcome == .killed } > 5)
    }

    @Test("A signer that breaks a rule loses the link, and the network process lives on")
    func violation() throws {
        let child = try RunningChild("bulkhead-network")
        try child.begin(as: .network)
        let signer = try child.takeLink()
        _ = try [UInt8](repeating: 0xFF, count: 12).withUnsafeBytes {
            try Kernel.write(signer.number, $0)
        }
        guard case .linkLost(0, .violation, _) = try child.nextNews() else {
            throw Missing(what: "link lost")
        }
        #expect(try child.query().ask(.ping(nonce: 4)) == .pong(nonce: 4))
    }
}
