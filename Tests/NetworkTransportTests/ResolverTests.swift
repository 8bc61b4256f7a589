import LinuxIO
import NetworkCore
import PeerMessages
import ScriptedPeer
import TestSupport
import Testing

@testable import NetworkTransport

private let names: [String: [[UInt8]]] = [
    "seed.example": [
        [192, 0, 2, 1], [192, 0, 2, 2], [0x20, 1] + [UInt8](repeating: 7, count: 14),
    ]
]

private let seedHosts: Set<PeerHost> = [
    .ipv4(0xC000_0201), .ipv4(0xC000_0202),
    .ipv6(high: 0x2001_0707_0707_0707, low: 0x0707_0707_0707_0707),
]

@Suite("Names by the servers of the machine")
struct SystemResolverTests {
    private func resolver(_ servers: ScriptedNames...) throws -> SystemResolver {
        let resolver = try #require(SystemResolver())
        resolver.use(servers.compactMap { IPEndpoint(text: "127.0.0.1", port: $0.port) })
        return resolver
    }

    /// Turns until a look-up is over.
    private func resolve(_ name: String, _ resolver: SystemResolver) throws -> [PeerHost] {
        resolver.resolve(ResolveID(1), name)
        var set = PollSet()
        let end = Kernel.timeSinceBoot() + .seconds(60)
        while Kernel.timeSinceBoot() < end {
            if let (id, hosts) = resolver.takeFinished().first {
                #expect(id == ResolveID(1))
                return hosts
            }
            set.removeAll()
            resolver.add(to: &set)
            try set.wait(until: resolver.deadline)
            resolver.serve(set)
        }
        throw ServerError(what: "no end of the look-up")
    }

    @Test("Addresses of both kinds are found, by two questions")
    func both() throws {
        let server = try ScriptedNames(names)
        #expect(try Set(resolve("seed.example", resolver(server))) == seedHosts)
        #expect(server.questions == ["seed.example", "seed.example"])
    }

    @Test("A name that is not there, and a server that refuses, give none")
    func none() throws {
        let server = try ScriptedNames(names)
        #expect(try resolve("other.example", resolver(server)) == [])
        let refusing = try ScriptedNames(names, conduct: .refuse(5))
        #expect(try resolve("seed.example", resolver(refusing)) == [])
    }

    @Test("What a server says wrong is told once, and that a name is not there is nothing wrong")
    func problems() throws {
        let (answering, refusing) = (
            try ScriptedNames(names), try ScriptedNames(names, conduct: .refuse(5))
        )
        let honest = try resolver(answering)
        for _ in 0..<2 { #expect(try resolve("other.example", honest) == []) }
        #expect(honest.takeProblems() == [])
        let refused = try resolver(refusing)
        for _ in 0..<3 { #expect(try resolve("seed.example", refused) == []) }
        let problems = refused.takeProblems()
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.hasPrefix("the name servers of this machine: ") })
        #expect(try resolve("seed.example", refused) == [])
        #expect(refused.takeProblems() == [])
        #expect(answering.questions.count == 4 && refusing.questions.count >= 8)
    }

    @Test("Behind a server that is silent the next one is asked")
    func silence() throws {
        let silent = try ScriptedNames(names, conduct: .silence)
        let server = try ScriptedNames(names)
        #expect(try Set(resolve("seed.example", resolver(silent, server))) == seedHosts)
        #expect(!silent.questions.isEmpty)
    }

    @Test("Servers that are handed over later are asked from then on")
    func change() throws {
        let first = try ScriptedNames([:])
        let second = try ScriptedNames(names)
        let resolver = try resolver(first)
        #expect(try resolve("seed.example", resolver) == [])
        resolver.use([try #require(IPEndpoint(text: "127.0.0.1", port: second.port))])
        #expect(try Set(resolve("seed.example", resolver)) == seedHosts)
        #expect(first.questions.count == 2)
    }

    @Test("Without a server, or with what is no name, nothing is asked")
    func noServer() throws {
        #expect(try resolve("seed.example", resolver()) == [])
        let server = try ScriptedNames(names)
        for name in ["", "a..b", "a b", String(repeating: "a.", count: 200)] {
            #expect(try resolve(name, resolver(server)) == [])
        }
        #expect(server.questions == [])
    }
}

@Suite("Names over HTTPS")
struct HTTPSResolverTests {
    private func resolve(
        _ name: String, port: UInt16, authority: String = "authority", path: String = "/dns-query"
    ) throws -> [PeerHost] {
        try resolve([name], port: port, authority: authority, path: path).hosts[0]
    }

    /// Turns until all look-ups are over. Also how many connections were in use at once, at the most.
    private func resolve(
        _ names: [String], port: UInt16, authority: String = "authority",
        path: String = "/dns-query"
    ) throws -> (hosts: [[PeerHost]], connections: Int) {
        let (resolver, transfers) = try makeResolver(port: port, authority: authority, path: path)
        return try look(up: names, with: resolver, transfers)
    }

    private func makeResolver(
        port: UInt16, authority: String = "authority", path: String = "/dns-query"
    ) throws -> (HTTPSResolver, HTTPSTransfers) {
        let transfers = try #require(
            HTTPSTransfers(certificates: try Fixture.bytes("https/\(authority).pem")))
        let resolver = try #require(
            HTTPSResolver(server: "https://127.0.0.1:\(port)\(path)", transfers))
        return (resolver, transfers)
    }

