import Foundation
import Hashing
import LinuxIO
import LocalSockets
import Messages
import TestSupport
import Testing
import Wire

/// `bulkhead-signer` itself, with the test in the place of keeper, network process and person.
@Suite("The signer's process", .serialized)
struct SignerProcessTests {
    typealias Link = FrameChannel<LinkReply, LinkRequest>

    private func signer() throws -> RunningChild {
        let child = try RunningChild("bulkhead-signer")
        try child.begin(as: .signer)
        return child
    }

    private func digest(_ payload: [UInt8], _ password: String) -> Bytes32 {
        var writer = Writer()
        writer.write(UInt32(password.utf8.count))
        writer.write(Array(password.utf8))
        writer.write(payload)
        return SHA256.hash(writer.bytes)
    }

    @Test("It is confined before it reads anything, and says so first")
    func ready() throws {
        let child = try RunningChild("bulkhead-signer")
        let ready = try child.begin(as: .signer)
        #expect(ready.report.policy == "signer")
        #expect(ready.report.seccompMode == 2)
        #expect(ready.report.hasNoNewPrivileges)
        #expect(!ready.report.isDumpable)
        #expect(ready.report.permittedCapabilities == 0)
        #expect(ready.report.limits.first == 0)
        #expect(ready.startupNanoseconds > 0)
        #expect(try RunningChild.status(child.pid, "Seccomp") == "2")
        // Null device, standard error, control, link, listener, state, probes: nothing else is open.
        #expect(ready.report.descriptors == 8)
        try child.order(.ping(nonce: 77))
        #expect(try child.nextNews() == .pong(nonce: 77))
    }

    @Test("It ends when it is told to, and when the keeper is gone")
    func endings() throws {
        let stopped = try signer()
        try stopped.order(.stop)
        #expect(try stopped.ending() == .exited(0))

        let wrong = try RunningChild("bulkhead-signer")
        try wrong.begin(as: .network)
        #expect(try wrong.ending() == .exited(2))

        let garbage = try signer()
        _ = try [UInt8](repeating: 0xFF, count: 12).withUnsafeBytes {
            try Kernel.write(garbage.control.number, $0)
        }
        #expect(try garbage.ending() == .exited(13))
    }

    @Test(
        "A wrong command line is refused with a line and a status",
        arguments: [
            [], ["--network"], ["--network", "moon", "--role", "home"],
            ["--network", "regtest", "--role", "home", "--colour"],
        ])
    func commandLine(arguments: [String]) throws {
        let child = try RunningChild("bulkhead-signer", arguments)
        // `--state` is put behind, so the flag without a value takes it for one.
        #expect(try child.ending() == .exited(2))
    }

    @Test("A console is greeted and told how the signer is")
    func console() throws {
        let child = try signer()
        let console = try child.console()
        #expect(try console.ask(.ping(nonce: 5)) == .pong(nonce: 5))
        let facts = KeeperFacts(keeperPID: 10, signerPID: 11, networkPID: 12)
        try child.order(.facts(facts, weaknesses: ["one uid"]))
        try child.order(.ping(nonce: 1))
        _ = try child.nextNews()
        guard case .status(let status) = try console.ask(.status) else {
            throw Missing(what: "status")
        }
        #expect(status.chain == .regtest)
        #expect(status.facts == facts)
        #expect(status.weaknesses == ["one uid"])
        #expect(status.consoles == 1)
        #expect(!status.linkIsUp)
        guard case .selfReport(let report) = try console.ask(.selfReport) else {
            throw Missing(what: "report")
        }
        #expect(report.policy == "signer")
        #expect(report.seccompMode == 2)
        #expect(report.pid == UInt32(child.pid))
    }

    @Test("The network process's user is refused at the socket")
    func networkUser() throws {
        let child = try RunningChild("bulkhead-signer")
        try child.begin(as: .signer, hasOneUser: false, networkUID: geteuid())
        let channel = try FrameChannel<ConsoleReply, ConsoleRequest>(
            LocalSocket.connect(to: child.socket))
        #expect(try channel.waitForEnd().1 == .closed)
        guard case .log(.failure, let line) = try child.nextReport() else {
            throw Missing(what: "a line")
        }
        #expect(line.contains("tried to reach signer.sock"))
    }

