/// What the catalogue says about one message.
public struct Row: Hashable, Sendable {
    /// The name in documents and errors.
    public let name: String
    /// Which end sends it.
    public let sender: Side
    /// When its sender may send it.
    public let phase: Phase
    /// In which phase that leaves the sender.
    public let then: Phase
    /// How often on one channel.
    public let times: Times
    /// The longest body in bytes; for a first frame the digest is counted too.
    public let limit: Int
    /// What travels beside it.
    public let attachment: Attachment
    /// The message that answers it.
    public let reply: MessageKind?
    /// The fields of the body in order, with their sizes in bytes.
    public let fields: String
    /// What it is for.
    public let sentence: String

    /// The part of a channel's life that one direction is in.
    public enum Phase: String, Hashable, Sendable {
        /// Nothing sent yet; the first frame begins with the digest of the catalogue.
        case opening
        /// After the first frame.
        case serving
        /// After the last frame.
        case over
    }

    /// How often a message may be sent on one channel.
    public enum Times: String, Hashable, Sendable {
        /// A second one ends the channel.
        case once
        /// Any number, within the receiver's rates.
        case many
    }

    /// A descriptor that travels with a message; a body never holds a secret.
    public enum Attachment: String, Hashable, Sendable {
        /// No descriptor; one that comes ends the channel.
        case nothing = "-"
        /// An end of a fresh link socket.
        case linkEnd = "link end"
        /// The reading end of a pipe with secrets, which only a worker reads.
        case secretPipe = "pipe (secret)"
        /// A pipe or an ordinary file that only a worker writes to.
        case output = "pipe or file to write (secret)"
        /// A pipe or an ordinary file that only a worker reads.
        case input = "pipe or file to read"
    }

    static func first(
        _ name: String, from sender: Side, limit: Int, then: Phase = .serving,
        reply: MessageKind? = nil, fields: String, _ sentence: String
    ) -> Row {
        Row(
            name: name, sender: sender, phase: .opening, then: then, times: .once,
            limit: limit + Catalogue.digestLength, attachment: .nothing, reply: reply,
            fields: fields, sentence: sentence)
    }

    static func later(
        _ name: String, from sender: Side, _ times: Times = .many, limit: Int,
        then: Phase = .serving, attachment: Attachment = .nothing, reply: MessageKind? = nil,
        fields: String, _ sentence: String
    ) -> Row {
        Row(
            name: name, sender: sender, phase: .serving, then: then, times: times, limit: limit,
            attachment: attachment, reply: reply, fields: fields, sentence: sentence)
    }
}

/// Limits that several messages share, in bytes unless said otherwise.
public enum Limit {
    /// The largest payload, a PSBT of 16 MiB.
    public static let payload = 16 << 20
    /// A line for the log.
    public static let logText = 1024
    /// An address as text.
    public static let address = 128
    /// The name of a seccomp policy.
    public static let policyName = 64
    /// Resources that a report knows the limit of.
    public static let resources = 16
    /// A path of the file system.
    public static let path = 256
    /// The lines of `resolv.conf`.
    public static let nameServers = 4096
    /// Rows of a list of probes.
    public static let probes = 256
    /// A sentence on a wall that is weaker than it could be.
    public static let weakness = 256
    /// Sentences on weaker walls.
    public static let weaknesses = 16

    /// The display name of a vault.
    public static let vaultName = 256
    /// A sentence for a person.
    public static let sentence = 256
    /// Rows of a list that an operation answers with.
    public static let rows = 256
    /// Ledgers that came with backups, in a list.
    public static let ledgers = 64
    /// A message that is signed by an address.
    public static let message = 1 << 16
    /// Its signature as text.
    public static let signature = 1024
    /// Sentences beside an answer.
    public static let remarks = 16
    /// Wallets whose public accounts the network process is handed.
    public static let pairedWallets = rows
    /// The pairing file of one of them.
    public static let pairingFile = 4096
    /// Bytes of the changes that one operation makes by itself; larger files are staged.
    public static let changes = 1 << 20

    /// The code of a check of a review.
    public static let checkCode = 32
    /// Codes of checks.
    public static let checkCodes = 96
    /// Wallets that can sign one PSBT.
    public static let signers = 16
    /// A sentence that says why a request was refused.
    public static let reason = 512
    /// What a person writes who rejects a PSBT.
    public static let rejection = 256
    /// PSBTs that one console can see.
    public static let entries = 64
    /// A PSBT with its signatures.
    public static let signedFile = 20 << 20
    /// Signatures of one PSBT on their way from a worker to the next.
    public static let signatures = 4 << 20
    /// The name of a limit that reviews keep.
    public static let limitName = 32
    /// Limits that reviews keep.
    public static let reviewLimits = 32

    static let text = 2
    static let paired = 2 + pairedWallets * (16 + text + pairingFile)
    static let codes = 2 + checkCodes * (text + checkCode)
    static let approval = 32 + 32 + 16 + codes
    static let summary = 32 + 32 + 1 + 2 * codes + 2 * (1 + 8) + 3 * 4 + 2 + signers * 16
    static let entry = 4 + 5 + 4 + 4 + 5 + 1 + summary
    static let entryAnswer = 1 + max(4 + summary, 1 + text + reason)
    static let requestState = 1 + 1 + text + reason
    static let settings = 2 + reviewLimits * (text + limitName + 8)
    static let operation = 1 + max(16 + text + address + 1 + 4 + message, 4 + 1 + approval)
    static let operationAnswer = 1 << 19
    static let report = text + policyName + 4 + 4 + 4 + 4 + 1 + 4 + 8 + 4 + 2 + resources * 8
    static let probeRows = 2 + probes * (1 + 1 + 1 + 4)
    static let facts = 5 * 4 + 1 + text + path
    static let weaknessList = 2 + weaknesses * (text + weakness)
}
