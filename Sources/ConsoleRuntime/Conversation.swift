import LinuxIO
import Messages
import Wire

/// What the helpers ask, each in a process of its own, confined once it is connected.
enum Conversation {
    /// Asks the signer these questions in order, and gives the answers as `Answers` reads them.
    static func withSigner(
        _ runtimeDirectory: String, _ questions: [ConsoleRequest], pipe: Int32
    ) throws(ClientFailure) -> [UInt8] {
        var client = try SignerClient(connectingTo: World.signer.enter(runtimeDirectory))
        _ = try ConsoleConfinement.enter(keeping: [pipe, client.number])
        _ = try client.ask(.hello)
        var writer = Writer()
        for question in questions { write(try client.ask(question, within: limit), to: &writer) }
        return writer.bytes
    }

    /// Asks the network process these questions in order.
    static func withNetwork(
        _ runtimeDirectory: String, _ questions: [QueryRequest], pipe: Int32
    ) throws(ClientFailure) -> [UInt8] {
        var client = try NetworkClient(connectingTo: World.network.enter(runtimeDirectory))
        _ = try ConsoleConfinement.enter(keeping: [pipe, client.number])
        _ = try client.ask(.hello, within: limit)
        var writer = Writer()
        for question in questions { write(try client.ask(question, within: limit), to: &writer) }
        return writer.bytes
    }

    /// All probes of a process take this long at most.
    static let limit = Duration.seconds(20)

    static func write(_ reply: some MessageSet, to writer: inout Writer) {
        writer.writeBigEndian(reply.kind.rawValue)
        writer.writeVarBytes(reply.frame.body)
    }

    /// Reads what was written by `write`.
    static func replies<Reply: MessageSet>(
        in bytes: [UInt8], as _: Reply.Type
    ) throws(HelperFailure) -> [Reply] {
        var reader = Reader(bytes)
        var replies: [Reply] = []
        do {
            while !reader.isAtEnd {
                let number = try reader.readUInt16BigEndian()
                let body = try reader.readVarBytes()
                guard let kind = MessageKind(rawValue: number) else { continue }
                replies.append(try Reply(Frame(kind: kind, body: body)))
            }
        } catch {
            throw HelperFailure(.channel, "\(error)")
        }
        return replies
    }
}
