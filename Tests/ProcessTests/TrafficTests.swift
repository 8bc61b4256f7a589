import Bitcoin
import CWallTests
import Chain
import Foundation
import LinuxIO
import Messages
import NetworkCore
import PeerMessages
import ScriptedPeer
import TestSupport
import Testing
import Wire

/// Every packet that the real network process sends, in a network of its own where every address answers.
@Suite("What leaves the machine", .serialized, .enabled(if: geteuid() == 0, "takes root"))
struct TrafficTests {
    private static let recorded = Result { try ServedChain.recorded() }
    private static let messageStart = ChainParameters(.regtest).messageStart
    /// Whom the machine asks for names: nobody here may.
    private static let nameServer = "9.9.9.9"
    private let folder = ChildFolder()
    private let network: PrivateNetwork
    private let chain: ServedChain
    private let wallet: RecordedWallet

    init() throws {
        network = try PrivateNetwork()
        chain = try Self.recorded.get()
        wallet = try #require(RecordedWallet.all().first { $0.name == "wpkh" })
    }

    // MARK: Parts

    /// A peer that fetches what is announced to it.
    private func peer(_ address: String = "127.0.0.1", port: UInt16 = 0) throws -> ScriptedPeer {
        let chain = chain
        var conduct = ScriptedPeer.Conduct()
        conduct.instead = { message in
            guard case .inv(let items) = message else { return nil }
            return [.getdata(items)]
        }
        let wanted = conduct
        return try network.thread.run {
            try ScriptedPeer(
                chain, messageStart: Self.messageStart, conduct: wanted, address: address,
                port: port)
        }
    }

    /// Gives names and lists over HTTPS.
    private func https(_ names: ScriptedNames, list: [UInt8]) throws -> ScriptedHTTPS {
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
        let file = folder.path + "/list"
        try Data(list).write(to: URL(fileURLWithPath: file))
        return try network.thread.run { try ScriptedHTTPS(names, file: file) }
    }

    private func gateway(to peers: [ScriptedPeer]) throws -> ScriptedProxy {
        let ports = peers.map(\.listener.port)
        return try network.thread.run {
            try ScriptedProxy { host, _ in
                .connect(ports[host.utf8.reduce(0) { $0 + Int($1) } % ports.count])
            }
        }
    }

    private static func end(_ listener: Listener) -> PacketEnd {
        PacketEnd(address: listener.address, port: listener.port)
    }

    private func start(_ arguments: [String] = []) throws -> RunningChild {
        let child = try RunningChild(
            "bulkhead-network", ["--network", "regtest", "--role", "home"] + arguments, in: folder,
            network: network)
        try child.begin(as: .network)
        try child.order(.nameServers("nameserver \(Self.nameServer)\n"))
        return child
    }

