import Bitcoin
import Chain
import LinuxIO
import NetworkCore
import PeerMessages
import ScriptedPeer
import Testing

@testable import NetworkTransport

@Suite("Connections to peers")
struct PeerConnectionTests {
    @Test("A whole chain comes over one connection: headers, filters, blocks")
    func chain() throws {
        let chain = try ServedChain.recorded()
        let peer = try ScriptedPeer(chain, messageStart: Lines.messageStart)
        let lines = Lines()
        let id = try lines.connect(peer.listener)
        lines.send(.version(introduction), to: id)
        guard case .version(let version) = try lines.message(from: id) else {
            throw ServerError(what: "version")
        }
        #expect(version.startHeight == 2033)
        lines.send(.verack, to: id)

        var headers: [BlockHeader] = []
        lines.send(.getheaders(GetHeaders(locator: [chain.hashes[0]])), to: id)
        lines.send(.getheaders(GetHeaders(locator: [chain.hashes[2000]])), to: id)
        while headers.count < 2033 {
            if case .headers(let more) = try lines.message(from: id) { headers += more }
        }
        #expect(headers == Array(chain.headers.dropFirst()))

        lines.send(.getcfilters(FilterRange(start: 1000, stop: chain.hashes[1999])), to: id)
        var filters: [[UInt8]] = []
        while filters.count < 1000 {
            if case .cfilter(let answer) = try lines.message(from: id) {
                filters.append(answer.filter)
            }
        }
        #expect(filters == Array(chain.filters[1000..<2000]))

        lines.send(
            .getdata([InventoryItem(.witnessBlock, chain.hashes[1000].bytes)]), to: id)
        while true {
            guard case .block(let block) = try lines.message(from: id) else { continue }
            #expect(block.serialized == chain.blocks[1000])
            break
        }
    }

    @Test("Nobody at an address is a failure of the attempt")
    func refused() throws {
        let listener = try Listener { _ in }
        listener.stop()
        let lines = Lines()
        lines.dial(listener)
        #expect(try lines.failure().kind == .refused)
        #expect(lines.connections.count == 0)
    }

    @Test("A host that hangs up at once was reached; its end is heard after")
    func hangsUp() throws {
        let listener = try Listener { _ in }
        let lines = Lines()
        let id = try lines.connect(listener)
        #expect(try lines.end(of: id) == .hungUp)
        #expect(lines.connections.count == 0)
    }

    @Test("What nobody asked for is skipped and never held, however much it is")
    func unasked() throws {
        // 256 blocks of nearly 4 MB, as a peer may send that wants to fill the memory.
        let payload = [UInt8](repeating: 0, count: 3_999_999)
        var header = PeerFrame(.verack).serialized(messageStart: Lines.messageStart)
        header.replaceSubrange(4..<16, with: Array("block".utf8) + [UInt8](repeating: 0, count: 7))
        header.replaceSubrange(
            16..<20, with: withUnsafeBytes(of: UInt32(payload.count).littleEndian, Array.init))
        let flood = header + payload
        let ping = PeerFrame(.ping(nonce: 5)).serialized(messageStart: Lines.messageStart)
        let listener = try Listener { socket in
            for _ in 0..<256 { guard Stream.write(socket, flood) else { return } }
            Stream.write(socket, ping)
            _ = Stream.read(socket)
        }
        let lines = Lines()
        let id = try lines.connect(listener)
        #expect(try lines.message(from: id) == .ping(nonce: 5))
        #expect(lines.mostHeld < 100)
        #expect(lines.skipped == 256 * payload.count)
    }

    @Test("Many small messages leave nothing behind")
    func smallMessages() throws {
        let ping = PeerFrame(.ping(nonce: 5)).serialized(messageStart: Lines.messageStart)
        let inventory = PeerFrame(
            .inv((0..<500).map { _ in InventoryItem(.transaction, .zero) })
        ).serialized(messageStart: Lines.messageStart)
        let many = Array(repeatElement(inventory, count: 57).joined()) + ping
        // 64 MiB; `bulkhead-bench client` measures the memory that a whole GiB leaves behind.
        let listener = try Listener { socket in
            for _ in 0..<64 { guard Stream.write(socket, many) else { return } }
            _ = Stream.read(socket)
        }
        let lines = Lines()
        let id = try lines.connect(listener)
        var pings = 0
        while pings < 64 {
            if case .ping = try lines.message(from: id) { pings += 1 }
        }
        // At most one of them, half arrived.
        #expect(lines.mostHeld < 20_000)
    }

    @Test("A peer that asks for more than it reads is let go")
    func notReading() throws {
        let silent = try Listener { socket in
            // Reads nothing until the other end is gone.
            while Stream.write(socket, [0]) {}
        }
        let lines = Lines { $0.waitingBytes = 64 << 10 }
        let id = try lines.connect(silent)
        let message = PeerMessage.getheaders(
            GetHeaders(locator: [BlockHash](repeating: BlockHash(.zero), count: 101)))
        for _ in 0..<5000 { lines.send(message, to: id) }
        #expect(try lines.end(of: id) == .notReading)
    }

    @Test("A message of another network, or one that cannot be read, is the peer's fault")
    func violation() throws {
        let foreign = try Listener { socket in
            let bytes = PeerFrame(.ping(nonce: 1)).serialized(
                messageStart: [0xF9, 0xBE, 0xB4, 0xD9])
            Stream.write(socket, bytes)
            _ = Stream.read(socket)
        }
        let lines = Lines()
        let id = try lines.connect(foreign)
        #expect(
            try lines.end(of: id) == .violation(.wrongNetwork(found: [0xF9, 0xBE, 0xB4, 0xD9])))
    }

    @Test("A peer that says nothing for too long is let go, one that talks slowly is not")
    func silence() throws {
        let slow = try Listener { socket in
            let bytes = PeerFrame(.ping(nonce: 1)).serialized(messageStart: Lines.messageStart)
            for byte in bytes + bytes.dropLast() {
                guard Stream.write(socket, [byte]) else { return }
                pause(milliseconds: 40)
            }
            _ = Stream.read(socket)
        }
        let lines = Lines { $0.silence = .milliseconds(1000) }
        let id = try lines.connect(slow)
        // One whole message takes longer than the silence that is put up with.
        #expect(try lines.message(from: id) == .ping(nonce: 1))
        #expect(try lines.end(of: id) == .silent)
    }

    @Test("A closed connection says nothing more, and an attempt that is given up never will")
    func closed() throws {
        let peer = try ScriptedPeer(ServedChain.recorded(), messageStart: Lines.messageStart)
        let lines = Lines()
        let first = try lines.connect(peer.listener, 1)
        lines.send(.version(introduction), to: first)
        lines.connections.close(first)
        lines.dial(peer.listener, 2)
        lines.connections.cancel(DialID(2))
        let third = try lines.connect(peer.listener, 3)
        #expect(third > first)
        #expect(!lines.heard.contains { if case .message = $0 { true } else { false } })
        #expect(lines.connections.count == 1)
    }

    @Test("Beyond the limit nothing is dialled")
    func limit() throws {
        let peer = try ScriptedPeer(ServedChain.recorded(), messageStart: Lines.messageStart)
        let lines = Lines { $0.connections = 1 }
        _ = try lines.connect(peer.listener, 1)
        lines.dial(peer.listener, 2)
        #expect(try lines.failure(2) == .full)
    }

    private var introduction: VersionMessage {
        VersionMessage(
            services: [], time: 0, nonce: 1, userAgent: [], startHeight: 0, relay: false)
    }
}
