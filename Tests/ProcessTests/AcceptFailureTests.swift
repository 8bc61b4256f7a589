import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import TestSupport
import Testing

/// What both children do when they have no descriptor left for whoever connects.
@Suite("A connection that cannot be accepted", .serialized)
struct AcceptFailureTests {
    @Test(
        "is one line in the log and no spinning, and is served when there is room again",
        arguments: [ChildRole.signer, .network])
    func noDescriptors(role: ChildRole) throws {
        let child = try RunningChild("bulkhead-\(role)")
        let ready = try child.begin(as: role)
        // Its loop turns: it has looked through its files.
        try child.order(.ping(nonce: 7))
        #expect(try child.nextReport() == .pong(nonce: 7))
        // The first free number is below the one of the probes' descriptor.
        try limitFiles(of: child.pid, to: ready.report.descriptors - 1)
        let waiting = try LocalSocket.connect(to: child.socket)
        guard case .log(.warning, let line) = try child.nextReport() else {
            throw Missing(what: "a line")
        }
        #expect(line.contains("could not be accepted"))

        let before = try ticks(of: child.pid)
        usleep(2_500_000)
        // A loop that tried on every turn would have used all of that time: 250 ticks.
        #expect(try ticks(of: child.pid) - before < 60)
        try child.order(.ping(nonce: 8))
        #expect(try child.nextReport() == .pong(nonce: 8), "no other line came before the pong")

        try limitFiles(of: child.pid, to: 32)
        if role == .signer {
            let console = try FrameChannel<ConsoleReply, ConsoleRequest>(waiting)
            #expect(try console.ask(.hello) == .welcome(.regtest))
        } else {
            let query = try FrameChannel<QueryReply, QueryRequest>(waiting)
            #expect(try query.ask(.hello) == .welcome(.regtest))
        }
    }

    /// Changes only the soft limit, so that it can be raised again.
    private func limitFiles(of pid: Int32, to count: UInt32) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(pid)", "--nofile=\(count):"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Missing(what: "a limit") }
    }

    /// Hundredths of a second of processor time that a process has used.
    private func ticks(of pid: Int32) throws -> Int {
        let text = try ProcessFile.text(of: pid, "stat")
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }
}
