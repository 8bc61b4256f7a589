import NetworkCore
import PeerEncryption
import PeerMessages

/// How messages become bytes on one connection and bytes become messages.
struct PeerFraming {
    private enum Transport {
        case plain(PeerFrameDecoder)
        case encrypted(EncryptedConnection)
    }

    private var transport: Transport
    private let messageStart: [UInt8]
    /// Which messages are read; the others are skipped.
    var wanted: Set<PeerMessageKind>

    /// The plain transport.
    init(messageStart: [UInt8], wanted: Set<PeerMessageKind>) {
        self.messageStart = messageStart
        self.wanted = wanted
        transport = .plain(PeerFrameDecoder(messageStart: messageStart, wanted: wanted))
    }

    /// The encrypted transport, whose keys are still to be exchanged.
    init(_ encrypted: EncryptedConnection, messageStart: [UInt8], wanted: Set<PeerMessageKind>) {
        self.messageStart = messageStart
        self.wanted = wanted
        transport = .encrypted(encrypted)
    }

    /// The most bytes of a packet: a command that is written out, and the longest payload.
    static let longestContents = 13 + PeerLimits.payload

    /// How messages travel; nil while keys are exchanged.
    var established: PeerTransport? {
        switch transport {
        case .plain: .v1
        case .encrypted(let connection): connection.session.map { .v2($0) }
        }
    }

    /// Whether messages can be sent and received.
    var isReady: Bool { established != nil }

    /// Bytes that are held until the rest of their message comes.
    var heldBytes: Int {
        switch transport {
        case .plain(let decoder): decoder.heldBytes
        case .encrypted(let connection): connection.heldBytes
        }
    }

    func encode(_ frame: PeerFrame) -> [UInt8] {
        switch transport {
        case .plain: frame.serialized(messageStart: messageStart)
        case .encrypted(let connection): connection.encode(frame.contents)
        }
    }

    /// What one read brought.
    struct Receipt {
        var frames: [PeerFrame] = []
        /// Bytes of messages that were skipped, and of decoys.
        var skipped = 0
        /// What has to be sent to go on with the exchange of keys.
        var answer: [UInt8] = []
        /// Set when nothing more can be read; the frames before it stand.
        var end: CloseReason?
    }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) -> Receipt {
        var receipt = Receipt()
        switch transport {
        case .plain(var decoder):
            // The buffer has one owner while it grows.
            transport = .plain(PeerFrameDecoder(messageStart: messageStart, wanted: []))
            decoder.wanted = wanted
            let before = decoder.skippedBytes
            do throws(PeerViolation) {
                try decoder.feed(bytes, into: &receipt.frames)
            } catch {
                receipt.end = .violation(error)
            }
            receipt.skipped = decoder.skippedBytes - before
            transport = .plain(decoder)
        case .encrypted(let connection):
            decrypt(bytes, connection, into: &receipt)
        }
        return receipt
    }

    private func decrypt(
        _ bytes: UnsafeRawBufferPointer, _ connection: EncryptedConnection,
        into receipt: inout Receipt
    ) {
        var contents: [[UInt8]] = []
        let before = connection.decoyBytes
        do throws(EncryptionError) {
            receipt.answer = try connection.receive(bytes, into: &contents)
        } catch {
            receipt.end = .closed("\(error)")
        }
        receipt.skipped += connection.decoyBytes - before
        for content in contents {
            do throws(PeerViolation) {
                guard let frame = try PeerFrame(contents: content), wanted.contains(frame.kind)
                else {
                    receipt.skipped += content.count
                    continue
                }
                receipt.frames.append(frame)
            } catch {
                receipt.end = .violation(error)
                return
            }
        }
    }
}
