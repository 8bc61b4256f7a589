import ConsoleCore
import LinuxIO
import Messages
import Prompts
import SecretMemory
import Vault

/// A confined conversation with the signer about vaults: prompts, secrets through pipes, answers.
struct VaultSession: ~Copyable {
    private var client: SignerClient
    private var pipes: PipeStock
    private let terminal: Int32?
    private let leash: Int32
    private var progress: ProgressLine
    private var output: Int32?
    /// What came out so far, where it is more than a pipe holds.
    private var collection: [UInt8]?
    /// Whether what comes out goes to standard output at once.
    private var relays = false
    /// The vaults, as they were told last.
    private var known: [VaultRow] = []
    let prompter: Prompter
    /// Drawn before confinement, which lets nothing be drawn.
    let randomNumber: UInt64

    /// A signer that says nothing for so long is given up.
    private static let patience = Duration.seconds(600)

    /// Connects, and then gives up everything but what is named.
    ///
    /// - Parameters:
    ///   - pipes: As many as the command will need.
    ///   - descriptors: Kept beside those of the conversation.
    ///   - idleLimit: After how long without a key everything typed is dropped.
    static func begin(
        _ runtimeDirectory: String, pipes count: Int, terminal: Int32?, leash: Int32,
        answers: Int32?, idleLimit: Duration = .seconds(120),
        keeping descriptors: Set<Int32>, drawsBar: Bool
    ) throws(CommandEnd) -> VaultSession {
        do throws(ClientFailure) {
            let randomNumber = UInt64.random(in: 0 ... .max)
            let pipes: PipeStock
            do throws(Errno) { pipes = try PipeStock(count) } catch { throw .ended(.failed(error)) }
            try ConsoleConfinement.lockSecretMemory()
            var client = try SignerClient(connectingTo: World.signer.enter(runtimeDirectory))
            let own = [terminal, answers].compactMap { $0 } + [1, 2, leash, client.number]
            // With a terminal it outlives its launcher for a moment, to give the terminal back.
            _ = try ConsoleConfinement.enter(
                keeping: pipes.numbers.union(descriptors).union(own),
                diesWithParent: terminal == nil, writesFiles: true)
            _ = try client.ask(.hello)
            let prompter =
                if let answers { Prompter(answers: answers) } else {
                    Prompter(terminal: terminal ?? 0, idleLimit: idleLimit, leash: leash)
                }
            return VaultSession(
                client: client, pipes: pipes, terminal: terminal, leash: leash,
                progress: ProgressLine(drawsBar: drawsBar), prompter: prompter,
                randomNumber: randomNumber)
        } catch {
            throw LostSigner.end(error, asking: .hello)
        }
    }

    private init(
        client: consuming SignerClient, pipes: PipeStock, terminal: Int32?, leash: Int32,
        progress: ProgressLine, prompter: Prompter, randomNumber: UInt64
    ) {
        self.client = client
        self.pipes = pipes
        self.terminal = terminal
        self.leash = leash
        self.progress = progress
        self.prompter = prompter
        self.randomNumber = randomNumber
    }

    // MARK: What goes with a request

    /// Whether so many pipes are left.
    func hasPipes(_ count: Int) -> Bool { pipes.count >= count }

    /// Hands over a pipe with these fields in it.
    mutating func hand(_ fields: consuming SecretFieldsWriter) throws(CommandEnd) {
        let pipe = pipes.take()
        let writing = FileDescriptor(owning: pipe.writing)
        let bytes = fields.finish()
        let isWritten = bytes.withUnsafeBytes { bytes in
            // At most 8 KiB, and an empty pipe takes 64.
            bytes.isEmpty || (try? Kernel.write(writing.number, bytes)) == .moved(bytes.count)
        }
        guard isWritten else { throw .problem(.system, "a pipe did not take the secrets") }
        try hand(.secretInput, pipe.reading)
    }

    /// Hands over a pipe that the answer's secrets come out of: `secrets` gives them.
    ///
    /// - Parameter collecting: Whether it may be more than a pipe holds: then `collected` gives it, from
    ///   ordinary memory.
    mutating func handOutputPipe(collecting: Bool = false) throws(CommandEnd) {
        let pipe = pipes.take()
        output = pipe.reading
        collection = collecting ? [] : nil
        try hand(.output, pipe.writing)
    }

    /// Hands over a pipe, and passes on to standard output what comes out of it: the signer takes pipes
    /// and files only, and that may be anything.
    mutating func handStandardOutput() throws(CommandEnd) {
        try handOutputPipe()
        relays = true
    }

    /// Hands over a descriptor; it is no longer open here then.
    mutating func hand(_ message: ConsoleRequest, _ descriptor: Int32) throws(CommandEnd) {
        do throws(ClientFailure) {
            try client.send(message, passing: FileDescriptor(owning: descriptor))
            while client.interest.contains(.writing) { try waitToWrite() }
        } catch {
            throw LostSigner.end(error, asking: message)
        }
    }

    private func waitToWrite() throws(ClientFailure) {
        var set = PollSet()
        set.add(client.number, client.interest)
        _ = try? set.wait(until: Kernel.timeSinceBoot() + .milliseconds(100))
        try client.flush()
    }

