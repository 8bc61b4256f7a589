import Foundation
import Testing

@Suite("Keeper with the real programs", .serialized, .enabled(if: isWallTested))
struct RealProgramsTests {
    @Test(
        "both become ready behind their wall, end and come back alone, and end with the keeper",
        arguments: Starter.available)
    func life(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter, programs: KeeperUnderTest.products)
        try keeper.start()
        let signer = try #require(keeper.pid("signer"))
        for round in 2...4 {
            kill(try #require(keeper.pid("network")), SIGKILL)
            try keeper.waitForLog("bulkhead-network is ready", count: round)
        }
        #expect(keeper.pid("signer") == signer)

        let network = try #require(keeper.pid("network"))
        for pid in [signer, network] {
            #expect(KeeperUnderTest.status(pid, "Seccomp") == "2")
            #expect(KeeperUnderTest.status(pid, "NoNewPrivs") == "1")
            #expect(KeeperUnderTest.status(pid, "NSpid")?.hasSuffix("\t1") == true)
            #expect(KeeperUnderTest.status(pid, "CapBnd") == "0000000000000000")
        }
        // The signer may have a worker of its own for a moment.
        var probeChildren: [pid_t] = []
        try keeper.wait("one probe of each") {
            probeChildren =
                KeeperUnderTest.children(of: signer) + KeeperUnderTest.children(of: network)
            return probeChildren.count == 2
        }

        kill(signer, SIGKILL)
        try keeper.waitForLog("bulkhead-signer is ready", count: 2)
        #expect(keeper.pid("network") == network)
        #expect(!keeper.said.contains("is killed"))

        let last = [try #require(keeper.pid("signer")), network] + probeChildren
        kill(keeper.process.processIdentifier, SIGKILL)
        try keeper.wait("everything to end") { last.allSatisfy(KeeperUnderTest.isGone) }
    }

    /// What `bulkhead` prints and leaves, asked about an appliance.
    private func ask(_ keeper: KeeperUnderTest, _ command: String) throws -> (Int32, String) {
        let program = Process()
        let output = Pipe()
        program.executableURL = KeeperUnderTest.products.appending(path: "bulkhead")
        program.arguments = ["--runtime-directory", keeper.runtime.path, command]
        program.standardOutput = output
        program.standardError = output
        program.standardInput = FileHandle.nullDevice
        try program.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        program.waitUntilExit()
        return (program.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    @Test("status and console say what the role has, and exit so")
    func person() throws {
        let starter = Starter.available[0]
        for (role, line) in [("offline", "network   none"), ("watch", "signer    none")] {
            let keeper = try KeeperUnderTest(starter, programs: KeeperUnderTest.products)
            try keeper.start(["--role", role])
            let (status, said) = try ask(keeper, "status")
            #expect(status == 0 && said.contains("\n\(line)") || said.hasPrefix(line), "\(said)")
            #expect(said.contains("weaker than it could be"), "\(said)")
            guard role == "watch" else { continue }
            let console = try ask(keeper, "console")
            #expect(console.0 == 8 && console.1.contains("there is no signer here"))
        }
        let keeper = try KeeperUnderTest(starter, programs: KeeperUnderTest.products)
        try keeper.start()
        #expect(try ask(keeper, "status").0 == 0)
        kill(try #require(keeper.pid("network")), SIGSTOP)
        let (status, said) = try ask(keeper, "status")
        #expect(status == 1)
        #expect(said.contains("The network process should run and does not answer"), "\(said)")
        kill(keeper.process.processIdentifier, SIGTERM)
        _ = try keeper.end()
        #expect(try ask(keeper, "status").0 == 8)
    }

    @Test("a child that a person starts says who starts it", arguments: ["signer", "network"])
    func help(child: String) throws {
        let program = Process()
        let output = Pipe()
        program.executableURL = KeeperUnderTest.products.appending(path: "bulkhead-\(child)")
        program.arguments = ["--help"]
        program.standardOutput = output
        try program.run()
        let said = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        #expect(said.contains("usage: bulkhead-\(child)") && said.contains("bulkheadd starts it"))
    }

    @Test("the signer is started without a network process, and the other way round")
    func roles() throws {
        for role in ["offline", "watch"] {
            let keeper = try KeeperUnderTest(
                Starter.available[0], programs: KeeperUnderTest.products)
            try keeper.start(["--role", role])
            kill(keeper.process.processIdentifier, SIGTERM)
            let end = try keeper.end()
            #expect(end.status == 0)
            #expect(!end.said.contains("is killed"), "\(end.said)")
        }
    }
}
