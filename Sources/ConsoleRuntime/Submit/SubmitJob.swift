import Configuration
import ConsoleCore
import Glibc
import LinuxIO
import Messages

/// What `bulkhead submit` was asked to do.
struct SubmitJob {
    let options: CommandOptions
    /// The PSBT, as it lies in the file.
    let file: [UInt8]
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
        names = SignedFileNames(path)
        endsWhenPending = words.has(.noWait)
        let seconds = try SubmitJob.seconds(words)
        guard seconds == nil || !endsWhenPending else {
            throw .problem(.usage, "--wait and --no-wait exclude each other")
        }
        deadline = seconds.map { Kernel.timeSinceBoot() + .seconds(Int64($0)) }
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
        for path in names.paths(withFinal: false) where access(path, F_OK) == 0 {
            throw .problem(
                .input,
                "\(VisibleText(path, limit: 200)) is there already, and nothing is overwritten: move it"
            )
        }
        file = try SubmitJob.read(path)
    }

    private static func seconds(_ words: CommandLineWords) throws(CommandEnd) -> Int? {
        do throws(CommandLineWords.Problem) {
            return try words.number(.wait, in: 0...31_536_000)
        } catch {
            throw .problem(.usage, "\(error)")
        }
    }

    private static func read(_ path: String) throws(CommandEnd) -> [UInt8] {
        let shown = VisibleText(path, limit: 200)
        let bytes: [UInt8]
        do throws(Errno) {
            // A FIFO or a device must not hold the command.
            let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
            guard number >= 0 else { throw Errno(errno) }
            let file = FileDescriptor(owning: number)
            let facts = try Kernel.facts(of: file)
            guard facts.isFile else { throw .invalidArgument }
            bytes = try Kernel.read(file.number, at: 0, count: Limit.payload + 1)
        } catch {
            throw .problem(.input, "\(shown): \(error)")
        }
        guard bytes.count <= Limit.payload else {
            throw .problem(.input, "\(shown) has more than \(Limit.payload) bytes")
        }
        return bytes
    }

    /// Writes the signed file beside the one that was sent; its path.
    func write(_ signed: [UInt8], isComplete: Bool) throws(CommandEnd) -> String {
        let path = names.folder + (isComplete ? names.signed : names.part)
        do throws(OutputFile.Problem) {
            Interruption.note()
            let output = try OutputFile(path, overwrites: false)
            guard SubmitJob.send(signed, to: output.descriptor) else {
                let error = Errno(errno)
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

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let transfer = try? rest.withUnsafeBytes { try Kernel.write(descriptor, $0) }
            guard case .moved(let count) = transfer else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