    // MARK: Asking

    /// Asks something of the vaults and waits for the answer.
    mutating func ask(_ request: VaultRequest) throws(CommandEnd) -> VaultAnswer {
        switch try converse(.operation(request)) {
        case .operationAnswer(.success(let answer)): return answer
        case .operationAnswer(.failure(let refusal)): throw .refused(refusal)
        default: throw .client(.unexpected)
        }
    }

    /// All vaults, which prompts then tell apart.
    mutating func vaults() throws(CommandEnd) -> [VaultRow] {
        guard case .vaults(let rows) = try ask(.list) else { throw .client(.unexpected) }
        known = rows
        return rows
    }

    /// How a vault is called in prompts.
    func title(of row: VaultRow) -> String { known.title(of: row) }

    /// Asks, shows progress, and waits for the answer. Control-C gives up.
    mutating func converse(_ request: ConsoleRequest) throws(CommandEnd) -> ConsoleReply {
        do throws(ClientFailure) { try client.send(request) } catch {
            throw LostSigner.end(error, asking: request)
        }
        defer { progress.end() }
        var deadline = Kernel.timeSinceBoot() + Self.patience
        while true {
            do throws(ClientFailure) {
                while let reply = try client.received() {
                    deadline = Kernel.timeSinceBoot() + Self.patience
                    guard case .progress(let done, let total) = reply else { return reply }
                    progress.show(done: done, total: total)
                }
                try wait(until: deadline)
            } catch {
                throw LostSigner.end(error, asking: request)
            }
            if hasNoLauncher { throw .prompt(.gone) }
            if isGivenUp {
                throw .problem(
                    .cancelled,
                    "given up while the signer worked: bulkhead ledger list says what it did")
            }
        }
    }

    private mutating func wait(until deadline: Duration) throws(ClientFailure) {
        var set = PollSet()
        let socket = set.add(client.number, client.interest)
        if let terminal { set.add(terminal, .reading) }
        set.add(leash, .reading)
        let pipe = collection == nil && !relays ? nil : output.map { set.add($0, .reading) }
        _ = try? set.wait(until: deadline)
        if let pipe, set.canRead(at: pipe) { collect() }
        if set.canWrite(at: socket) { try client.flush() }
        guard Kernel.timeSinceBoot() < deadline else { throw .late(Self.patience) }
    }

    private var hasNoLauncher: Bool {
        var set = PollSet()
        set.add(leash, .reading)
        return (try? set.wait(until: Kernel.timeSinceBoot())) == nil || set.isEnded(at: 0)
    }

    /// Whether Control-C was typed; anything else that was typed meanwhile is dropped.
    private var isGivenUp: Bool {
        guard let terminal else { return false }
        var set = PollSet()
        set.add(terminal, .reading)
        guard (try? set.wait(until: Kernel.timeSinceBoot())) != nil, set.canRead(at: 0) else {
            return false
        }
        var typed = SecretBytes(count: 64)
        let transfer = typed.withUnsafeMutableBytes { try? Kernel.read(terminal, into: $0) }
        guard case .moved(let count) = transfer else { return true }
        return typed.withUnsafeBytes { $0[..<count].contains(0x03) }
    }

    // MARK: What comes out

    /// The most that is collected.
    private static let largestCollection = 64 << 20

    /// Reads once; false at the end, where the pipe is closed.
    @discardableResult
    private mutating func collect() -> Bool {
        guard let number = output else { return false }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let transfer = buffer.withUnsafeMutableBytes { try? Kernel.read(number, into: $0) }
        guard case .moved(let count) = transfer, take(buffer.prefix(count)) else {
            FileDescriptor(owning: number).close()
            output = nil
            return false
        }
        return true
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
        if relays { return StandardStream.out(bytes) }
        guard (collection?.count ?? 0) + bytes.count <= Self.largestCollection else { return false }
        collection?.append(contentsOf: bytes)
        return true
    }

    /// Passes on what is still in the pipe.
    mutating func relayRest() { while collect() {} }

    /// Everything that came out of a collecting pipe.
    mutating func collected() -> [UInt8] {
        while collect() {}
        return collection.take() ?? []
    }

    /// The fields that came out of the pipe for output, to its end.
    mutating func secrets() throws(CommandEnd) -> SecretFields {
        let bytes = try outputBytes(limit: SecretFields.maximumCount)
        do throws(SecretFieldsError) { return try SecretFields(bytes) } catch {
            throw .problem(.channel, "\(error)")
        }
    }

    /// What came out of the pipe for output, to its end.
    mutating func outputBytes(limit: Int) throws(CommandEnd) -> SecretBytes {
        guard let number = output.take() else {
            throw .problem(.channel, "nothing was handed over for output")
        }
        let pipe = FileDescriptor(owning: number)
        var isTooLong = false
        let bytes = SecretBytes(capacity: limit) { buffer in
            var count = 0
            while count < limit {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                guard case .moved(let more) = try? Kernel.read(pipe.number, into: rest) else {
                    return count
                }
                count += more
            }
            isTooLong = true
            return count
        }
        guard !isTooLong else { throw .problem(.channel, "more came out than fits") }
        return bytes
    }
}
