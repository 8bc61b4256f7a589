import Bitcoin
import Chain
import TestSupport
import Testing
import Wire

@testable import PeerMessages

@Suite("Messages between peers")
struct PeerMessageTests {
    @Test("Every kind is written and read back as the same message")
    func roundTrips() throws {
        let samples = try Samples.all()
        #expect(samples.map(\.kind) == PeerMessageKind.allCases)
        for message in samples {
            let payload = message.payload
            #expect(try PeerMessage(message.kind, payload: payload) == message)
            #expect(payload.count <= message.kind.limit)
            #expect(try PeerFrame(message).message() == message)
        }
    }

    @Test("A payload that is cut anywhere, or has a byte too many, is refused")
    func lengths() throws {
        for message in try Samples.all() {
            let payload = message.payload
            for count in stride(from: 0, to: payload.count, by: max(1, payload.count / 200)) {
                let cut = Array(payload[..<count])
                // A `version` without its last byte is one that says nothing of relay.
                if message.kind == .version, count == payload.count - 1 { continue }
                #expect(throws: PeerMessageError.self) {
                    try PeerMessage(message.kind, payload: cut)
                }
            }
            if message.kind == .version { continue }
            #expect(throws: PeerMessageError.self) {
                try PeerMessage(message.kind, payload: payload + [0])
            }
        }
    }

    @Test("Each count stops at its limit, and a count without data reserves nothing")
    func counts() throws {
        let lists: [(PeerMessageKind, [UInt8], Int)] = [
            (.addr, [], 1_000), (.addrv2, [], 1_000), (.headers, [], 2_000), (.inv, [], 50_000),
            (.getdata, [], 50_000), (.notfound, [], 50_000),
            (.getheaders, [0, 0, 0, 0], 101),
            (.cfheaders, [UInt8](repeating: 0, count: 65), 2_000),
            (.cfcheckpt, [UInt8](repeating: 0, count: 33), 10_000),
            (.cfilter, [UInt8](repeating: 0, count: 33), 262_144),
        ]
        for (kind, prefix, limit) in lists {
            for count in [UInt64(limit) + 1, 0xFFFF_FFFF, 1 << 63, .max] {
                var writer = Writer()
                writer.write(prefix)
                writer.writeCompactSize(count)
                let expected = PeerMessageError.wire(
                    kind, .tooLarge(position: prefix.count, found: count, allowed: limit))
                #expect(throws: expected) { try PeerMessage(kind, payload: writer.bytes) }
            }
            var writer = Writer()
            writer.write(prefix)
            writer.writeCompactSize(limit)
            #expect(throws: PeerMessageError.self) {
                try PeerMessage(kind, payload: writer.bytes)
            }
        }
    }

    @Test("The fullest message of each kind fits its limit")
    func limits() throws {
        let header = Network.mainnet.genesis
        let hash = BlockHash(.zero)
        let long = PeerHost.unusable(network: 200, [UInt8](repeating: 1, count: 512))
        let far = PeerAddress(
            time: .max, services: PeerServices(rawValue: .max), host: long, port: .max)
        let full: [PeerMessage] = [
            .headers(Array(repeating: header, count: 2_000)),
            .addr(Array(repeating: Samples.addresses[0], count: 1_000)),
            .addrv2(Array(repeating: far, count: 1_000)),
            .inv(Array(repeating: InventoryItem(.block, .zero), count: 50_000)),
            .getheaders(GetHeaders(locator: Array(repeating: hash, count: 101))),
            .cfilter(
                FilterAnswer(block: hash, filter: [UInt8](repeating: 0, count: 256 << 10))),
            .cfheaders(
                FilterHashes(
                    stop: hash, previous: FilterHeader(.zero),
                    hashes: Array(repeating: FilterHash(.zero), count: 2_000))),
            .cfcheckpt(
                CheckpointAnswer(
                    stop: hash, headers: Array(repeating: FilterHeader(.zero), count: 10_000))),
        ]
        for message in full {
            #expect(message.payload.count == message.kind.limit)
            #expect(try PeerMessage(message.kind, payload: message.payload) == message)
        }
        var version = Samples.version
        version.userAgent = [UInt8](repeating: 0x41, count: 256)
        let payload = PeerMessage.version(version).payload
        #expect(payload.count <= PeerMessageKind.version.limit)
        version.userAgent.append(0x41)
        #expect(throws: PeerMessageError.self) {
            try PeerMessage(.version, payload: PeerMessage.version(version).payload)
        }
    }

    @Test("Headers that claim transactions are refused")
    func headersWithTransactions() throws {
        var payload = PeerMessage.headers([Network.mainnet.genesis]).payload
        payload[81] = 1
        #expect(
            throws: PeerMessageError.wire(.headers, .unknownValue(position: 81, found: 1))
        ) { try PeerMessage(.headers, payload: payload) }
    }

    @Test("The payloads that others wrote are read and written back")
    func payloads() throws {
        let vectors = try Fixture.json("peers/messages.json")
        let rows = try vectors["payloads"].array
        #expect(rows.count == 17)
        var read = 0
        for row in rows {
            guard let kind = PeerMessageKind(rawValue: try row["command"].string) else { continue }
            let bytes = try row["bytes"].hex
            // The embedded address is one of Tor's second version, which is dead.
            #expect(try PeerMessage(kind, payload: bytes).payload == bytes)
            read += 1
        }
        #expect(read == 6)
        let message = try PeerMessage(.headers, payload: vectors["headers_payload"].hex)
        guard case .headers(let headers) = message else {
            Issue.record("no headers")
            return
        }
        #expect(try headers.map(\.serialized) == vectors["headers"].array.map { try $0.hex })
        #expect(
            try headers.map(\.hash.description) == vectors["hashes"].array.map { try $0.string })
    }

    @Test("A captured version says what it says")
    func version() throws {
        let rows = try Fixture.json("peers/messages.json")["v1"].array
        let bytes = try rows[3]["bytes"].hex
        guard case .version(let version) = try PeerMessage(.version, payload: Array(bytes[24...]))
        else {
            Issue.record("no version")
            return
        }
        #expect(version.version == 70_015 && version.services.rawValue == 0x40D)
        #expect(version.time == 1_548_554_224 && version.nonce == 13_952_548_347_456_104_954)
        #expect(version.userAgent == Array("/Satoshi:0.17.1/".utf8))
        #expect(version.startHeight == 560_275 && version.relay)
        #expect(version.receiver.host == .ipv4(0x5BF0_8C80))
        let relayless = try PeerMessage(.version, payload: Array(bytes[24...].dropLast()))
        #expect(relayless == .version(version))
        let longer = try PeerMessage(.version, payload: Array(bytes[24...]) + [1, 2, 3])
        #expect(longer == .version(version))
    }

    @Test("Changed payloads are read or refused, and what is read writes back")
    func mutations() throws {
        var generator = SeededGenerator(seed: 70_016)
        let samples = try Samples.all().filter { $0.kind != .block }
        var refused = 0
        for _ in 0..<6_000 {
            let sample = try #require(samples.randomElement(using: &generator))
            let bytes = generator.mutated(sample.payload)
            guard let message = try? PeerMessage(sample.kind, payload: bytes) else {
                refused += 1
                continue
            }
            #expect(try PeerMessage(sample.kind, payload: message.payload) == message)
            if sample.kind != .version { #expect(message.payload == bytes) }
        }
        #expect((100..<5_900).contains(refused))
    }
}

