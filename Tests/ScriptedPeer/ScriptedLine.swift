import Foundation
import PeerEncryption
import PeerMessages
import Wire

/// One connection of a scripted peer, whose first bytes show which transport it has.
final class ScriptedLine: @unchecked Sendable {
    private enum Transport {
        /// What came so far could still be either.
        case unknown([UInt8])
        case plain(PeerFrameDecoder)
        case encrypted(EncryptedConnection)
    }

    private let socket: Int32
    private let messageStart: [UInt8]
    private let encrypts: Bool
    private var transport = Transport.unknown([])
    private let lock = NSLock()

    init(_ socket: Int32, _ messageStart: [UInt8], encrypts: Bool) {
        self.socket = socket
        self.messageStart = messageStart
        self.encrypts = encrypts
    }

    /// The number of the session; nil in the clear.
    var session: Bytes32? {
        lock.withLock {
            guard case .encrypted(let connection) = transport else { return nil }
            return connection.session
        }
    }

    /// The next messages; nil at the end.
    func listen() -> [PeerMessage]? {
        guard let bytes = Stream.read(socket) else { return nil }
        return try? lock.withLock { try take(bytes).map { try $0.message() } }
    }

    func say(_ message: PeerMessage) {
        lock.withLock {
            let frame = PeerFrame(message)
            switch transport {
            case .encrypted(let connection) where connection.session != nil:
                Stream.write(socket, connection.encode(frame.contents))
            case .plain: Stream.write(socket, frame.serialized(messageStart: messageStart))
            // Whoever has no transport yet has not introduced itself.
            case .encrypted, .unknown: break
            }
        }
    }

    private func take(_ bytes: [UInt8]) throws -> [PeerFrame] {
        switch transport {
        case .unknown(let before): return try begin(before + bytes)
        case .plain(var decoder):
            var frames: [PeerFrame] = []
            try bytes.withUnsafeBytes { try decoder.feed($0, into: &frames) }
            transport = .plain(decoder)
            return frames
        case .encrypted(let connection):
            var contents: [[UInt8]] = []
            let answer = try connection.receive(bytes, into: &contents)
            Stream.write(socket, answer)
            return try contents.compactMap { try PeerFrame(contents: $0) }
        }
    }

    /// A connection in the clear begins with the network; the beginning of any other is a key.
    private func begin(_ bytes: [UInt8]) throws -> [PeerFrame] {
        guard bytes.count >= messageStart.count else {
            transport = .unknown(bytes)
            return []
        }
        if bytes.starts(with: messageStart) {
            transport = .plain(
                PeerFrameDecoder(
                    messageStart: messageStart, wanted: Set(PeerMessageKind.allCases)))
            return try take(bytes)
        }
        var random = SystemRandomNumberGenerator()
        guard encrypts,
            let connection = EncryptedConnection(
                role: .responder, messageStart: messageStart, limit: 13 + PeerLimits.payload,
                random: &random)
        else { throw ServerError(what: "no message") }
        transport = .encrypted(connection)
        Stream.write(socket, connection.opening)
        return try take(bytes)
    }
}
