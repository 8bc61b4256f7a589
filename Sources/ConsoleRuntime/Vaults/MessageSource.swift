import Bitcoin
import ConsoleCore
import Glibc
import LinuxIO

/// Where a message comes from that is signed or verified: one of three flags.
enum MessageSource {
    /// All bytes of the message; one more than may be where there are too many.
    static func read(_ words: CommandLineWords) throws(CommandEnd) -> [UInt8] {
        let given = [CommandFlag.message, .file, .messageFD].filter { words.has($0) }
        guard given.count == 1 else {
            throw .problem(
                .usage, "the message comes from one of --message TEXT, --file FILE, --message-fd N")
        }
        if let text = words.value(.message) { return Array(text.utf8) }
        if let path = words.value(.file) {
            let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            guard number >= 0 else {
                throw .problem(.input, "\(VisibleText(path, limit: 200)): \(Errno(errno))")
            }
            let file = FileDescriptor(owning: number)
            return try read(file.number, path)
        }
        let number: Int?
        do throws(CommandLineWords.Problem) {
            number = try words.number(.messageFD, in: 0...1023)
        } catch {
            throw .problem(.usage, "\(error)")
        }
        return try read(Int32(number ?? 0), "descriptor \(number ?? 0)")
    }

    private static func read(_ number: Int32, _ name: String) throws(CommandEnd) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count <= MessageText.maximumCount {
            let transfer = piece.withUnsafeMutableBytes { buffer in
                Result { () throws(Errno) in try Kernel.read(number, into: buffer) }
            }
            switch transfer {
            case .success(.moved(let count)): bytes += piece.prefix(count)
            case .success(.ended): return bytes
            case .success(.wouldBlock):
                throw .problem(.input, "\(VisibleText(name, limit: 200)): nothing came")
            case .failure(let error):
                throw .problem(.input, "\(VisibleText(name, limit: 200)): \(error)")
            }
        }
        return Array(bytes.prefix(MessageText.maximumCount + 1))
    }
}