    @Test("A file that is no PSBT is refused with the reason, whatever its size")
    func noPSBT() throws {
        let child = try signer()
        let console = try child.console()
        for count in [0, 3, 16 << 20] {
            let answer = try console.ask(.submit(file: [UInt8](repeating: 3, count: count)))
            guard case .entry(.failure(.unreadable(let why))) = answer else {
                Issue.record("it was taken: \(count) bytes")
                continue
            }
            #expect(!why.isEmpty)
        }
        #expect(try console.ask(.pending) == .pending([]))
        #expect(try child.children().count == 1, "only the probe child is left")
    }

    @Test("A password waits unread in its pipe until its worker runs, and is never in the broker")
    func passwordStaysInPipe() throws {
        let child = try signer()
        let (first, second) = (try child.console(), try child.console())
        let made = try first.createWallet("savings", kdf: .pbkdf2)
        let silent = try LinuxIO.Pipe()
        let silentEnd = silent.writing
        let silentOutput = try LinuxIO.Pipe()
        try first.hand(.secretInput, silent.reading)
        try first.hand(.output, silentOutput.writing)
        try first.send(.operation(.showPhrase(made.id)), at: Kernel.timeSinceBoot())
        #expect(try first.ask(.ping(nonce: 1)) == .pong(nonce: 1))

        let password = "marker-\(UUID().uuidString)"
        let full = try LinuxIO.Pipe()
        let fullEnd = full.writing
        let typed = Person.fields([(.password, password)])
        _ = try typed.withUnsafeBytes { try Kernel.write(fullEnd.number, $0) }
        let output = try LinuxIO.Pipe()
        try second.hand(.secretInput, full.reading)
        try second.hand(.output, output.writing)
        try second.send(.operation(.showPhrase(made.id)), at: Kernel.timeSinceBoot())
        for nonce in 0..<50 as Range<UInt64> {
            #expect(try second.ask(.ping(nonce: nonce)) == .pong(nonce: nonce))
        }
        #expect(unread(fullEnd.number) == typed.count)

        // The worker that waits for the first password has two filters and the ends of its operation:
        // its answer, secrets, output and two keys.
        var worker: Int32 = -1
        for _ in 0..<1000 {
            worker = try #require(try child.children().last)
            if try RunningChild.status(worker, "Seccomp_filters") == "2" { break }
            usleep(2000)
        }
        #expect(try RunningChild.status(worker, "Seccomp_filters") == "2")
        if geteuid() == 0 {
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd")
            #expect(open.count <= 5)
        }
        _ = silentEnd.take().closed()
        #expect(try first.answer() == .failure(.missingField(.password)))
        _ = fullEnd.take().closed()
        #expect(try second.answer() == .failure(.wrongPassword(failures: 2, wait: 0)))
        if geteuid() == 0 {
            #expect(try !ProcessMemory.holds(Data(password.utf8), of: child.pid))
        }
    }

    @Test("A request of the link is taken once, and its answer outlives the link")
    func requests() throws {
        let child = try signer()
        let id = RequestID(high: 7, low: 8)
        let answer: RequestState
        do {
            let link = try Link(try child.takeLink())
            #expect(try link.ask(.hello) == .welcome)
            #expect(try state(.inquiry(id), link) == .unknown)
            #expect(try state(.request(id, payload: [9, 9]), link) == .reviewing)
            answer = try state(nil, link)
            guard case .refused(.unreadable, _) = answer else {
                throw Missing(what: "a refusal: \(answer)")
            }
            #expect(try state(.request(id, payload: [9, 9]), link) == answer)
        }
        guard case .linkLost(0, .closed, _) = try child.nextNews() else {
            throw Missing(what: "link lost")
        }
        let pair = try LocalSocket.pair()
        let link = try Link(pair.first)
        try child.order(.newLink(generation: 1), passing: pair.second)
        #expect(try link.ask(.hello) == .welcome)
        #expect(try state(.inquiry(id), link) == answer)
    }

