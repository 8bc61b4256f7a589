import Messages

/// A channel that is attacked, from the end where the attacker stands.
enum Target: String, CaseIterable {
    /// The link, from the place of the network process; the victim is the signer.
    case link
    /// The link, from the place of the signer; the victim is the network process.
    case answers = "link, from the signer"
    /// `signer.sock`, from a person's side; the victim is the signer.
    case console = "signer.sock"
    /// `network.sock`, from a person's side; the victim is the network process.
    case query = "network.sock"

    var hello: Frame {
        switch self {
        case .link: LinkRequest.hello.frame
        case .answers: LinkReply.welcome.frame
        case .console: ConsoleRequest.hello.frame
        case .query: QueryRequest.hello.frame
        }
    }

    /// Whether it is an end of the link, of which there is one.
    var isLink: Bool { self == .link || self == .answers }

    /// A small message that may come at any time: a ping, or an answer to none.
    var ping: MessageKind {
        switch self {
        case .link: .linkPing
        case .answers: .linkPong
        case .console: .consolePing
        case .query: .queryPing
        }
    }

    /// What only the victim may send.
    var reply: MessageKind {
        switch self {
        case .link: .linkPong
        case .answers: .linkPing
        case .console: .consolePong
        case .query: .queryPong
        }
    }

    /// The longest message: 16 MiB, but for the signer's answers.
    var large: MessageKind {
        switch self {
        case .link: .linkRequest
        case .answers: .linkAnswer
        case .console: .consoleSubmit
        case .query: .querySubmit
        }
    }
}

/// Something done to a channel with frames, and how the channel has to come out of it.
enum Assault: CaseIterable {
    case garbage, oversized, overlong, short, reserved
    case interleaved, replayed, skipped, descriptor
    case early, secondHello, unknown, otherDirection, otherChannel
    case truncated, death
    case held, slow, slowest
    case flood, floodUnread, floodWork, floodConnections

    var name: String {
        switch self {
        case .garbage: "64 KiB of random bytes"
        case .oversized: "a frame that announces 4 GiB"
        case .overlong: "a frame one byte longer than the longest"
        case .short: "a body one byte too short"
        case .reserved: "a reserved field that is not zero"
        case .interleaved: "a frame begun inside another"
        case .replayed: "a frame sent again"
        case .skipped: "a frame left out"
        case .descriptor: "a frame without the descriptor it must carry"
        case .early: "a ping before the hello"
        case .secondHello: "a second hello"
        case .unknown: "a kind that does not exist"
        case .otherDirection: "a kind that only the victim sends"
        case .otherChannel: "a kind of another channel"
        case .truncated: "half a frame, then the end of the channel"
        case .death: "half of a frame of 16 MiB, then death"
        case .held: "a frame of 16 MiB but for its last byte, held"
        case .slow: "pings a byte at a time"
        case .slowest: "a frame a byte at a time, open to its deadline"
        case .flood: "pings as fast as it goes, answers read"
        case .floodUnread: "pings as fast as it goes, no answer read"
        case .floodWork: "work, or answers to none, as fast as it goes"
        case .floodConnections: "connections opened and dropped as fast as it goes"
        }
    }

    /// How it has to end.
    var expectation: Orders.Outcome {
        switch self {
        case .slow, .flood, .floodWork: .kept
        case .truncated, .death, .held, .floodConnections: .left
        default: .ended
        }
    }

    /// In words, for the documents.
    var expected: String {
        switch expectation {
        case .kept: "served at the victim's pace, channel kept"
        case .left: "none, the attacker ends the channel"
        default: "channel ended by the victim"
        }
    }

    func applies(to target: Target) -> Bool {
        switch self {
        // Nobody can open a second link, and a console has one review at a time.
        case .floodConnections: !target.isLink
        case .floodWork: target != .console
        case .descriptor: target == .console
        // The signer's messages are short, and nothing answers its pongs.
        case .death, .held, .floodUnread: target != .answers
        default: true
        }
    }

    /// Those that wait for a deadline of the victim's are not in the short form.
    var waitsForDeadline: Bool { self == .slowest || self == .floodUnread }

    /// Whether the short form makes it: on the link each that ends it takes the keeper's wait of half a
    /// second, and the rules are the same at the sockets.
    func isInShortForm(at target: Target) -> Bool {
        if waitsForDeadline { return false }
        switch self {
        case .overlong, .short, .reserved, .skipped, .unknown, .otherChannel, .secondHello,
            .truncated:
            return !target.isLink
        default: return true
        }
    }

    /// How long it goes on at most where the victim does not end it.
    func milliseconds(at target: Target, isShort: Bool) -> Int {
        switch self {
        case .slowest, .floodUnread: target.isLink ? 45_000 : 15_000
        case .slow, .held, .flood, .floodWork, .floodConnections: isShort ? 300 : 5000
        // Over as soon as the victim has ended the channel.
        default: 60_000
        }
    }
}
