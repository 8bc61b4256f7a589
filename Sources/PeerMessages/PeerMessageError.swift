public import Bitcoin
public import Wire

/// Why the payload of a message cannot be read. Positions count bytes of the payload from 0.
public enum PeerMessageError: Error, Hashable, Sendable {
    /// The bytes are not of the form.
    case wire(PeerMessageKind, WireError)
    /// The transaction, or one of the block, is not of the form.
    case transaction(PeerMessageKind, TransactionError)
}

extension PeerMessageError: CustomStringConvertible {
    /// One sentence: which message, what, where.
    public var description: String {
        switch self {
        case .wire(let kind, let error): "\(kind.command): \(error)"
        case .transaction(let kind, let error): "\(kind.command): \(error)"
        }
    }
}

/// What a peer did that ends the connection: from here on its bytes have no meaning.
public enum PeerViolation: Error, Hashable, Sendable {
    /// The bytes that start each message are those of another network.
    case wrongNetwork(found: [UInt8])
    /// A command of other than printable ASCII characters filled up with zeros.
    case malformedCommand
    /// A payload that no message may have, or not this one.
    case tooLong(command: String, found: UInt32, allowed: Int)
    /// The payload is not the one that was announced.
    case wrongChecksum(PeerMessageKind)
    /// The payload cannot be read.
    case malformed(PeerMessageError)
}

extension PeerViolation: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .wrongNetwork(let found):
            "messages start with \(Hex.encode(found)), which is another network"
        case .malformedCommand: "a command has characters that none may have"
        case .tooLong(let command, let found, let allowed):
            "\(command) announces \(found) bytes, at most \(allowed) allowed"
        case .wrongChecksum(let kind): "\(kind.command) has another checksum than announced"
        case .malformed(let error): error.description
        }
    }
}
