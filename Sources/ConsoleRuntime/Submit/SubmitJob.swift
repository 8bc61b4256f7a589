import Configuration
import ConsoleCore
import LinuxIO
import Messages
import PSBT

/// What `bulkhead submit` was asked to do.
struct SubmitJob {
    let options: CommandOptions
    /// The PSBT, as it lies in the file or as what its text stands for.
    let file: [UInt8]
    private let text: PSBTFile.Encoding?
    let names: SignedFileNames
    /// By what the signer knows the request.
    let id: RequestID
    /// Whether it was made before and is only asked for.
    let isCollecting: Bool
    /// When nobody waits any longer; nil for as long as it takes.
    let deadline: Duration?
    /// Whether it is enough that it waits for a person.
    let endsWhenPending: Bool

    init(_ words: CommandLineWords, _ options: CommandOptions) throws(CommandEnd) {
        self.options = options
        let path = words.arguments.first ?? ""
        names = SignedFileNames(path, folder: words.value(.out))
        endsWhenPending = words.has(.noWait)
        deadline = try words.deadline(.wait)
        guard deadline == nil || !endsWhenPending else {
            throw .problem(.usage, "--wait and --no-wait exclude each other")
        }
        if let text = words.value(.id) {
            guard let given = RequestID(text: text) else {
                throw .problem(.usage, "--id: an id has 32 hexadecimal digits")
            }
            id = given
            isCollecting = true
        } else {
            id = RequestID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
            isCollecting = false
        }
        // Found out now and not when a person has approved.
        try names.check(withFinal: false, advice: "move it, or name another folder with --out")
        let content = try PSBTSource.content(path)
        (file, text) = (content.bytes, content.text)
    }

    /// Writes the signed file beside the one that was sent; its path.
    func write(_ signed: [UInt8], isComplete: Bool) throws(CommandEnd) -> String {
        let path = names.folder + (isComplete ? names.signed : names.part)
        do throws(OutputFile.Problem) {
            Interruption.note()
            let output = try OutputFile(path, overwrites: false)
            do throws(Errno) {
                try PSBTContent.write(signed[...], as: text, to: output.descriptor)
            } catch {
                output.discard()
                throw OutputFile.Problem(path, "\(error)")
            }
            try output.commit()
            return path
        } catch {
            throw .problem(
                .system,
                "\(error); it is signed: bulkhead submit FILE --id \(id.text) writes it once there is room"
            )
        }
    }
}
