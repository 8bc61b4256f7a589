import TestSupport
import Testing

@testable import NetworkCore

@Suite("SOCKS5")
struct SOCKS5Tests {
    private let opened: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    @Test("the destination is sent by name, and what follows the reply is the destination's")
    func connect() throws {
        var proxy = try SOCKS5(host: "abc.onion", port: 8333)
        #expect(proxy.greeting == [5, 1, 0])
        let request: [UInt8] = [5, 1, 0, 3, 9] + Array("abc.onion".utf8) + [0x20, 0x8D]
        #expect(try proxy.receive([5, 0]) == .send(request))
        #expect(try proxy.receive(opened + [1, 2, 3]) == .open(rest: [1, 2, 3]))
        #expect(try proxy.receive([4]) == .open(rest: [4]))
    }

    @Test("bytes may come one by one")
    func pieces() throws {
        let replies: [[UInt8]] = [
            opened, [5, 0, 0, 3, 2, 0x61, 0x62, 0, 80],
            [5, 0, 0, 4] + [UInt8](repeating: 0, count: 18),
        ]
        for reply in replies {
            var proxy = try SOCKS5(host: "a", port: 1)
            #expect(try proxy.receive([5]) == .wait)
            guard case .send = try proxy.receive([0]) else {
                Issue.record("no request")
                continue
            }
            for byte in reply.dropLast() { #expect(try proxy.receive([byte]) == .wait) }
            #expect(try proxy.receive([reply[reply.count - 1]]) == .open(rest: []))
        }
    }

    @Test("a name and a password are offered only where there are some, and then needed")
    func credentials() throws {
        let credentials = try #require(SOCKS5.Credentials(name: [1], password: [2, 3]))
        var proxy = try SOCKS5(host: "a", port: 1, credentials: credentials)
        #expect(proxy.greeting == [5, 1, 2])
        #expect(try proxy.receive([5, 2]) == .send([1, 1, 1, 2, 2, 3]))
        #expect(try proxy.receive([1, 0]) == .send([5, 1, 0, 3, 1, 0x61, 0, 1]))
        var refused = try SOCKS5(host: "a", port: 1, credentials: credentials)
        _ = try refused.receive([5, 2])
        #expect(throws: SOCKS5Error.credentials) { try refused.receive([1, 1]) }
        var unasked = try SOCKS5(host: "a", port: 1, credentials: credentials)
        #expect(throws: SOCKS5Error.notAProxy) { try unasked.receive([5, 0]) }
        #expect(SOCKS5.Credentials(name: [], password: [1]) == nil)
        let long = [UInt8](repeating: 1, count: 256)
        #expect(SOCKS5.Credentials(name: [1], password: long) == nil)
    }

    @Test(
        "what is no proxy is known at its first wrong byte",
        arguments: [
            [4], [0x48, 0x54, 0x54, 0x50], [5, 1], [5, 0, 0], [5, 2],
        ] as [[UInt8]])
    func notAProxy(bytes: [UInt8]) throws {
        var proxy = try SOCKS5(host: "a", port: 1)
        #expect(throws: SOCKS5Error.notAProxy) { try proxy.receive(bytes) }
    }

    @Test("a proxy that takes no method, and a reply of no known form, are told apart")
    func wrongReplies() throws {
        var proxy = try SOCKS5(host: "a", port: 1)
        #expect(throws: SOCKS5Error.method) { try proxy.receive([5, 0xFF]) }
        for reply: [UInt8] in [[4], [5, 0, 0, 2, 0], [5, 0, 1, 1, 0, 0, 0, 0, 0, 0]] {
            var proxy = try SOCKS5(host: "a", port: 1)
            _ = try proxy.receive([5, 0])
            #expect(throws: SOCKS5Error.notAProxy) { try proxy.receive(reply) }
        }
    }

    @Test("each refusal has a sentence, and says whether the destination is at fault")
    func refusals() throws {
        var sentences: Set<String> = []
        for code: UInt8 in [1, 2, 3, 4, 5, 6, 7, 8, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF6, 0xF7, 99] {
            var proxy = try SOCKS5(host: "a", port: 1)
            _ = try proxy.receive([5, 0])
            let error = thrown(SOCKS5Error.self) { try proxy.receive([5, code]) }
            sentences.insert(error.map { "\($0)" } ?? "")
        }
        #expect(sentences.count == 16)
        #expect(SOCKS5Refusal(code: 2).isAboutGateway)
        #expect(!SOCKS5Refusal(code: 1).isAboutGateway)
    }

    @Test(
        "a destination that is no name is refused before anything is sent",
        arguments: ["", "a b", "ä", "a\u{0}", String(repeating: "a", count: 256)])
    func names(host: String) {
        #expect(throws: SOCKS5Error.name(host)) { try SOCKS5(host: host, port: 1) }
    }
}
