import Bitcoin
import ConsoleCore
import Glibc

/// Where a message comes from that is signed or verified: one of three flags.
enum MessageSource {
    /// All bytes of the message.
    static func read(_ words: CommandLineWords) throws(CommandEnd) -> [UInt8] {
        let given = [CommandFlag.message, .file, .messageFD].filter { words.has($0) }
        guard given.count == 1 else {
            throw .problem(
                .usage, "the message comes from one of --message TEXT, --file FILE, --message-fd N")
        }
        if let text = words.value(.message) { return Array(text.utf8) }
        if let path = words.value(.file) {
            return try InputBytes.read(path, limit: MessageText.maximumCount)
        }
        let number = try words.descriptor(.messageFD) ?? STDIN_FILENO
        return try InputBytes.read(
            number, "descriptor \(number)", limit: MessageText.maximumCount)
    }
}