@Suite("Addresses of peers")
struct PeerHostTests {
    @Test("18 addresses of BIP155 are read, refused or set aside")
    func vectors() throws {
        let rows = try Fixture.json("peers/addrv2.json").array
        #expect(rows.count == 18)
        for row in rows {
            let bytes = try row["bytes"].hex
            var reader = Reader(bytes)
            let host = try? PeerHost(from: &reader)
            // What cannot be dialled is set aside, so that the rest of the message stays.
            let isKnown = bytes[0] != 0xAA
            let isUsable = host.map { if case .unusable = $0 { false } else { true } } ?? false
            let isValid = try row["valid"].bool
            #expect(isUsable == (isValid && isKnown), "\(bytes)")
            guard let host else { continue }
            var writer = Writer()
            host.write(to: &writer)
            #expect(writer.bytes == bytes)
        }
    }

    @Test("Public addresses are told from special ones at the border of each range")
    func ranges() {
        func v4(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> PeerHost {
            .ipv4(a << 24 | b << 16 | c << 8 | d)
        }
        let special = [
            v4(0, 1, 2, 3), v4(10, 0, 0, 1), v4(100, 64, 0, 0), v4(100, 127, 255, 255),
            v4(127, 0, 0, 1), v4(169, 254, 1, 1), v4(172, 16, 0, 0), v4(172, 31, 255, 255),
            v4(192, 0, 0, 9), v4(192, 0, 2, 1), v4(192, 88, 99, 1), v4(192, 168, 0, 1),
            v4(198, 18, 0, 0), v4(198, 19, 255, 255), v4(198, 51, 100, 1), v4(203, 0, 113, 1),
            v4(224, 0, 0, 1), v4(240, 0, 0, 1), v4(255, 255, 255, 255),
            .ipv6(high: 0, low: 0), .ipv6(high: 0, low: 1),
            .ipv6(high: 0x0064_FF9B_0000_0000, low: 1), .ipv6(high: 0x0100_0000_0000_0000, low: 1),
            .ipv6(high: 0x2001_0000_0000_0000, low: 1), .ipv6(high: 0x2001_01FF_0000_0000, low: 1),
            .ipv6(high: 0x2001_0DB8_0000_0000, low: 1), .ipv6(high: 0x2002_0102_0304_0000, low: 1),
            .ipv6(high: 0x3FFF_0FFF_0000_0000, low: 1), .ipv6(high: 0xFC00_0000_0000_0000, low: 1),
            .ipv6(high: 0xFE80_0000_0000_0000, low: 1), .ipv6(high: 0xFF02_0000_0000_0000, low: 1),
            .unusable(network: 170, []),
        ]
        for host in special { #expect(!host.isPublic, "\(host)") }
        let open = [
            v4(1, 0, 0, 1), v4(9, 255, 255, 255), v4(11, 0, 0, 0), v4(100, 63, 255, 255),
            v4(100, 128, 0, 0), v4(172, 15, 255, 255), v4(172, 32, 0, 0), v4(192, 0, 1, 0),
            v4(198, 17, 255, 255), v4(198, 20, 0, 0), v4(223, 255, 255, 255),
            .ipv6(high: 0x2001_0200_0000_0000, low: 1), .ipv6(high: 0x2001_0DB9_0000_0000, low: 1),
            .ipv6(high: 0x2A00_0000_0000_0000, low: 0), .torV3(.zero), .i2p(.zero),
            .cjdns(high: 0xFC00_0000_0000_0000, low: 1),
        ]
        for host in open { #expect(host.isPublic, "\(host)") }
    }

    @Test("Peers are grouped by /16, /32 and overlay")
    func groups() {
        #expect(PeerHost.ipv4(0x0102_0304).group == PeerHost.ipv4(0x0102_FFFF).group)
        #expect(PeerHost.ipv4(0x0102_0304).group != PeerHost.ipv4(0x0103_0304).group)
        let first = PeerHost.ipv6(high: 0x2A00_0001_0000_0000, low: 1)
        #expect(first.group == PeerHost.ipv6(high: 0x2A00_0001_FFFF_0000, low: 2).group)
        #expect(first.group != PeerHost.ipv6(high: 0x2A00_0002_0000_0000, low: 1).group)
        #expect(PeerHost.torV3(.zero).group == PeerHost.torV3(Samples.hash).group)
        #expect(PeerHost.torV3(.zero).group != PeerHost.i2p(.zero).group)
    }
}
