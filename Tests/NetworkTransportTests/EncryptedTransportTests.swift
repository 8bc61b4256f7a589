import Bitcoin
import Chain
import Glibc
import LinuxIO
import NetworkCore
import PeerEncryption
import PeerMessages
import ScriptedPeer
import Testing
import Wire

@testable import NetworkTransport

@Suite(
    "The encrypted transport over TCP",
    .enabled(if: EncryptedConnection.isAvailable, "libsecp256k1 here has no ellswift module"))
struct EncryptedTransportTests {
    @Test("A chain comes in a session that both ends number alike, through changes of keys")
    func chain() throws {
        let chain = try ServedChain.recorded()
        let peer = try ScriptedPeer(chain, messageStart: Lines.messageStart)
        let lines = Lines()
        lines.dial(peer.listener)
        let dialled = try lines.dialled()
        let id = dialled.id
        lines.send(
            .version(
                VersionMessage(
                    services: [], time: 0, nonce: 1, userAgent: [], startHeight: 0, relay: false)),
            to: id)
        guard case .version(let version) = try lines.message(from: id) else {
            throw ServerError(what: "version")
        }
        #expect(version.services.contains(.v2Transport))
        let first = peer.sessions.first ?? nil
        let session = try #require(first)
        #expect(dialled.transport == .v2(session))
        #expect(peer.listener.connections == 1)

        // A key serves 224 packets, and each filter is one.
        for start in stride(from: 0, to: 2000, by: 1000) {
            lines.send(
                .getcfilters(FilterRange(start: UInt32(start), stop: chain.hashes[start + 999])),
                to: id)
            var filters: [[UInt8]] = []
            while filters.count < 1000 {
                if case .cfilter(let answer) = try lines.message(from: id) {
                    filters.append(answer.filter)
                }
            }
            #expect(filters == Array(chain.filters[start..<start + 1000]))
        }
        for nonce in 0..<500 as Range<UInt64> {
            lines.send(.ping(nonce: nonce), to: id)
            #expect(try lines.message(from: id) == .pong(nonce: nonce))
        }
    }

