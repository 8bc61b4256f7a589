public import PeerMessages

/// What the light client has to have done next.
///
/// Actions of a list are done in order. A commit comes first, and if it fails the rest of the list is
/// not done: nothing leaves this machine, and nobody is told anything, that rests on what is not
/// written. The light client then wants to be loaded again, so that what it holds and what is written
/// are the same.
public enum LightClientAction: Hashable, Sendable {
    /// Write all of these, or none, before anything else is done.
    case commit([StoreChange])
    /// Read kept filters, and hand them back as `filtersRead`.
    case readFilters(ClosedRange<Int>)
    /// Reach a peer, with encryption first if it may have it, or give up after so long.
    case dial(DialID, PeerEndpoint, DialRoute, isEncrypted: Bool, timeout: Duration)
    /// Give up an attempt.
    case cancel(DialID)
    /// Send a message.
    case send(PeerID, PeerMessage)
    /// Close a connection; nothing more is heard of it.
    case disconnect(PeerID)
    /// Look up the addresses of a name.
    case resolve(ResolveID, name: String, by: ResolveMethod)
    /// Fetch a signed list of peers by this way alone, at most `SignedPeerList.longest` bytes of it.
    case fetchList(ListFetchID, url: String, ListRoute)
    /// Answer a command.
    case answer(CommandID, ClientAnswer)
    /// Tell whoever waits for it what became of a transaction.
    case news(RelayNews)
    /// Close every connection, and start anew from what is stored after this long.
    case reload(after: Duration)
    /// Tell the log.
    case log(LogSeverity, String)

    /// How much a line of the log matters.
    public enum LogSeverity: Hashable, Sendable {
        /// For whoever looks.
        case information
        /// Somebody should look.
        case warning
    }
}
