import Bitcoin
import Chain
import Foundation
import LinuxIO
import Messages
import ScriptedPeer
import Testing

/// Settings of peers as the keeper hands them to the real network process.
@Suite("Settings of peers in the network process", .serialized)
struct PeerSettingsTests {
    private let folder = ChildFolder()

    private func start(
        _ arguments: [String], on chain: ChainName = .regtest
    ) throws -> RunningChild {
        let all = ["--network", "\(chain)", "--role", "watch"] + arguments
        let child = try RunningChild("bulkhead-network", all, in: folder)
        try child.begin(as: .network, chain: chain)
        return child
    }

    private func peers(_ child: RunningChild, on chain: ChainName = .regtest) throws -> [PeerRow] {
        guard case .chain(.peers(let rows)) = try child.query(on: chain).ask(.chain(.peers)) else {
            throw Missing(what: "peers")
        }
        return rows
    }

    @Test(
        "Peers that are named there are dialled, as many as there are seats, and nothing more is kept"
    )
    func seatsPeersFilters() throws {
        let chain = try ServedChain.recorded()
        let parameters = ChainParameters(.regtest)
        let servers = try (1...3).map {
            try ScriptedPeer(
                chain, messageStart: parameters.messageStart, address: "127.\($0).0.1")
        }
        let state = try ClientState(in: folder)
        let nobody: [Listener] = []
        try state.prepare(nobody, Array(RecordedWallet.all().prefix(1)))
        let named = servers.map { "\($0.listener.address):\($0.listener.port)" }
        let child = try start([
            "--peers", named.joined(separator: ","), "--seats", "2", "--filter-storage", "0",
        ])
        try RunningChild.until("the search") {
            try Int(child.progress().scannedHeight) == chain.tipHeight
        }
        let status = try child.progress()
        #expect(status.seats == 2 && status.peers == 2)
        #expect(status.keptBytes == 0)
        let rows = try peers(child)
        #expect(rows.count { $0.state == .seated } == 2)
        #expect(rows.allSatisfy { $0.source == "configuration file" })
        #expect(Set(rows.map(\.endpoint)) == Set(named))
        let seated = rows.filter { $0.state == .seated }
        #expect(seated.allSatisfy { ($0.transport == .v2) == ScriptedPeer.canEncrypt })
        let sessions = servers.flatMap(\.sessions)
        #expect(seated.allSatisfy { sessions.contains($0.session) })
        guard
            case .chain(.refused(_, let sentence)) = try child.query().ask(
                .chain(.removePeer(named[0])))
        else { throw Missing(what: "a refusal") }
        #expect(sentence.contains("configuration file"))
        try child.order(.stop)
        #expect(try child.ending() == .exited(0))

        // Named no more, they are not known any more, and filters are kept.
        let next = try start([])
        #expect(try peers(next) == [])
        try next.order(.stop)
        #expect(try next.ending() == .exited(0))
    }

    @Test("A signet of one's own is met by its own message start, its state taken by no other")
    func signet() throws {
        let parameters = ChainParameters(signetChallenge: Script([0x51]))
        let own = try ScriptedPeer(
            ServedChain(), messageStart: parameters.messageStart, address: "127.1.0.1")
        let server = "\(own.listener.address):\(own.listener.port)"
        let child = try start(["--signet-challenge", "51", "--peers", server], on: .signet)
        try RunningChild.until("a peer") { !own.received.isEmpty }
        #expect(try peers(child, on: .signet).map(\.endpoint) == [server])
        try child.order(.stop)
        #expect(try child.ending() == .exited(0))

        let other = try start(["--signet-challenge", "52"], on: .signet)
        guard
            case .chain(.refused(_, let sentence)) = try other.query(on: .signet).ask(
                .chain(.peers))
        else { throw Missing(what: "a refusal") }
        #expect(sentence.contains("signet"))
        try other.order(.stop)
        #expect(try other.ending() == .exited(0))
    }

    @Test(
        "What cannot be used ends the start with the field and what is wrong",
        arguments: [
            ["--signet-challenge", "51"],
            ["--peers", "203.0.113.9," + String(repeating: "a", count: 56) + ".onion"],
            ["--list-publishers", "0a"], ["--seats", "many"],
        ])
    func refused(arguments: [String]) throws {
        let all = ["--network", "regtest", "--role", "watch"] + arguments
        let child = try RunningChild("bulkhead-network", all, in: folder)
        #expect(try child.ending() == .exited(2))
    }
}
