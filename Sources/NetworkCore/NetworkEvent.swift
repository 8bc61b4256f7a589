public import Messages
public import PeerMessages

/// A connection at `network.sock`, numbered by the loop that accepts them.
public struct QueryID: Hashable, Sendable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// An id by its number.
    public init(_ number: UInt64) { self.number = number }
}

/// What happened to the network process.
public enum NetworkEvent: Sendable {
    /// It runs and is confined.
    case started
    /// A deadline may have come.
    case time
    /// The keeper said something.
    case control(ControlOrder)
    /// The keeper is gone, or broke a rule.
    case controlEnded(String)
    /// Somebody connected at the socket.
    case connected(QueryID)
    /// Somebody waits at the socket and could not be let in, for this reason.
    case acceptFailed(String)
    /// A person's command said something.
    case query(QueryID, QueryRequest)
    /// A connection is gone; the sentence is set if it broke a rule.
    case queryEnded(QueryID, violation: String?)
    /// The signer said something.
    case link(LinkReply)
    /// The link is gone.
    case linkEnded(LinkLoss, String)
    /// Something in this process has a line for the log.
    case note(Severity, String)
}

/// What the network process has to do next.
public enum NetworkAction: Hashable, Sendable {
    /// Answer a person's command.
    case reply(QueryID, QueryReply)
    /// Answer a command with what the process sees of itself.
    case selfReport(QueryID)
    /// Try what is forbidden and answer a command with the outcome.
    case probe(QueryID)
    /// Ask the light client, or have it do something, for a person's command.
    case chain(QueryID, ChainRequest)
    /// Close a connection.
    case close(QueryID)
    /// Tell the signer.
    case tell(LinkRequest)
    /// Keep the head of the signer's ledger in place of the one that was kept.
    case keep(LedgerWitness)
    /// Have the light client watch these wallets of the signer.
    case watch([PairedAccounts])
    /// Look names up by these servers from now on.
    case useNameServers([PeerHost])
    /// Put the descriptor that came with the order in place of the link.
    case adoptLink
    /// Tell the keeper.
    case report(ControlReport)
    /// End this process.
    case finish(NetworkEnding)
}

/// Why the network process ends.
public enum NetworkEnding: Hashable, Sendable {
    /// The keeper asked for it.
    case stopped
    /// The keeper's end of the control channel closed or broke a rule.
    case keeperGone
    /// The keeper's orders are for another kind of process or another chain.
    case wrongOrders
}

/// How much may be asked of the network process.
public struct NetworkLimits: Hashable, Sendable {
    /// Open connections at the socket.
    public var connections = 16
    /// Frames a second of one connection, and how many at once; 64 KiB of payload count as one.
    public var framesPerSecond = 1000
    /// See `framesPerSecond`.
    public var framesAtOnce = 2000
    /// How long the socket is left alone after nobody could be let in.
    public var acceptPause = Duration.seconds(1)
    /// Requests for signatures that somebody waits to hear of.
    public var requests = 64
    /// Those of one connection.
    public var requestsOfOneConnection = 16
    /// Bytes of those that the signer has not got yet.
    public var requestBytes = 40 << 20
    /// How often the signer is asked for a sign of life.
    public var pingInterval = Duration.seconds(1)
    /// When the keeper's log is told that none comes.
    public var pingTimeout = Duration.seconds(5)

    /// The limits of the product.
    public init() {}
}
