public import Bitcoin
public import Chain
public import PeerMessages

/// Why a connection to a peer ended or was not made, and what follows from it.
public enum PeerFault: Hashable, Sendable {
    /// The line or the peer's load: it rests and is tried again.
    case transport(TransportFault)
    /// It is not the kind of peer that is needed: it rests for long and is no saved peer any more.
    case unsuitable(Unsuitability)
    /// It breaks the manners of the protocol: as above. Bytes on an open line prove nothing of who
    /// sent them, so that no ban follows.
    case misconduct(Misconduct)
    /// It lied, which the proof shows: it is banned.
    case proven(PeerProof)
}

/// What can happen to any honest peer.
public enum TransportFault: Hashable, Sendable {
    /// No connection in time.
    case dialTimedOut
    /// The peer, or the gateway on its behalf, did not take the connection.
    case refused
    /// The connection ended.
    case closed
    /// No introduction in time.
    case handshakeTimedOut
    /// Nothing at all came for too long.
    case idle
    /// What was asked for came too slowly or not at all.
    case stalled
    /// It left a question without an answer.
    case silent
    /// It has not what it was asked for.
    case notFound
    /// It serves headers that lead nowhere for us.
    case unhelpful
    /// Peers differ over a block, and nothing decides who is right.
    case disputed(height: Int)
}

/// Why an honest peer may be of no use.
public enum Unsuitability: Hashable, Sendable {
    /// It lacks services that are needed.
    case services(missing: PeerServices)
    /// It speaks an old version of the protocol.
    case version(Int32)
    /// It is this program.
    case isSelf
    /// Its chain ends far below ours.
    case behind(claimed: Int32, ours: Int)
    /// It claims a chain far above ours and shows none of it.
    case withholds(claimed: Int32)
}

/// What no node does.
public enum Misconduct: Hashable, Sendable {
    /// Bytes without meaning.
    case violation(PeerViolation)
    /// It introduced itself in the wrong order.
    case handshake
    /// Too much of what nobody asked for.
    case flood(PeerMessageKind)
    /// Too many bytes of messages that are of no use.
    case uselessBytes
}

/// What a peer sent that only a lie explains. A ban needs one.
public enum PeerProof: Hashable, Sendable {
    /// A header that breaks the rules.
    case header(HeaderRefusal)
    /// Filter headers that exclude each other, or that a block refutes.
    case filterHeaders(FilterHeaderSync.Fault)
    /// A filter that is not the one behind the filter header it had named.
    case filter(height: Int)
    /// A block whose transactions are not those of its header.
    case block(BlockHash)

    /// Nil for a refusal that proves nothing of the peer.
    public init?(_ refusal: HeaderRefusal) {
        guard refusal.isFaultOfPeer else { return nil }
        self = .header(refusal)
    }
}

extension PeerFault {
    /// Whether the peer stays among those that are tried first after a restart.
    public var keepsSaved: Bool { if case .transport = self { true } else { false } }
}

extension PeerFault: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .transport(let fault): fault.description
        case .unsuitable(let reason): reason.description
        case .misconduct(let misconduct): misconduct.description
        case .proven(let proof): proof.description
        }
    }
}

extension TransportFault: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .dialTimedOut: "no connection in time"
        case .refused: "the connection was refused"
        case .closed: "the connection ended"
        case .handshakeTimedOut: "it did not introduce itself in time"
        case .idle: "nothing came from it for too long"
        case .stalled: "what it was asked for came too slowly"
        case .silent: "it left a question without an answer"
        case .notFound: "it has not what it was asked for"
        case .unhelpful: "its headers lead nowhere"
        case .disputed(let height): "peers differ over block \(height), and nothing decides"
        }
    }
}

extension Unsuitability: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .services(let missing):
            missing.contains(.compactFilters)
                ? "it serves no compact filters" : "it does not serve all blocks with witnesses"
        case .version(let version): "it speaks version \(version) of the protocol, which is too old"
        case .isSelf: "it is this program"
        case .behind(let claimed, let ours):
            "its chain ends at \(claimed), ours at \(ours)"
        case .withholds(let claimed): "it claims height \(claimed) and shows nothing of it"
        }
    }
}

extension Misconduct: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .violation(let violation): violation.description
        case .handshake: "it introduced itself in the wrong order"
        case .flood(let kind): "it sends too many \(kind.command)"
        case .uselessBytes: "it sends too much that nobody asked for"
        }
    }
}

extension PeerProof: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .header(let refusal): refusal.description
        case .filterHeaders(.wrongLength): "filter headers of another length than was asked for"
        case .filterHeaders(.contradiction): "filter headers that exclude each other"
        case .filterHeaders(.refuted(let height)):
            "block \(height) refutes the filter that it named"
        case .filter(let height): "the filter of block \(height) is not the one that it named"
        case .block(let hash): "the transactions of block \(hash) are not those of its header"
        }
    }
}
