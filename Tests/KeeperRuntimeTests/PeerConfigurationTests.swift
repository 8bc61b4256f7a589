import Bitcoin
import Chain
import Foundation
import PeerMessages
import ScriptedPeer
import TestSupport
import Testing
import Wire

/// What a configuration file says of peers, by the keeper to the network process and to who is dialled.
@Suite("Peers of a configuration file", .serialized, .enabled(if: isWallTested))
struct PeerConfigurationTests {
    private static let publisher = Publisher(9)

    /// The first headers of signet.
    private func chain() throws -> ServedChain {
        var reader = Reader(try Fixture.bytes("headers/signet-0-2015.bin"))
        var headers = ServedChain()
        while !reader.isAtEnd {
            headers.append(header: try BlockHeader(from: &reader), block: [], filter: [0])
        }
        return headers
    }

    private func onion(_ number: UInt64) -> PeerEndpoint {
        PeerEndpoint(
            .torV3(Bytes32 { $0.storeBytes(of: number, as: UInt64.self) }), port: 38_333)
    }

    private func write(_ lines: [String], _ keeper: KeeperUnderTest) throws -> [String] {
        let file = keeper.folder.appending(path: "bulkhead.conf")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
        return keeper.usualFlags + ["--config", file.path]
    }

    @Test("A peer by hand, a signed list and a gateway reach whom they name, through every process")
    func dialled() throws {
        let served = try chain()
        let start = ChainParameters(.signet).messageStart
        let manual = try ScriptedPeer(served, messageStart: start, address: "127.1.0.1")
        let hidden = try ScriptedPeer(served, messageStart: start)
        let port = hidden.listener.port
        let gateway = try ScriptedProxy { _, _ in .connect(port) }
        let onions = (1...60).map { onion($0) }

        let keeper = try KeeperUnderTest(
            Starter.available[0], programs: KeeperUnderTest.products)
        let file = keeper.folder.appending(path: "peers.list")
        try Data(Self.publisher.listOfToday(onions.map { "\($0)" })).write(to: file)
        let flags = try write(
            [
                "# Everything about peers that is not fetched.", "network = signet",
                "role = watch", "peer-networks = clearnet,tor",
                "tor-gateway = 127.0.0.1:\(gateway.listener.port)",
                "peers = 127.1.0.1:\(manual.listener.port)", "seeds = seed.invalid",
                "list-publishers = \(Self.publisher.key)", "peer-list = \(file.path)",
            ], keeper)
        try keeper.launch(flags)
        try keeper.waitForLog("ready on ")
        try keeper.wait("both to be asked for headers") {
            [manual, hidden].allSatisfy { peer in
                peer.received.contains { $0.kind == .getheaders }
            }
        }
        // By their names, and by the list's alone.
        let names = Set(onions.map { "\($0)" })
        let asked = gateway.requests
        #expect(!asked.isEmpty)
        #expect(asked.allSatisfy { $0.addressType == 3 && names.contains("\($0.host):\($0.port)") })
        var sources: [String: String] = [:]
        try keeper.wait("both in seats") {
            sources = try seats(keeper)
            return sources.count >= 2
        }
        let byHand = "127.1.0.1:\(manual.listener.port)"
        #expect(sources[byHand] == "configuration file")
        let others = sources.filter { $0.key != byHand }
        #expect(others.allSatisfy { names.contains($0.key) && $0.value == "signed list" })
        kill(keeper.process.processIdentifier, SIGTERM)
        #expect(try keeper.end().status == 0)
    }

    /// The source of each peer that has a seat, as the command prints them.
    private func seats(_ keeper: KeeperUnderTest) throws -> [String: String] {
        let program = Process()
        let output = Pipe()
        program.executableURL = KeeperUnderTest.products.appending(path: "bulkhead")
        program.arguments = [
            "--runtime-directory", keeper.runtime.path, "--json", "peers", "list",
        ]
        program.standardOutput = output
        program.standardInput = FileHandle.nullDevice
        try program.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        program.waitUntilExit()
        let answer = try JSONSerialization.jsonObject(with: said) as? [String: Any]
        let rows = answer?["peers"] as? [[String: Any]] ?? []
        var found: [String: String] = [:]
        for row in rows where row["state"] as? String == "seated" {
            guard let endpoint = row["endpoint"] as? String else { continue }
            found[endpoint] = row["source"] as? String
        }
        return found
    }

    @Test(
        "A service's name with a slip in it ends the start with the field, the name and what is wrong"
    )
    func slips() throws {
        let right = "\(onion(5))".split(separator: ":")[0]
        // Two neighbours changed places: every letter is one that such a name has.
        var letters = Array(right)
        let place = letters.indices.dropLast(8).first { letters[$0] != letters[$0 + 1] } ?? 0
        letters.swapAt(place, place + 1)
        let wrong = String(letters)
        let keeper = try KeeperUnderTest(
            Starter.available[0], programs: KeeperUnderTest.products)
        let flags = try write(
            [
                "network = signet", "role = watch", "peer-networks = clearnet,tor",
                "tor-gateway = 127.0.0.1:9050", "peers = \(wrong)",
            ], keeper)
        let end = try keeper.run(flags)
        #expect(end.status == 2, "\(end.said)")
        let line = end.said.split(separator: "\n").first { $0.contains(wrong) }
        #expect(
            line?.contains("peers") == true && line?.contains("checksum") == true, "\(end.said)")
        #expect(!end.said.contains("ready on "))
    }
}
