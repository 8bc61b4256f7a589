import LinuxIO
import Messages
import PSBT
import Wire

/// A PSBT as it is handed over, and how its answer is written.
struct PSBTContent: Equatable {
    /// The file as it lies there, or what its text stands for where only that is small enough.
    let bytes: [UInt8]
    /// How the file is written, where `bytes` is not the file itself.
    var text: PSBTFile.Encoding?

    /// Writes an answer as it is or as text, a piece at a time.
    static func write(
        _ answer: ArraySlice<UInt8>, as text: PSBTFile.Encoding?, to descriptor: Int32
    ) throws(Errno) {
        guard let text else { return try StandardStream.send(answer, to: descriptor) }
        // A multiple of three, so that only the end of base 64 has padding.
        let piece = 48 << 10
        for start in stride(from: answer.startIndex, to: answer.endIndex, by: piece) {
            let part = Array(answer[start..<min(start + piece, answer.endIndex)])
            let written = text == .hex ? Hex.encode(part) : Base64.encode(part)
            try StandardStream.send(Array(written.utf8)[...], to: descriptor)
        }
    }
}

/// The bytes of a file that is to be reviewed, as they are: whoever parses them has no secrets.
enum PSBTSource {
    /// Reads a PSBT from an ordinary file, whose size is known before anything is read. Text that is
    /// too large to be handed over as it is becomes what it stands for.
    static func content(
        _ path: String, limit: Int = Limit.payload
    ) throws(CommandEnd) -> PSBTContent {
        let file = try InputBytes.open(path, .ordinary)
        let size: Int
        do throws(Errno) { size = Int(clamping: try Kernel.facts(of: file).size) } catch {
            throw CommandEnd.problem(.input, "\(error)").of(path)
        }
        if size <= limit {
            return PSBTContent(
                bytes: try InputBytes.read(
                    file.number, path, limit: limit, patience: InputBytes.patience))
        }
        let tooLarge = CommandEnd.problem(.input, "it has \(size) bytes, at most \(limit) are read")
        guard size <= PSBTFile.maximumSize else { throw tooLarge.of(path) }
        func refusal(_ problem: PSBTTextReader.Problem) -> CommandEnd {
            (problem == .notText ? tooLarge : .problem(.input, "it \(problem)")).of(path)
        }
        var reader = PSBTTextReader(limit: limit)
        try InputBytes.pieces(
            of: file.number, path, limit: PSBTFile.maximumSize, patience: InputBytes.patience
        ) {
            (piece: ArraySlice<UInt8>) throws(CommandEnd) in
            do throws(PSBTTextReader.Problem) { try reader.take(piece) } catch {
                throw refusal(error)
            }
        }
        do throws(PSBTTextReader.Problem) { try reader.finish() } catch { throw refusal(error) }
        return PSBTContent(bytes: reader.bytes, text: reader.encoding)
    }
}