    /// A whole synchronisation, a payment that comes, and a transaction that is sent.
    private func live(_ child: RunningChild, _ peers: [ScriptedPeer]) throws {
        try child.waitUntilCurrent(at: chain.tipHeight)
        let script = try wallet.descriptor.branches[0].output(at: 3).scriptPubKey
        let query = try child.query()
        func total() throws -> UInt64 {
            guard case .chain(.wallets(let rows, _)) = try query.ask(.chain(.balance(""))) else {
                throw Missing(what: "the balance")
            }
            return rows.reduce(0) { $0 + $1.spendable + $1.immature }
        }
        #expect(try total() == wallet.confirmed)
        let next = chain.mined(1) { _ in script }
        for peer in peers { peer.take(next) }
        try child.waitUntilCurrent(at: next.tipHeight)
        #expect(try total() == wallet.confirmed + 2_500_000_000)
        let coinbase = try Block(next.blocks[next.tipHeight]).transactions[0].txid
        let transaction = Transaction(
            inputs: [
                TransactionInput(
                    outpoint: OutPoint(txid: coinbase, vout: 0), witness: Witness([[1]]))
            ],
            outputs: [
                TransactionOutput(value: try #require(Amount(sats: 1000)), scriptPubKey: script)
            ])
        guard
            case .chain(.done) = try query.ask(.chain(.broadcast(transaction.serialized())))
        else { throw Missing(what: "the broadcast") }
        try RunningChild.until("the transaction at a peer") {
            peers.contains { $0.received.contains(.tx(transaction)) }
        }
    }

    private func stop(_ child: RunningChild) throws {
        try child.order(.stop)
        #expect(try child.ending() == .exited(0))
    }

    /// Questions about the chain, and transactions; nothing else tells a peer anything.
    private static let allowedKinds: Set<PeerMessageKind> = [
        .version, .verack, .wtxidrelay, .sendaddrv2, .sendheaders, .feefilter, .ping, .pong,
        .getheaders, .getcfcheckpt, .getcfheaders, .getcfilters, .getdata, .inv, .tx,
    ]

    /// The messages of a connection in the clear, as the packets have them. Those of an encrypted one
    /// are known by the peer alone.
    private func frames(of stream: [UInt8]) throws -> [PeerFrame] {
        guard !ScriptedPeer.canEncrypt || stream.starts(with: Self.messageStart) else { return [] }
        var decoder = PeerFrameDecoder(
            messageStart: Self.messageStart, wanted: Set(PeerMessageKind.allCases))
        var frames: [PeerFrame] = []
        try stream.withUnsafeBytes { try decoder.feed($0, into: &frames) }
        #expect(decoder.skippedMessages == 0)
        return frames
    }

    /// Looks at every message of these connections to a peer: its kind, and that no script of the
    /// wallet is in it but for a transaction. How many messages the peer heard.
    private func expectHarmless(_ streams: [[UInt8]], to peer: ScriptedPeer) throws -> Int {
        let seen = try streams.flatMap { try frames(of: $0).map { ($0.kind, $0.payload) } }
        let heard = peer.received.map { ($0.kind, $0.payload) }
        #expect(ScriptedPeer.canEncrypt || seen.count >= heard.count)
        var secrets: [[UInt8]] = [Array(wallet.descriptor.description.utf8.prefix(60))]
        for branch in wallet.descriptor.branches {
            for index in 0..<30 as Range<UInt32> {
                secrets.append(Array(try branch.output(at: index).scriptPubKey.bytes.dropFirst(2)))
            }
        }
        #expect(secrets.count == 61 && secrets.allSatisfy { $0.count >= 20 })
        for (kind, payload) in seen + heard {
            #expect(Self.allowedKinds.contains(kind), "\(kind)")
            guard kind != .tx else { continue }
            let payload = Data(payload)
            for secret in secrets { #expect(payload.range(of: Data(secret)) == nil) }
        }
        return heard.count
    }

    // MARK: Tests

    @Test("criterion 75: of a sync, a payment that comes and one that is sent only peers hear")
    func clearnet() throws {
        let peers = try (1...3).map { try peer("5.\($0).0.1", port: 18_444) }
        try ClientState(in: folder).prepare(peers.map(\.listener), [wallet])
        let child = try start()
        try live(child, peers)
        try stop(child)

        let traffic = try network.traffic()
        let ends = peers.map { Self.end($0.listener) }
        #expect(traffic.strangers(besides: Set(ends)) == [])
        for (peer, end) in zip(peers, ends) {
            let streams = traffic.streams(to: end)
            let count = try expectHarmless(streams, to: peer)
            #expect(count > 5)
            #expect(streams.count == traffic.openings(to: end))
        }
    }

    @Test("criterion 42: with overlays alone no packet passes their gateways, dead or alive")
    func overlays() throws {
        let peers = try (1...3).map { _ in try peer() }
        let (tor, i2p) = (try gateway(to: peers), try gateway(to: peers))
        // What could be dialled past the gateways is known, and answers.
        let tempting = try (1...2).map { try peer("5.\($0).0.1", port: 18_444) }
        let state = try ClientState(in: folder)
        try state.prepare(tempting.map(\.listener), [wallet])
        try state.prepare(overlayPeers)
        let child = try start([
            "--peer-networks", "tor,i2p", "--tor-gateway", "127.0.0.1:\(tor.listener.port)",
            "--i2p-gateway", "127.0.0.1:\(i2p.listener.port)",
        ])
        try live(child, peers)

        // The gateways die: nobody else is asked instead.
        let gateways = [tor, i2p]
        let before = try network.traffic()
        for gateway in gateways { gateway.listener.stop() }
        try RunningChild.until("new attempts at the gateways") {
            let traffic = try network.traffic()
            return gateways.allSatisfy {
                let end = Self.end($0.listener)
                return traffic.openings(to: end) >= before.openings(to: end) + 2
            }
        }
        #expect(try child.progress().phase == .noNetwork)
        try stop(child)

        let traffic = try network.traffic()
        let ends = gateways.map { Self.end($0.listener) }
        // Between a gateway and a peer there is a connection for each that was asked of the gateway.
        let behind = peers.map { Self.end($0.listener) }
        #expect(traffic.strangers(besides: Set(ends + behind)) == [])
        let asked = gateways.flatMap(\.requests)
        #expect(behind.reduce(0) { $0 + traffic.openings(to: $1) } == asked.count)
        #expect(tempting.allSatisfy { $0.listener.connections == 0 })
        // Every destination went to its gateway as the name that it has there.
        #expect(asked.allSatisfy { $0.addressType == 3 })
        #expect(Set(tor.requests.map(\.host)) == Set(overlayPeers.prefix(2).map { "\($0.host)" }))
        #expect(Set(i2p.requests.map(\.host)) == Set(overlayPeers.suffix(1).map { "\($0.host)" }))
        let counts = try zip(peers, behind).map { peer, end in
            try expectHarmless(traffic.streams(to: end), to: peer)
        }
        #expect(counts.reduce(0, +) > 15, "\(counts)")
    }

    private let overlayPeers: [PeerEndpoint] = [
        PeerEndpoint(.torV3(key(1)), port: 18_444), PeerEndpoint(.torV3(key(2)), port: 18_444),
        PeerEndpoint(.i2p(key(3)), port: 0),
    ]

    private static func key(_ number: UInt64) -> Bytes32 {
        Bytes32 { $0.storeBytes(of: number, as: UInt64.self) }
    }

    @Test("Who leaks is noticed: a direct connection, a question for a name, a packet of IPv6")
    func leaks() throws {
        let peer = try peer("5.1.0.1", port: 18_444)
        try ClientState(in: folder).prepare([peer.listener], [])
        let child = try start(["--peer-networks", "direct"])
        try child.waitUntilCurrent(at: chain.tipHeight)
        try stop(child)
        let direct = PacketEnd(address: "5.1.0.1", port: 18_444)
        #expect(try network.traffic().strangers(besides: []) == [direct])

        _ = try network.thread.run {
            for place in ["udp/\(Self.nameServer)/53", "tcp/2a00::1/8333"] {
                _ = wall_run("bash -c 'echo > /dev/\(place)' 2> /dev/null")
            }
        }
        let strangers = try network.traffic().strangers(besides: [direct])
        #expect(
            strangers.isSuperset(of: [
                PacketEnd(transport: 17, address: Self.nameServer, port: 53),
                PacketEnd(address: "2a00::1", port: 8333),
            ]), "\(strangers)")
    }

    /// The headers of signet.
    private func signetHeaders() throws -> ServedChain {
        var reader = Reader(try Fixture.bytes("headers/signet-0-2015.bin"))
        var headers = ServedChain()
        while !reader.isAtEnd {
            headers.append(header: try BlockHeader(from: &reader), block: [], filter: [0])
        }
        return headers
    }

    private static let publisher = Publisher(7)

    private func startOnSignet(
        _ arguments: [String], files: [String] = []
    ) throws -> RunningChild {
        let authority = Fixture.path("https/authority.pem")
        let all = ["--network", "signet", "--role", "home", "--certificates"] + arguments
        let child = try RunningChild(
            "bulkhead-network", all + ["--list-publishers", "\(Self.publisher.key)"], in: folder,
            files: [authority] + files, network: network)
        try child.begin(as: .network, chain: .signet)
        try child.order(.nameServers("nameserver \(Self.nameServer)\n"))
        return child
    }

    private func untilAsked(
        _ peers: [ScriptedPeer], atLeast count: Int, _ child: RunningChild
    ) throws {
        try RunningChild.until("peers that are asked for headers") {
            peers.count { $0.received.contains { $0.kind == .getheaders } } >= count
        }
        guard case .chain(.peers(let rows)) = try child.query(on: .signet).ask(.chain(.peers))
        else { throw Missing(what: "peers") }
        let seated = rows.filter { $0.state == .seated }
        #expect(!seated.isEmpty && seated.allSatisfy { $0.source == "signed list" }, "\(rows)")
    }

    @Test(
        "A signed list of a file or a URL gives the peers, and only its server hears of it",
        arguments: [true, false])
    func signedList(isFetched: Bool) throws {
        let served = try signetHeaders()
        let start = ChainParameters(.signet).messageStart
        let addresses = (1...60).map { "5.\($0).0.1" }
        let bytes = Self.publisher.listOfToday(addresses.map { "\($0):38333" })
        let names = try network.thread.run {
            try ScriptedNames(["lists.example": [[127, 0, 0, 1]]])
        }
        let https = try https(names, list: bytes)
        let file = folder.path + "/list"
        let peers = try network.thread.run {
            try addresses.map {
                try ScriptedPeer(served, messageStart: start, address: $0, port: 38_333)
            }
        }
        let doh = "https://127.0.0.1:\(https.port)/dns-query"
        let url = "https://lists.example:\(https.port)/peers"
        let arguments = ["--doh-server", doh]
        let child =
            try isFetched
            ? startOnSignet(arguments + ["--peer-list-url", url])
            : startOnSignet(arguments + ["--peer-list"], files: [file])
        try untilAsked(peers, atLeast: 2, child)
        try stop(child)

        let server = PacketEnd(address: "127.0.0.1", port: https.port)
        let behind = PacketEnd(transport: 17, address: "127.0.0.1", port: names.port)
        let traffic = try network.traffic()
        let ends = peers.map { Self.end($0.listener) }
        let known = Set(ends + (isFetched ? [server, behind] : []))
        #expect(traffic.strangers(besides: known) == [])
        #expect(Set(names.questions) == (isFetched ? ["lists.example"] : []))
    }

    @Test(
        "criterion 42: over Tor a signed list comes through the gateway, and no name is looked up")
    func listOverTor() throws {
        let served = try signetHeaders()
        let start = ChainParameters(.signet).messageStart
        let onions = (1...60).map {
            "\(PeerEndpoint(.torV3(Self.key(UInt64($0))), port: 38_333))"
        }
        let names = try network.thread.run {
            try ScriptedNames(["lists.example": [[127, 0, 0, 1]]])
        }
        let https = try https(names, list: Self.publisher.listOfToday(onions))
        let peers = try network.thread.run {
            try (1...3).map { _ in try ScriptedPeer(served, messageStart: start) }
        }
        let ports = peers.map(\.listener.port)
        let port = https.port
        let gateway = try network.thread.run {
            try ScriptedProxy { host, _ in
                guard host != "lists.example" else { return .connect(port) }
                return .connect(ports[host.utf8.reduce(0) { $0 + Int($1) } % ports.count])
            }
        }
        let child = try startOnSignet([
            "--tor-gateway", "127.0.0.1:\(gateway.listener.port)", "--doh-server",
            "https://127.0.0.1:\(port)/dns-query", "--peer-list-url",
            "https://lists.example/peers",
        ])
        // Both seats may lead to one of the three.
        try untilAsked(peers, atLeast: 1, child)
        try stop(child)

        let first = try #require(gateway.requests.first)
        #expect(first == .init(addressType: 3, host: "lists.example", port: 443))
        #expect(gateway.requests.allSatisfy { $0.addressType == 3 })
        #expect(names.questions == [])
        let server = PacketEnd(address: "127.0.0.1", port: port)
        let ends = peers.map { Self.end($0.listener) } + [Self.end(gateway.listener), server]
        let traffic = try network.traffic()
        #expect(traffic.strangers(besides: Set(ends)) == [])
        // What the gateway connected to the server is all that the server heard.
        let asked = gateway.requests.count { $0.host == "lists.example" }
        #expect(traffic.openings(to: server) == asked)
    }

    @Test("Where seeds are asked, the server over HTTPS and the peers that it names hear of it")
    func seeds() throws {
        let signet = ChainParameters(.signet)
        let served = try signetHeaders()
        let addresses = (1...3).map { [5, UInt8($0), 0, 1] as [UInt8] }
        let seeds = ["seed.signet.bitcoin.sprovoost.nl", "seed.signet.achownodes.xyz"]
        let known = Dictionary(uniqueKeysWithValues: seeds.map { ("x49.\($0)", addresses) })
        let (names, https, peers) = try network.thread.run {
            let names = try ScriptedNames(known)
            let peers = try addresses.map {
                try ScriptedPeer(
                    served, messageStart: signet.messageStart,
                    address: $0.map(String.init).joined(separator: "."), port: 38_333)
            }
            return (names, try ScriptedHTTPS(names), peers)
        }
        let authority = Fixture.path("https/authority.pem")
        let child = try RunningChild(
            "bulkhead-network",
            [
                "--network", "signet", "--role", "home", "--certificates", "--doh-server",
                "https://127.0.0.1:\(https.port)/dns-query",
            ], in: folder, files: [authority], network: network)
        try child.begin(as: .network, chain: .signet)
        try child.order(.nameServers("nameserver \(Self.nameServer)\n"))
        try RunningChild.until("two peers that are asked for headers") {
            peers.count { $0.received.contains { $0.kind == .getheaders } } == 2
        }
        try stop(child)

        let server = PacketEnd(address: "127.0.0.1", port: https.port)
        // How the server over HTTPS knows the names itself.
        let behind = PacketEnd(transport: 17, address: "127.0.0.1", port: names.port)
        let traffic = try network.traffic()
        let ends = peers.map { Self.end($0.listener) }
        #expect(traffic.strangers(besides: Set(ends + [server, behind])) == [])
        #expect(traffic.openings(to: server) > 0)
        #expect(Set(names.questions).isSubset(of: known.keys))
    }
}
