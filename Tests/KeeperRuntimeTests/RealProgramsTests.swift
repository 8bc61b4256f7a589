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
        let probeChildren =
            KeeperUnderTest.children(of: signer) + KeeperUnderTest.children(of: network)
        #expect(probeChildren.count == 2)

        kill(signer, SIGKILL)
        try keeper.waitForLog("bulkhead-signer is ready", count: 2)
        #expect(keeper.pid("network") == network)
        #expect(!keeper.said.contains("is killed"))

        let last = [try #require(keeper.pid("signer")), network] + probeChildren
        kill(keeper.process.processIdentifier, SIGKILL)
        try keeper.wait("everything to end", seconds: 1) { last.allSatisfy(KeeperUnderTest.isGone) }
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
