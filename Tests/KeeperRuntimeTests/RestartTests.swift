import Foundation
import LinuxIO
import LocalSockets
import Testing

@Suite("Restarts", .serialized, .enabled(if: isWallTested))
struct RestartTests {
    @Test(
        "a killed network process comes back, and the signer gets a new end of the link",
        arguments: Starter.available)
    func networkDies(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.startAndCrossLink()
        let signer = try #require(keeper.pid("signer"))
        var (signerLinks, networkLinks) = ("link 0 crossed\n", "link 0 crossed\n")
        for round in 2...4 {
            kill(try #require(keeper.pid("network")), SIGKILL)
            signerLinks += "link \(round) crossed\n"
            networkLinks += "link 0 crossed\n"
            try keeper.waitForLinks(signerLinks, networkLinks)
        }
        #expect(keeper.pid("signer") == signer, "the signer went on")
        try keeper.wait("the facts") {
            let facts = keeper.file("signer", "facts")
            return facts.contains(" signer \(signer) network ") && facts.hasSuffix("restarts 0 3\n")
        }
        #expect(!keeper.said.contains("ALERT"))
    }

    @Test(
        "a killed signer is an alert, and both sides share a link again",
        arguments: Starter.available)
    func signerDies(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.startAndCrossLink()
        kill(try #require(keeper.pid("signer")), SIGKILL)
        try keeper.waitForLog("ALERT: bulkhead-signer was killed by SIGKILL")
        try keeper.waitForLinks(
            "link 0 crossed\nlink 0 crossed\n", "link 0 crossed\nlink 2 crossed\n")
    }

    @Test(
        "whoever connects while a child is gone waits for the next one",
        arguments: Starter.available)
    func listeners(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.start()
        let path = keeper.runtime.path + "/network.sock"
        let before =
            try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        try keeper.behave("network", "exit 1")
        kill(try #require(keeper.pid("network")), SIGKILL)
        try keeper.waitForLog("bulkhead-network ended with status 1")
        for _ in 0..<3 { #expect(throws: Never.self) { try connectTo(path) } }
        let after =
            try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(before == after)
    }

    private func connectTo(_ path: String) throws {
        _ = try LocalSocket.connect(to: path)
    }

    @Test(
        "when the keeper is killed both children are gone",
        arguments: Starter.available)
    func keeperKilled(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        for _ in 0..<3 {
            try keeper.start()
            let pids = try [
                #require(keeper.pid("signer")), #require(keeper.pid("network")),
            ]
            kill(keeper.process.processIdentifier, SIGKILL)
            try keeper.wait("the children to end") {
                pids.allSatisfy(KeeperUnderTest.isGone)
            }
            keeper.process.waitUntilExit()
        }
    }

    @Test(
        "SIGTERM ends everything with status 0 and leaves no socket", arguments: Starter.available)
    func terminate(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.start()
        let pids = try [#require(keeper.pid("signer")), #require(keeper.pid("network"))]
        kill(keeper.process.processIdentifier, SIGTERM)
        #expect(try keeper.end().status == 0)
        #expect(pids.allSatisfy { KeeperUnderTest.name(of: $0).isEmpty })
        let left = try FileManager.default.contentsOfDirectory(atPath: keeper.runtime.path)
        #expect(left.isEmpty)
    }

    @Test("a child that does not hear is killed at the second signal", arguments: Starter.available)
    func deaf(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.behave("signer", "deaf")
        try keeper.start()
        kill(keeper.process.processIdentifier, SIGTERM)
        try keeper.waitForLog("bulkhead-network ended with status 0")
        #expect(keeper.process.isRunning)
        kill(keeper.process.processIdentifier, SIGINT)
        let end = try keeper.end()
        #expect(end.status == 0)
        #expect(end.said.contains("bulkhead-signer is killed: it did not stop when asked"))
    }

    @Test(
        "a child that cannot confine itself ends the start with its status",
        arguments: Starter.available)
    func hopeless(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.behave("signer", "exit 12")
        let end = try keeper.run()
        #expect(end.status == 12)
        #expect(end.said.contains("bulkhead-signer ended with status 12"))
        #expect(!end.said.contains("start 2"))
    }

    @Test("a child that keeps failing ends the start with the status for that")
    func failing() throws {
        let keeper = try KeeperUnderTest(Starter.available[0])
        try keeper.behave("network", "exit 1")
        let end = try keeper.run(keeper.usualFlags + ["--role", "watch"])
        #expect(end.status == 14)
        #expect(end.said.contains("bulkhead-network started, start 5"))
        #expect(!end.said.contains("start 6") && !end.said.contains("bulkhead-signer"))
    }

    @Test("a child gone mad fills neither the log nor its lines the terminal")
    func flood() throws {
        let keeper = try KeeperUnderTest(Starter.available[0])
        try keeper.behave("network", "flood")
        try keeper.start()
        #expect(keeper.said.contains("bulkhead-network: line 0\n"))
        #expect(keeper.said.components(separatedBy: "bulkhead-network: line").count <= 1 + 2 * 50)

        let other = try KeeperUnderTest(Starter.available[0])
        try other.behave("signer", "trap")
        try other.launch()
        try other.waitForLog("ALERT: bulkhead-signer was killed by signal")
        #expect(other.said.contains(#"as the test wants it\u{1b}[31m"#))
        #expect(!other.said.contains("\u{1b}"))
    }

    @Test(
        "a role with one child starts that one, with a closed link",
        arguments: ["offline", "watch"])
    func roles(role: String) throws {
        let keeper = try KeeperUnderTest(Starter.available[0])
        try keeper.start(["--role", role])
        let (there, missing) = role == "offline" ? ("signer", "network") : ("network", "signer")
        #expect(keeper.pid(there) != nil && keeper.pid(missing) == nil)
        try keeper.wait("the link") { keeper.file(there, "links") == "link 0 dead\n" }
        let sockets = try FileManager.default.contentsOfDirectory(atPath: keeper.runtime.path)
        #expect(sockets == ["\(there).sock"])
        #expect(!FileManager.default.fileExists(atPath: keeper.state.path + "/" + missing))
    }
}
