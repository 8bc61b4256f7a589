import LinuxIO
import NetworkCore
import PeerMessages
import ScriptedPeer
import Testing
import Wire

@testable import NetworkTransport

@Suite("Connections by a gateway")
struct GatewayTests {
    /// A gateway of a Tor service that this one is the key of.
    private let onion = PeerHost.torV3(.zero)

    private func lines(_ gateway: Listener) -> Lines {
        let lines = Lines()
        lines.useGateway(gateway)
        return lines
    }

    private func dial(
        _ lines: Lines, _ host: PeerHost, port: UInt16, timeout: Duration = .seconds(20)
    ) {
        lines.connections.dial(
            DialID(1), host, port: port, by: .gateway(.tor), timeout: timeout
        ) { lines.hear($0) }
    }

    @Test("The destination goes to the gateway as a name, and messages pass through it")
    func byName() throws {
        let peer = try ScriptedPeer(ServedChain.recorded(), messageStart: Lines.messageStart)
        let proxy = try ScriptedProxy { _, _ in .connect(peer.listener.port) }
        let lines = lines(proxy.listener)
        dial(lines, onion, port: 8333)
        let id = try lines.wait { event -> PeerID? in
            guard case .dialled(_, let result) = event else { return nil }
            return try result.get().id
        }
        lines.send(.ping(nonce: 9), to: id)
        #expect(try lines.message(from: id) == .pong(nonce: 9))
        #expect(proxy.requests == [.init(addressType: 3, host: "\(onion)", port: 8333)])
    }

    @Test(
        "What a gateway refuses is never dialled past it",
        arguments: [1, 2, 4, 6, 0xF0] as [UInt8])
    func refused(code: UInt8) throws {
        let peer = try ScriptedPeer(ServedChain.recorded(), messageStart: Lines.messageStart)
        let proxy = try ScriptedProxy { _, _ in .refuse(code) }
        let lines = lines(proxy.listener)
        // An address that could be dialled, and must not be.
        dial(lines, .ipv4(0x7F00_0001), port: peer.listener.port)
        let failure = try lines.failure()
        #expect(failure.kind == (code == 2 ? .gateway : .refused))
        #expect(peer.listener.connections == 0)
        #expect(proxy.requests.map(\.addressType) == [3])
    }

    @Test("A gateway that says nothing fails in time, and nothing is dialled past it")
    func silent() throws {
        let peer = try ScriptedPeer(ServedChain.recorded(), messageStart: Lines.messageStart)
        let gateway = try Listener { socket in while Stream.read(socket) != nil {} }
        let lines = lines(gateway)
        dial(lines, .ipv4(0x7F00_0001), port: peer.listener.port, timeout: .milliseconds(200))
        #expect(try lines.failure().kind == .timeout)
        #expect(peer.listener.connections == 0)
    }

    @Test("What is no proxy, or nobody, is the gateway's failure")
    func noProxy() throws {
        let web = try Listener { socket in
            Stream.write(socket, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        }
        var lines = lines(web)
        dial(lines, onion, port: 8333)
        #expect(try lines.failure().kind == .gateway)
        web.stop()
        lines = self.lines(web)
        dial(lines, onion, port: 8333)
        #expect(try lines.failure().kind == .gateway)
    }

    @Test("Without a gateway nothing of an overlay is dialled at all")
    func noGateway() throws {
        let lines = Lines()
        dial(lines, onion, port: 8333)
        #expect(try lines.failure().kind == .gateway)
        lines.connections.dial(
            DialID(1), onion, port: 8333, by: .direct, timeout: .seconds(1)
        ) { lines.hear($0) }
        #expect(try lines.failure().kind == .gateway)
    }
}