    @Test(
        "Garbage and decoys of any length are passed over, and their bytes are useless ones",
        arguments: [0, 1, 15, 16, 17, 64, 4094, 4095], [0, 1, 300])
    func garbage(length: Int, decoys: Int) throws {
        let conduct = Responder.Conduct(
            garbage: (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) },
            decoys: (0..<decoys).map { [UInt8](repeating: 1, count: $0) })
        let listener = try Listener { socket in
            guard var responder = try? Responder(socket, conduct), (try? responder.finish()) == true
            else { return }
            responder.say(decoy: [UInt8](repeating: 2, count: 1000))
            responder.say(decoy: [])
            responder.say(.ping(nonce: 5))
            guard let contents = try? responder.next() else { return }
            if contents == PeerFrame(.pong(nonce: 5)).contents { responder.say(.ping(nonce: 6)) }
            _ = Stream.read(socket)
        }
        let lines = Lines()
        let id = try lines.connect(listener)
        #expect(try lines.message(from: id) == .ping(nonce: 5))
        lines.send(.pong(nonce: 5), to: id)
        #expect(try lines.message(from: id) == .ping(nonce: 6))
        let exchanged = decoys * 20 + decoys * (decoys - 1) / 2
        #expect([1040, 1040 + exchanged].contains(lines.skipped))
        #expect(listener.connections == 1)
    }

    @Test("A peer without encryption hangs up and is reached again in the clear")
    func plainPeer() throws {
        var conduct = ScriptedPeer.Conduct()
        conduct.encrypts = false
        let peer = try ScriptedPeer(
            ServedChain.recorded(), messageStart: Lines.messageStart, conduct: conduct)
        let lines = Lines()
        lines.dial(peer.listener)
        let dialled = try lines.dialled()
        #expect(dialled.transport == .v1)
        #expect(peer.listener.waitForConnections(2) == 2)
        lines.send(.ping(nonce: 5), to: dialled.id)
        #expect(try lines.message(from: dialled.id) == .pong(nonce: 5))

        // Known to have none, it is spared the first of them.
        lines.dial(peer.listener, 2, isEncrypted: false)
        #expect(try lines.dialled(2).transport == .v1)
        #expect(peer.listener.waitForConnections(3) == 3)
    }

    @Test(
        "A peer that stops anywhere in the exchange of keys is reached again in the clear",
        arguments: [0, 1, 63, 64, 65, 1000, 4159, 4160, 4175])
    func hangs(count: Int) throws {
        let listener = try Listener { socket in
            Stream.write(socket, [UInt8](repeating: 0x55, count: count))
            while Stream.read(socket) != nil {}
        }
        let lines = Lines()
        lines.dial(listener, timeout: .seconds(2))
        #expect(try lines.dialled().transport == .v1)
        #expect(listener.waitForConnections(2) == 2)
        #expect(lines.mostHeld < 16 << 10)
    }

    @Test("Where encryption and what comes after it both fail, the attempt has failed")
    func failsTwice() throws {
        let listener = try Listener { socket in
            // More than a key and garbage may be.
            while Stream.write(socket, [UInt8](repeating: 0x55, count: 4096)) {}
        }
        let lines = Lines()
        lines.dial(listener)
        let dialled = try lines.dialled()
        #expect(dialled.transport == .v1)
        #expect(
            try lines.end(of: dialled.id)
                == .violation(.wrongNetwork(found: [0x55, 0x55, 0x55, 0x55])))
        #expect(listener.waitForConnections(2) == 2)
    }

    @Test(
        "What was changed in the exchange, and keys of another network, open no session",
        arguments: ["terminator", "length", "tag", "garbage", "network"])
    func notAuthentic(what: String) throws {
        var conduct = Responder.Conduct(garbage: [1, 2, 3], decoys: [[4]])
        switch what {
        case "terminator": conduct.change = { $0[3] ^= 1 }
        // Announces more than any message has.
        case "length": conduct.change = { $0[18] ^= 0x80 }
        case "tag": conduct.change = { $0[16 + 23] ^= 1 }
        // Moved to where it is not authenticated.
        case "garbage": conduct.change = { $0 = [9] + $0 }
        default: conduct.messageStart = [0xF9, 0xBE, 0xB4, 0xD9]
        }
        let listener = try Listener { [conduct] socket in
            _ = try? Responder(socket, conduct)
            while Stream.read(socket) != nil {}
        }
        let lines = Lines()
        lines.dial(listener, timeout: .seconds(2))
        #expect(try lines.dialled().transport == .v1)
        #expect(listener.waitForConnections(2) == 2)
    }

    @Test("A packet that was changed ends the session and proves nothing against the peer")
    func changedPacket() throws {
        let listener = try Listener { socket in
            guard var responder = try? Responder(socket), (try? responder.finish()) == true
            else { return }
            responder.say(.ping(nonce: 1))
            var packet = responder.packet(.ping(nonce: 2))
            packet[7] ^= 1
            Stream.write(socket, packet)
            _ = Stream.read(socket)
        }
        let lines = Lines()
        let id = try lines.connect(listener)
        #expect(try lines.message(from: id) == .ping(nonce: 1))
        #expect(
            try lines.end(of: id)
                == .closed("a packet was changed on the way or not made with our keys"))
        #expect(listener.connections == 1)
    }

    @Test("A peer that is gone as soon as the session is open was reached")
    func resetAtOnce() throws {
        let listener = try Listener { socket in
            _ = try? Responder(socket)
            // Closing resets: whatever is written to it now fails.
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
        let lines = Lines()
        lines.dial(listener)
        try lines.turn()
        // Until all of it is there, its end included, before any of it is read.
        pause(milliseconds: 200)
        let dialled = try lines.dialled()
        guard case .v2 = dialled.transport else { throw ServerError(what: "\(dialled)") }
        guard case .closed = try lines.end(of: dialled.id) else { throw ServerError(what: "end") }
    }
}
