public import Wire

/// Which child a process is.
public enum ChildRole: UInt8, CaseIterable, Hashable, Sendable {
    /// Holds the keys.
    case signer = 1
    /// Talks to the network.
    case network = 2
}

/// What the keeper tells a child about itself.
public struct ControlHello: Hashable, Sendable {
    /// Which child it is.
    public var role: ChildRole
    /// The chain of this instance.
    public var chain: ChainName
    /// Whether both children run under one uid, where a uid tells nobody apart.
    public var hasOneUser: Bool
    /// The uid of the network process, which the signer refuses at its socket.
    public var networkUID: UInt32
    /// The signer's directory as the machine names it, at most 256 bytes: what a probe aims at.
    public var signerDirectory: String
    /// The signer's socket as the machine names it, at most 256 bytes: what a probe aims at.
    public var signerSocket: String
    /// Limits of reviews that are not the standard ones, at most 32.
    public var reviewLimits: [ReviewLimit]

    /// A hello by its fields.
    public init(
        role: ChildRole, chain: ChainName, hasOneUser: Bool, networkUID: UInt32,
        signerDirectory: String, signerSocket: String, reviewLimits: [ReviewLimit] = []
    ) {
        self.role = role
        self.chain = chain
        self.hasOneUser = hasOneUser
        self.networkUID = networkUID
        self.signerDirectory = signerDirectory
        self.signerSocket = signerSocket
        self.reviewLimits = reviewLimits
    }
}

/// A limit of reviews that the configuration sets.
public struct ReviewLimit: Hashable, Sendable {
    /// Its name, as reports have it, at most 32 bytes.
    public var name: String
    /// Its value.
    public var value: UInt64

    /// A limit by its parts.
    public init(name: String, value: UInt64) {
        self.name = name
        self.value = value
    }

    init(from reader: inout Reader) throws(WireError) {
        name = try reader.readText(limit: Limit.limitName)
        value = try reader.readUInt64()
    }

    func encode(into writer: inout Writer) {
        writer.write(name, limit: Limit.limitName)
        writer.write(value)
    }
}

/// What a child says when it is confined and has not read anything yet.
public struct ControlReady: Hashable, Sendable {
    /// From the start of `main` to here.
    public var startupNanoseconds: UInt64
    /// What confinement really held.
    public var report: ProcessReport

    /// A report by its fields.
    public init(startupNanoseconds: UInt64, report: ProcessReport) {
        self.startupNanoseconds = startupNanoseconds
        self.report = report
    }
}

/// How much a line of the log matters.
public enum Severity: UInt8, CaseIterable, Hashable, Sendable {
    /// Something went as it should.
    case information = 1
    /// A peer or the machine did something odd.
    case warning = 2
    /// Something does not work.
    case failure = 3
}

/// Why a link is gone.
public enum LinkLoss: UInt8, CaseIterable, Hashable, Sendable {
    /// The other end closed it.
    case closed = 1
    /// The other end broke a rule.
    case violation = 2
    /// The kernel reported an error.
    case failed = 3
}

/// What the keeper says to a child.
public enum ControlOrder: MessageSet {
    case hello(ControlHello)
    /// A descriptor travels with it.
    case newLink(generation: UInt64)
    case facts(KeeperFacts, weaknesses: [String])
    /// The machine's `resolv.conf`, as it is now: at most 4096 bytes, of whole lines.
    case nameServers(String)
    case ping(nonce: UInt64)
    case stop

    /// The channel.
    public static let edge = Edge.control
    /// The end that says these.
    public static let sender = Side.asking

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .hello: .controlHello
        case .newLink: .controlNewLink
        case .facts: .controlFacts
        case .nameServers: .controlNameServers
        case .ping: .controlPing
        case .stop: .controlStop
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .hello(let hello):
            writer.write(hello.role)
            writer.write(hello.chain)
            writer.write(hello.hasOneUser)
            writer.write(hello.networkUID)
            writer.write(hello.signerDirectory, limit: Limit.path)
            writer.write(hello.signerSocket, limit: Limit.path)
            writer.write(hello.reviewLimits, limit: Limit.reviewLimits) { $1.encode(into: &$0) }
        case .newLink(let generation): writer.write(generation)
        case .facts(let facts, let weaknesses):
            facts.encode(into: &writer)
            writer.write(weaknesses: weaknesses)
        case .nameServers(let text): writer.write(text, limit: Limit.nameServers)
        case .ping(let nonce): writer.write(nonce)
        case .stop: break
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .controlHello:
            self = .hello(
                ControlHello(
                    role: try reader.readCase(), chain: try reader.readCase(),
                    hasOneUser: try reader.readFlag(), networkUID: try reader.readUInt32(),
                    signerDirectory: try reader.readText(limit: Limit.path),
                    signerSocket: try reader.readText(limit: Limit.path),
                    reviewLimits: try reader.readList(limit: Limit.reviewLimits) {
                        reader throws(WireError) in try ReviewLimit(from: &reader)
                    }))
        case .controlNewLink: self = .newLink(generation: try reader.readUInt64())
        case .controlFacts:
            self = .facts(
                try KeeperFacts(from: &reader), weaknesses: try reader.readWeaknesses())
        case .controlNameServers:
            self = .nameServers(try reader.readText(limit: Limit.nameServers))
        case .controlPing: self = .ping(nonce: try reader.readUInt64())
        case .controlStop: self = .stop
        default: return nil
        }
    }
}

/// What a child says to the keeper.
public enum ControlReport: MessageSet {
    case ready(ControlReady)
    case pong(nonce: UInt64)
    /// A line for the log, at most 1024 bytes, not escaped yet.
    case log(Severity, String)
    case linkLost(generation: UInt64, LinkLoss, String)

    /// The channel.
    public static let edge = Edge.control
    /// The end that says these.
    public static let sender = Side.answering

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .ready: .controlReady
        case .pong: .controlPong
        case .log: .controlLog
        case .linkLost: .controlLinkLost
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .ready(let ready):
            writer.write(ready.startupNanoseconds)
            ready.report.encode(into: &writer)
        case .pong(let nonce): writer.write(nonce)
        case .log(let severity, let text):
            writer.write(severity)
            writer.write(text, limit: Limit.logText)
        case .linkLost(let generation, let cause, let text):
            writer.write(generation)
            writer.write(cause)
            writer.write(text, limit: Limit.logText)
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .controlReady:
            self = .ready(
                ControlReady(
                    startupNanoseconds: try reader.readUInt64(),
                    report: try ProcessReport(from: &reader)))
        case .controlPong: self = .pong(nonce: try reader.readUInt64())
        case .controlLog:
            self = .log(try reader.readCase(), try reader.readText(limit: Limit.logText))
        case .controlLinkLost:
            self = .linkLost(
                generation: try reader.readUInt64(), try reader.readCase(),
                try reader.readText(limit: Limit.logText))
        default: return nil
        }
    }
}