    /// Turns until these look-ups are over.
    private func look(
        up names: [String], with resolver: HTTPSResolver, _ transfers: HTTPSTransfers
    ) throws -> (hosts: [[PeerHost]], connections: Int) {
        for (index, name) in names.enumerated() {
            resolver.resolve(ResolveID(UInt64(index)), name)
        }
        var hosts: [[PeerHost]] = []
        var connections = 0
        var set = PollSet()
        let end = Kernel.timeSinceBoot() + .seconds(60)
        while Kernel.timeSinceBoot() < end {
            hosts += resolver.takeFinished().map { $0.1 }
            if hosts.count == names.count { return (hosts, connections) }
            set.removeAll()
            transfers.add(to: &set)
            // The place of one more, which is none, is how many there are.
            connections = max(connections, set.add(-1, []))
            try set.wait(until: transfers.deadline)
            transfers.serve(set)
        }
        throw ServerError(what: "no end of the look-up")
    }

    @Test("Addresses of both kinds are found, by two posts")
    func both() throws {
        let server = try ScriptedNames(names)
        let web = try ScriptedHTTPS(server)
        #expect(try Set(resolve("seed.example", port: web.port)) == seedHosts)
        #expect(web.nextLine() == "/dns-query application/dns-message 30")
        #expect(server.questions == ["seed.example", "seed.example"])
    }

    @Test("Many names are looked up over two connections, each of which has all authorities")
    func many() throws {
        let server = try ScriptedNames(names)
        let web = try ScriptedHTTPS(server)
        let found = try resolve(Array(repeating: "seed.example", count: 9), port: web.port)
        #expect(found.hosts.map { Set($0) } == Array(repeating: seedHosts, count: 9))
        #expect(found.connections == HTTPSTransfers.connections)
        #expect(server.questions.count == 18)
    }

    @Test("Once all names are looked up no connection is held, and more can be looked up")
    func rest() throws {
        let server = try ScriptedNames(names)
        let web = try ScriptedHTTPS(server)
        let (resolver, transfers) = try makeResolver(port: web.port)
        for _ in 0..<2 {
            let found = try look(
                up: ["seed.example", "seed.example"], with: resolver, transfers)
            #expect(found.hosts.map { Set($0) } == [seedHosts, seedHosts])
            #expect(found.connections > 0)
            // A newer libcurl hears the other end out before it closes.
            var set = PollSet()
            let end = Kernel.timeSinceBoot() + .seconds(60)
            while try established(to: web.port) > 0, Kernel.timeSinceBoot() < end {
                set.removeAll()
                transfers.add(to: &set)
                try set.wait(until: transfers.deadline ?? end)
                transfers.serve(set)
            }
            #expect(try established(to: web.port) == 0)
        }
    }

    /// How many connections of this machine to a port of 127.0.0.1 neither end has closed.
    private func established(to port: UInt16) throws -> Int {
        let digits = String(port, radix: 16, uppercase: true)
        let address = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
        let table = try ProcessFile.text(of: Int32(Kernel.identity().pid), "net/tcp")
        return table.split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[2] == address && fields[3] == "01"
        }
    }

    @Test("A certificate of an authority that is not trusted is refused before anything is asked")
    func stranger() throws {
        let server = try ScriptedNames(names)
        let web = try ScriptedHTTPS(server)
        #expect(try resolve("seed.example", port: web.port, authority: "stranger") == [])
        #expect(server.questions == [])
    }

    @Test("No redirect is followed")
    func redirect() throws {
        let server = try ScriptedNames(names)
        let web = try ScriptedHTTPS(server, mode: "redirect")
        #expect(try resolve("seed.example", port: web.port) == [])
        #expect(server.questions == [])
        // It would have answered.
        #expect(try Set(resolve("seed.example", port: web.port, path: "/answer")) == seedHosts)
    }

    @Test("An answer that does not end is cut off while it arrives")
    func long() throws {
        let web = try ScriptedHTTPS(ScriptedNames(names), mode: "long")
        #expect(try resolve("seed.example", port: web.port) == [])
        let lines = (0..<4).map { _ in web.nextLine() }
        #expect(lines.count { $0 == "cut off" } == 2)
    }

    @Test("An answer with another status than 200 counts for nothing, and so does a plain server")
    func status() throws {
        let web = try ScriptedHTTPS(ScriptedNames(names), mode: "error")
        #expect(try resolve("seed.example", port: web.port) == [])
        let plain = try Listener { socket in
            Stream.write(socket, Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        #expect(try resolve("seed.example", port: plain.port) == [])
        plain.stop()
    }

    @Test("What goes wrong with a server is told once, with the setting that names it")
    func problems() throws {
        for (mode, authority, part) in [
            ("error", "authority", "answered 500"), ("", "stranger", "certificate"),
        ] {
            let server = try ScriptedNames(names)
            let web =
                mode.isEmpty ? try ScriptedHTTPS(server) : try ScriptedHTTPS(server, mode: mode)
            let (resolver, transfers) = try makeResolver(port: web.port, authority: authority)
            for round in 0..<2 {
                let found = try look(
                    up: ["seed.example", "other.example"], with: resolver, transfers)
                #expect(found.hosts == [[], []])
                let problems = resolver.takeProblems()
                #expect(problems.count == (round == 0 ? 1 : 0), "\(problems)")
                #expect(problems.allSatisfy { $0.contains("doh-server") && $0.contains(part) })
            }
        }
    }

    @Test(
        "A server is named by https and an address",
        arguments: [
            ("https://1.1.1.1/dns-query", true), ("https://[2606:4700::1111]:443/", true),
            ("https://1.1.1.1:8443", true), ("http://1.1.1.1/dns-query", false),
            ("https://cloudflare-dns.com/dns-query", false), ("https://a@1.1.1.1/", false),
            ("https://", false), ("https://1.1.1.1/a b", false), ("file:///etc/passwd", false),
        ])
    func url(_ text: String, _ isUsable: Bool) {
        #expect((HTTPSResolver.endpoint(of: text) != nil) == isUsable)
    }
}