    /// Sends a message, if there is one, and waits for the next state of a request.
    private func state(_ request: LinkRequest?, _ link: Link) throws -> RequestState {
        if let request { try link.send(request, at: Kernel.timeSinceBoot()) }
        while true {
            for case .answer(_, let state) in try link.wait() { return state }
        }
    }

    @Test("A link that breaks a rule is lost; consoles and the signer are not")
    func violations() throws {
        let child = try signer()
        let console = try child.console()
        let link = try child.takeLink()
        _ = try [UInt8](repeating: 0xFF, count: 64).withUnsafeBytes {
            try Kernel.write(link.number, $0)
        }
        guard case .linkLost(0, .violation, let reason) = try child.nextNews() else {
            throw Missing(what: "link lost")
        }
        #expect(reason.contains("reserved"))
        #expect(try Link(link).waitForEnd().1 == .closed, "the signer holds no end of it any more")
        #expect(try console.ask(.ping(nonce: 9)) == .pong(nonce: 9))
    }

    @Test("A flood on the link leaves the consoles served and the memory flat")
    func flood() throws {
        let child = try signer()
        let console = try child.console()
        let link = try Link(try child.takeLink(), limits: .init(waitingBytes: 64 << 20))
        #expect(try link.ask(.hello) == .welcome)
        for round in 0..<20 as Range<UInt64> {
            for nonce in 0..<5000 as Range<UInt64> {
                try link.send(.ping(nonce: nonce), at: Kernel.timeSinceBoot())
            }
            #expect(try console.ask(.ping(nonce: round)) == .pong(nonce: round))
        }
        let resident = try RunningChild.status(child.pid, "VmRSS")
        #expect(try #require(Int(resident.split(separator: " ")[0])) < 128 << 10)
    }

    @Test("Another build is told apart by both sides")
    func otherBuild() throws {
        let child = try signer()
        let socket = try LocalSocket.connect(to: child.socket)
        let frame: [UInt8] =
            [0, 0, 0, 32, 3, 1, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 32)
        _ = try frame.withUnsafeBytes { try Kernel.write(socket.number, $0) }
        // The signer's greeting carries its own digest, in which the other build sees the difference.
        let channel = try FrameChannel<ConsoleReply, ConsoleRequest>(socket)
        #expect(try channel.wait() == [.welcome(.regtest)])
        guard case .log(.warning, let line) = try child.nextReport() else {
            throw Missing(what: "a line")
        }
        #expect(line.contains("another version of Bulkhead"))
    }

    @Test("What is forbidden is tried from inside, and the loop turns meanwhile")
    func probes() throws {
        let child = try signer()
        let (asking, other) = (try child.console(), try child.console())
        try asking.send(.probe, at: Kernel.timeSinceBoot())
        #expect(try other.ask(.ping(nonce: 1)) == .pong(nonce: 1))
        guard case .probes(let rows) = try asking.wait()[0] else { throw Missing(what: "rows") }
        #expect(rows.count > 15)
        let inWorker = rows.filter { $0.place == .worker }
        #expect(inWorker.count > 20)
        // A worker cannot even ask, whatever it asks for.
        #expect(inWorker.allSatisfy { $0.outcome == .killed && $0.number == SIGSYS })
        // Without namespaces and on a kernel without Landlock, files are not walled off.
        #expect(rows.count { $0.outcome == .killed && $0.number == SIGSYS } > 10)
    }
}

extension Int32 {
    /// Closes a descriptor that was taken from its owner.
    fileprivate func closed() -> Bool { close(self) == 0 }
}

/// Bytes that lie unread in a pipe.
private func unread(_ descriptor: Int32) -> Int {
    var count: Int32 = -1
    // FIONREAD is a macro that Swift does not see.
    _ = ioctl(descriptor, 0x541B, &count)
    return Int(count)
}
