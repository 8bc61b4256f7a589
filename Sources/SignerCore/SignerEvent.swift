public import Messages
public import StateFiles

/// A connection at `signer.sock`, numbered by the loop that accepts them.
public struct ConsoleID: Hashable, Sendable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// An id by its number.
    public init(_ number: UInt64) { self.number = number }
}

/// A pipe or file that the loop holds unread, by its number there.
public struct PipeID: Hashable, Sendable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// An id by its number.
    public init(_ number: UInt64) { self.number = number }
}

/// A worker, numbered by the signer.
public struct WorkerID: Hashable, Sendable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// An id by its number.
    public init(_ number: UInt64) { self.number = number }
}

/// How a worker ended.
public enum WorkerResult: Hashable, Sendable {
    /// It reviewed a PSBT and ended by itself.
    case reviewed(Result<ReviewSummary, EntryRefusal>)
    /// It said what became of its part of an operation and ended by itself.
    case said(VaultResult)
    /// It gave a file to the broker besides.
    case gave([UInt8], VaultResult)
    /// It could not be started, was killed, broke a rule or said nothing; this is how.
    case failed(String)
}

/// What happened to the signer.
public enum SignerEvent: Sendable {
    /// A deadline may have come.
    case time
    /// The keeper said something.
    case control(ControlOrder)
    /// The keeper is gone, or broke a rule.
    case controlEnded(String)
    /// Somebody connected at the socket: whom the kernel saw.
    case connected(ConsoleID, uid: UInt32)
    /// Somebody waits at the socket and could not be let in, for this reason.
    case acceptFailed(String)
    /// A console said something; a descriptor came with it or not.
    case console(ConsoleID, ConsoleRequest, pipe: PipeID?)
    /// A console is gone; the sentence is set if it broke a rule.
    case consoleEnded(ConsoleID, violation: String?)
    /// The network process said something.
    case link(LinkRequest)
    /// The link is gone.
    case linkEnded(LinkLoss, String)
    /// A worker is gone.
    case workerEnded(WorkerID, WorkerResult)
    /// What there is of the state: once at the start, and whenever it was asked for.
    case listed(Result<StateListing, DiskFailure>)
    /// The files that were asked for, as far as they are there.
    case loaded(LoadedFiles)
    /// What became of the changes that were to be made.
    case committed(CommitResult)
    /// Bytes that were moved to or from a worker, and how many there are to move, if that is known.
    case moved(WorkerID, done: UInt64, total: UInt64)
}

/// What became of changes.
public enum CommitResult: Hashable, Sendable {
    /// All hold.
    case done
    /// None was made; why.
    case unchanged(String)
    /// Whether all hold or none is decided by the next start; why.
    case unsettled(String)
}

/// What the signer has to do next.
public enum SignerAction: Hashable, Sendable {
    /// Answer a console.
    case reply(ConsoleID, ConsoleReply)
    /// Answer a console with what the process sees of itself.
    case selfReport(ConsoleID)
    /// Try what is forbidden and answer a console with the outcome.
    case probe(ConsoleID)
    /// Close a console.
    case close(ConsoleID)
    /// Tell the network process.
    case tell(LinkReply)
    /// Put the descriptor that came with the order in place of the link.
    case adoptLink
    /// Tell the keeper.
    case report(ControlReport)
    /// Fork a worker for a review.
    case start(WorkerID, Job)
    /// Kill a worker; its end is reported as an event.
    case kill(WorkerID)
    /// Close a pipe that no worker will read.
    case drop(PipeID)
    /// See what there is of the state.
    case list
    /// Load small files.
    case load([StateFile])
    /// Make changes, all of them or none.
    case commit([StateChange])
    /// Fork a worker for a part of an operation.
    case begin(WorkerID, OperationJob)
    /// Remove what the last worker wrote aside and nobody adopted.
    case tidy
    /// End this process.
    case finish(SignerEnding)
}

/// Why the signer ends.
public enum SignerEnding: Hashable, Sendable {
    /// The keeper asked for it.
    case stopped
    /// The keeper's end of the control channel closed or broke a rule.
    case keeperGone
    /// The keeper's orders are for another kind of process or another chain.
    case wrongOrders
}
