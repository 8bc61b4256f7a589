import Hashing
import Wire

/// A message whose payload has not been read yet.
public struct PeerFrame: Hashable, Sendable {
    /// Which message it is.
    public let kind: PeerMessageKind
    /// Its payload, within the limit of its kind.
    public let payload: [UInt8]

    /// The frame of a message.
    public init(_ message: PeerMessage) {
        kind = message.kind
        payload = message.payload
    }

    init(kind: PeerMessageKind, payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }

    /// Reads the payload.
    public func message() throws(PeerMessageError) -> PeerMessage {
        try PeerMessage(kind, payload: payload)
    }

    /// Bytes in front of a payload of the first transport: network, command, length, checksum.
    static let headerSize = 24

    /// The bytes of the first transport.
    ///
    /// - Parameter messageStart: the four bytes of the network.
    public func serialized(messageStart: [UInt8]) -> [UInt8] {
        var writer = Writer(capacity: PeerFrame.headerSize + payload.count)
        writer.write(messageStart)
        writer.write(PeerFrame.padded(kind.command))
        writer.write(UInt32(payload.count))
        writer.write(PeerFrame.checksum(payload))
        writer.write(payload)
        return writer.bytes
    }

    /// What the second transport (BIP324) encrypts: one byte for the command, or zero and the
    /// command, then the payload.
    public var contents: [UInt8] {
        guard let shortID = kind.shortID else {
            return [0] + PeerFrame.padded(kind.command) + payload
        }
        return [shortID] + payload
    }

    /// Reads what the second transport decrypted; nil for a message that is skipped.
    public init?(contents: [UInt8]) throws(PeerViolation) {
        var reader = Reader(contents)
        guard let first = try? reader.readUInt8() else { throw .malformedCommand }
        var kind = PeerFrame.kinds[first]
        var command = "message \(first)"
        if first == 0 {
            guard let bytes = try? reader.read(12) else { throw .malformedCommand }
            command = try PeerFrame.command(bytes[...])
            kind = PeerMessageKind(rawValue: command)
        }
        let allowed = kind?.limit ?? PeerLimits.payload
        guard reader.remaining <= allowed else {
            throw .tooLong(
                command: command, found: UInt32(clamping: reader.remaining), allowed: allowed)
        }
        guard let kind else { return nil }
        self.init(kind: kind, payload: reader.readRest())
    }

    private static let kinds: [UInt8: PeerMessageKind] = Dictionary(
        uniqueKeysWithValues: PeerMessageKind.allCases.compactMap { kind in
            kind.shortID.map { ($0, kind) }
        })

    private static func padded(_ command: String) -> [UInt8] {
        Array(command.utf8) + [UInt8](repeating: 0, count: 12 - command.utf8.count)
    }

    /// The command of twelve bytes: printable characters, then zeros.
    static func command(_ bytes: ArraySlice<UInt8>) throws(PeerViolation) -> String {
        let text = bytes.prefix { $0 != 0 }
        guard text.allSatisfy({ (0x20...0x7E).contains($0) }),
            bytes.dropFirst(text.count).allSatisfy({ $0 == 0 })
        else { throw .malformedCommand }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first four bytes of the double hash, as they stand.
    static func checksum(_ payload: [UInt8]) -> UInt32 {
        SHA256.doubleHash(payload).withUnsafeBytes {
            UInt32(littleEndian: $0.load(as: UInt32.self))
        }
    }
}
