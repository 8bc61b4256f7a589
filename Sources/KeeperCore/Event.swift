public import Configuration

/// What happened to the keeper.
public enum Event: Equatable, Sendable {
    /// A deadline may have come.
    case time
    /// A child could not be started, for this reason.
    case spawnFailed(Child, String)
    /// A child is confined and serves.
    case ready(Child)
    /// A child answered a ping.
    case answered(Child)
    /// A child closed its control channel, as the end of a process does.
    case channelClosed(Child)
    /// A child broke a rule of its control channel, this one.
    case channelBroken(Child, String)
    /// A child says that its end of a link is gone, for this reason.
    case linkLost(Child, generation: UInt64, String)
    /// A child is gone.
    case ended(Child, Ending)
    /// A person or the service manager wants the appliance to stop.
    case stopRequested
}

/// What the keeper has to do next.
public enum Action: Equatable, Sendable {
    /// Start a child and give it this end of a link.
    case spawn(Child, LinkEnd)
    /// Pass the other end of the newest link to a child that runs.
    case sendLink(Child)
    /// Ask a child for a sign of life.
    case ping(Child)
    /// Ask a child to end.
    case stop(Child)
    /// End a child.
    case kill(Child)
    /// Tell every running child and the service manager what runs now.
    case publish
    /// Tell a person.
    case report(Report)
    /// All children are gone: end.
    case finish(ExitCode)
}

/// Which end of which link a new child gets.
public enum LinkEnd: Equatable, Sendable {
    /// One end of a new link, the newest. The other is kept until it is sent or its child starts.
    case fresh
    /// The end that was kept for it.
    case kept
    /// An end whose other side is closed already: this instance has no other child.
    case closed
}
