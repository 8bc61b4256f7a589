import TestSupport
import Testing
import Wire

@testable import PeerMessages

@Suite("Addresses as text")
struct PeerEndpointTests {
    private let onion = "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion"
    private let i2p = "ukeu3k5oycgaauneqgtnvselmt4yemvoilkln7jpvamvfx7dnkdq.b32.i2p"

    @Test("addresses of every network are read, and printed as they are read again")
    func forms() throws {
        let texts = [
            "1.2.3.4:8333", "[2a00:1:2:3::4]:8333", "[::1]:1", "[fc00:1::2]:8333",
            "\(onion):8333", "\(i2p):0", "255.255.255.255:65535",
        ]
        for text in texts {
            let endpoint = try PeerEndpoint(text, defaultPort: 1)
            #expect(endpoint.description == text)
        }
        #expect(try PeerEndpoint("1.2.3.4", defaultPort: 8333).description == "1.2.3.4:8333")
        #expect(try PeerEndpoint("2A00::4", defaultPort: 8333).description == "[2a00::4]:8333")
        #expect(try PeerEndpoint("[2a00::4]", defaultPort: 8333).description == "[2a00::4]:8333")
        #expect(try PeerEndpoint(i2p, defaultPort: 8333).port == 0)
        #expect(try PeerEndpoint(onion.uppercased(), defaultPort: 9).description == "\(onion):9")
    }

    @Test("Tor and I2P names are those that Bitcoin Core has for the same bytes")
    func overlays() throws {
        let key = try Hex.decode("79bcc625184b05194975c28b66b66b0469f7f6556fb1ac3189a79b40dda32f1f")
        let hash = try Hex.decode(
            "a2894dabaec08c0051a481a6dac88b64f98232ae42d4b6fd2fa81952dfe36a87")
        #expect(PeerHost(onion) == Bytes32(key).map { .torV3($0) })
        #expect(PeerHost(i2p) == Bytes32(hash).map { .i2p($0) })
        #expect(PeerHost(onion)?.way == .tor)
        #expect(PeerHost(i2p)?.way == .i2p)
    }

    @Test("a Tor name with a wrong character, checksum or version is none")
    func damagedOnion() {
        let digits = Array(onion.dropLast(6))
        for place in digits.indices {
            var changed = digits
            changed[place] = changed[place] == "a" ? "b" : "a"
            #expect(PeerHost(String(changed) + ".onion") == nil, "\(place)")
        }
        #expect(PeerHost("expyuzz4wqqyqhjn.onion") == nil)
    }

    @Test("IPv6 is printed as RFC 5952 has it")
    func ipv6() {
        let texts = [
            "2001:db8:0:0:1:0:0:1": "2001:db8::1:0:0:1",
            "2001:0DB8::0001": "2001:db8::1",
            "2001:db8:0:1:1:1:1:1": "2001:db8:0:1:1:1:1:1",
            "0:0:0:0:0:0:0:0": "::",
            "1:0:0:0:0:0:0:0": "1::",
            "::ffff:1.2.3.4": "1.2.3.4",
            "64:ff9b::1.2.3.4": "64:ff9b::102:304",
        ]
        for (text, printed) in texts { #expect(PeerHost(text)?.description == printed, "\(text)") }
        #expect(PeerHost("fc00::1")?.way == .cjdns)
        #expect(PeerHost("fd87:d87e:eb43::1")?.way == nil)
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.-4", "1.2.3.+4", "a.b.c.d",
            "example.com", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536", "1.2.3.4:+1", "1.2.3.4:8333 ",
            "[1.2.3.4]:8333", "[2a00::4", "2a00::4]:1", "[2a00::4]8333", "2a00::4::1", ":::", ":",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "g::1", "1::+2", "0.0.0.0:1", "[::]:1",
            "[fd87:d87e:eb43::1]:8333", "ü.onion", ".onion", ".b32.i2p", "2a00::4%eth0",
            String(repeating: "1", count: 10_000),
        ])
    func refused(text: String) {
        #expect(throws: PeerEndpointError.self) { try PeerEndpoint(text, defaultPort: 8333) }
    }

    @Test("an error quotes a bounded part and says what to write")
    func errors() {
        let long = String(repeating: "x", count: 100_000)
        let error = thrown(PeerEndpointError.self) { try PeerEndpoint(long, defaultPort: 1) }
        #expect((error?.description.utf8.count ?? .max) < 300)
        let name = thrown(PeerEndpointError.self) { try PeerEndpoint("a.example", defaultPort: 1) }
        #expect(name?.description.contains("other names are not looked up") == true)
    }

    @Test("any text is an endpoint that prints as it is read, or an error")
    func anything() throws {
        var random = SeededGenerator(seed: 27)
        let starts = ["1.2.3.4:8333", "[2a00:1:2:3::4]:8333", "\(onion):8333", "\(i2p):0"]
        var read = 0
        for round in 0..<4000 {
            let bytes = random.mutated(Array(starts[round % starts.count].utf8))
            let text = String(decoding: bytes, as: UTF8.self)
            guard let endpoint = try? PeerEndpoint(text, defaultPort: 8333) else { continue }
            read += 1
            #expect(try PeerEndpoint(endpoint.description, defaultPort: 1) == endpoint)
        }
        #expect(read > 100)
    }

    @Test("the addresses of the vectors are read from text again")
    func vectors() throws {
        var count = 0
        for row in try Fixture.json("peers/addrv2.json").array {
            guard try row["valid"].bool else { continue }
            var reader = Reader(try row["bytes"].hex)
            let host = try PeerHost(from: &reader)
            guard host.way != nil else { continue }
            #expect(PeerHost(host.description) == host)
            count += 1
        }
        #expect(count == 5)
    }
}
