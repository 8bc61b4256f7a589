import Glibc
import LinuxIO
import LocalSockets
import Messages
import StateFiles

/// The program `bulkhead-signer`, and a person at its socket who has the wallet of `WalletFixture`.
final class SignerChild {
    private let program: ChildProgram
    let console: FrameChannel<ConsoleReply, ConsoleRequest>
    private let wallet: VaultID
    static let password = "Correct horse 9"
    /// Whether to look at the workers' memory while they work, which costs them time.
    var watchesWorkers = false
    /// The most memory that a worker was seen to have, in KiB, what it was forked with included.
    private(set) var mostOfWorkers = 0

    /// Starts it with its state in `directory/state`.
    init(in directory: String) throws {
        program = try ChildProgram(
            "bulkhead-signer", as: .signer, .offline, on: .mainnet, in: directory)
        // The largest file waits there until the signer takes it.
        let console = try FrameChannel<ConsoleReply, ConsoleRequest>(
            LocalSocket.connect(to: program.socket), limits: .init(waitingBytes: 32 << 20))
        self.console = console
        _ = try console.ask(.hello)
        let words = Person.fields([
            (.newPassword, SignerChild.password), (.words, WalletFixture.phrase),
        ])
        let request = VaultRequest.importWords(
            NewVault(name: "bench", kdf: .pbkdf2), hasPassphrase: false)
        let (answer, _) = try Person(console).operate(request, words) {}
        guard case .made(let id, _, _, _) = answer else {
            throw ChildProgram.Failure(what: "no wallet: \(answer)")
        }
        wallet = id
    }

    func stop() throws { try program.stop() }

    /// Hands a file over, which waits for a person after its review.
    func submit(_ file: [UInt8]) throws -> ReviewedEntry {
        try console.send(.submit(file: file), at: Kernel.timeSinceBoot())
        let reply = try Person(console).answer(through: nil, meanwhile: look).reply
        guard case .entry(.success(let entry)) = reply else {
            throw ChildProgram.Failure(what: "no entry: \(reply)")
        }
        return entry
    }

    /// Takes a file back.
    func withdraw(_ entry: ReviewedEntry) throws { _ = try console.ask(.withdraw(entry.id)) }

    /// The signed file.
    func approve(_ entry: ReviewedEntry) throws -> [UInt8] {
        let summary = entry.summary
        let approval = PSBTApproval(
            file: summary.file, report: summary.report, wallet: wallet,
            accepted: Set(summary.warnings))
        let request = VaultRequest.approve(entry.id, approval, wantsTransaction: false)
        let (answer, file) = try operate(request)
        guard case .signed(let signed) = answer, signed.txid != nil else {
            throw ChildProgram.Failure(what: "not signed: \(answer)")
        }
        return file
    }

    /// Opens the wallet for its words: hardly more than the derivation from the password.
    func open() throws { _ = try operate(.showPhrase(wallet)) }

    /// Seconds of the processor that the broker and its workers have taken so far.
    func processorTime() throws -> Duration { try ProcessFacts(program.pid).processorTime() }

    /// The most memory that the broker ever had, in KiB.
    func mostOfBroker() throws -> Int { try ProcessFacts(program.pid).kibibytes("VmHWM") }

    private func operate(_ request: VaultRequest) throws -> (VaultAnswer, [UInt8]) {
        let password = Person.fields([(.password, SignerChild.password)])
        return try Person(console).operate(request, password, meanwhile: look)
    }

    func look() {
        guard watchesWorkers, let children = try? ProcessFacts(program.pid).children() else {
            return
        }
        for child in children {
            mostOfWorkers = max(mostOfWorkers, (try? child.kibibytes("VmHWM")) ?? 0)
        }
    }
}

/// What a person does at the socket.
struct Person {
    let console: FrameChannel<ConsoleReply, ConsoleRequest>

    init(_ console: FrameChannel<ConsoleReply, ConsoleRequest>) { self.console = console }

    /// Fields as a pipe of secrets carries them.
    static func fields(_ fields: [(SecretField, String)]) -> [UInt8] {
        fields.flatMap { field, text in
            let bytes = Array(text.utf8)
            return [field.rawValue, UInt8(bytes.count & 255), UInt8(bytes.count >> 8)] + bytes
        }
    }

    /// Does an operation; what it answers, and what came out of its output.
    func operate(
        _ request: VaultRequest, _ secrets: [UInt8], meanwhile: () -> Void
    ) throws -> (VaultAnswer, [UInt8]) {
        try hand(secrets)
        let output = try Pipe().take()
        let reading = FileDescriptor(owning: output.reading)
        try console.send(
            .output, passing: FileDescriptor(owning: output.writing), at: Kernel.timeSinceBoot())
        try console.send(.operation(request), at: Kernel.timeSinceBoot())
        let (reply, bytes) = try answer(through: reading.number, meanwhile: meanwhile)
        guard case .operationAnswer(.success(let answer)) = reply else {
            throw ChildProgram.Failure(what: "refused: \(reply)")
        }
        return (answer, bytes)
    }

    /// Hands secrets over in a pipe.
    func hand(_ secrets: [UInt8]) throws {
        let input = try Pipe().take()
        let heard = FileDescriptor(owning: input.reading)
        _ = try secrets.withUnsafeBytes { try Kernel.write(input.writing, $0) }
        close(input.writing)
        try console.send(.secretInput, passing: heard, at: Kernel.timeSinceBoot())
    }

    /// The answer to what was asked last, and all of a pipe that is read to its end.
    func answer(
        through pipe: Int32?, meanwhile: () -> Void
    ) throws -> (reply: ConsoleReply, bytes: [UInt8]) {
        var (reply, bytes, isOver) = (ConsoleReply?.none, [UInt8](), pipe == nil)
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var buffer = ReadBuffer()
        var set = PollSet()
        while true {
            if let reply, isOver { return (reply, bytes) }
            set.removeAll()
            let place = set.add(console.number, console.interest())
            let other = isOver ? nil : pipe.map { set.add($0, .reading) }
            try set.wait(until: Kernel.timeSinceBoot() + .milliseconds(5))
            meanwhile()
            let now = Kernel.timeSinceBoot()
            if set.canWrite(at: place) { try console.flush(at: now) }
            if let pipe, let other, set.isReady(at: other) {
                let moved = try piece.withUnsafeMutableBytes { try Kernel.read(pipe, into: $0) }
                if case .moved(let count) = moved {
                    bytes += piece[..<count]
                } else {
                    isOver = true
                }
            }
            guard set.canRead(at: place) else { continue }
            let receipt = console.receive(at: now, through: &buffer)
            for message in receipt.messages {
                if case .progress = message { continue }
                reply = message
            }
            if let end = receipt.end { throw end }
        }
    }
}
