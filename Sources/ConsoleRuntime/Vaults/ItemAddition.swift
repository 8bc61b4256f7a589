import Configuration
import Confinement
import ConsoleCore
import Glibc
import LinuxIO
import PhotoMetadata

/// `bulkhead items add`: a confined child looks at the file first, and what may be sealed goes from it
/// to the signer through a pipe.
enum ItemAddition {
    /// The most that is taken from a standard input, which cannot be looked at twice.
    private static let largestNote = 16 << 20

    static func run(_ job: inout VaultJob) throws(CommandEnd) -> ExitCode {
        let path = job.argument(0) ?? ""
        let source: Source
        do {
            source = try Source(path)
        } catch {
            job.discard()
            throw error
        }
        guard job.words.has(.name) || path != "-" else {
            job.discard()
            throw .problem(.usage, "what comes from standard input needs a name: --name NAME")
        }
        job.typedName = job.words.value(.name) ?? String(path.split(separator: "/").last ?? "")
        job.modifiedAt = source.modifiedAt
        let filter: Filter
        do {
            filter = try Filter.start(source)
        } catch {
            job.discard()
            throw error
        }
        job.inputs = [filter.output]
        job.itemSize = filter.count
        if !filter.removed.isEmpty {
            StandardStream.error("bulkhead: left out of the sealed copy: \(filter.removed)\n")
        }
        let code = VaultCommand.run(job)
        let hasEndedWell = filter.end(within: code == .success ? .seconds(10) : .zero)
        guard code == .success else { return code }
        if hasEndedWell {
            offerRemoval(of: path, job)
        } else {
            StandardStream.error("bulkhead: the file's reader ended badly; the original stays\n")
        }
        return code
    }

    /// The file that is to be sealed, mapped into memory; or what standard input holds.
    struct Source {
        let bytes: UnsafeRawBufferPointer
        var modifiedAt: UInt64?

        init(_ path: String) throws(CommandEnd) {
            if path == "-" {
                bytes = try Self.standardInput()
                return
            }
            func failed() -> CommandEnd {
                .problem(.input, "\(VisibleText(path, limit: 200)): \(Errno(errno))")
            }
            let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
            guard number >= 0 else { throw failed() }
            defer { close(number) }
            var facts = stat()
            guard fstat(number, &facts) == 0 else { throw failed() }
            guard facts.st_mode & S_IFMT == S_IFREG else {
                throw .problem(.input, "\(VisibleText(path, limit: 200)) is no ordinary file")
            }
            modifiedAt = UInt64(max(0, facts.st_mtim.tv_sec))
            guard facts.st_size > 0 else {
                bytes = UnsafeRawBufferPointer(start: nil, count: 0)
                return
            }
            let size = Int(facts.st_size)
            guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, number, 0),
                start != MAP_FAILED
            else { throw failed() }
            bytes = UnsafeRawBufferPointer(start: start, count: size)
        }

        private static func standardInput() throws(CommandEnd) -> UnsafeRawBufferPointer {
            let limit = ItemAddition.largestNote
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit + 1, alignment: 16)
            var count = 0
            while count <= limit {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let transfer = try? Kernel.read(STDIN_FILENO, into: rest)
                guard case .moved(let more) = transfer else { break }
                count += more
            }
            guard count <= limit else {
                throw .problem(
                    .input, "standard input has more than \(limit >> 20) MiB; give a file's name")
            }
            return UnsafeRawBufferPointer(rebasing: buffer[..<count])
        }
    }

    /// The child that reads a picture or film, which may be made to attack its reader: it has the file's
    /// bytes and two pipes, and nothing else.
    struct Filter {
        let pid: Int32
        /// Where what may be sealed comes out.
        let output: Int32
        /// How many bytes come out, if it lives so long.
        let count: UInt64
        /// What was left out, for the person.
        let removed: String

        static func start(_ source: Source) throws(CommandEnd) -> Filter {
            let (pid, answer, data) = try fork(source)
            defer { close(answer) }
            let text = read(answer)
            let sentence = String(decoding: text.dropFirst(), as: UTF8.self)
            let parts = sentence.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            switch text.first {
            case UInt8(ascii: "y"):
                guard parts.count == 2, let count = UInt64(parts[0]) else { break }
                return Filter(pid: pid, output: data, count: count, removed: String(parts[1]))
            case UInt8(ascii: "n"):
                _ = try? Kernel.killAndReap(pid)
                throw .problem(.refused, sentence)
            default: break
            }
            _ = try? Kernel.killAndReap(pid)
            throw .problem(
                .input,
                "the file could not be looked at: its reader ended early. "
                    + "Put it into an archive such as .tar to keep it as it is")
        }

        /// Waits for its end, and ends it after this time; whether it ended by itself and well.
        func end(within patience: Duration) -> Bool {
            let deadline = Kernel.timeSinceBoot() + patience
            while Kernel.timeSinceBoot() < deadline {
                if let ending = try? Kernel.reap(pid) { return ending == .exited(0) }
                var set = PollSet()
                try? set.wait(until: Kernel.timeSinceBoot() + .milliseconds(5))
            }
            return (try? Kernel.killAndReap(pid)) == .exited(0)
        }

        /// Starts the child; the reading ends of what it says and of what it passes on.
        private static func fork(
            _ source: Source
        ) throws(CommandEnd) -> (pid: Int32, answer: Int32, data: Int32) {
            do throws(Errno) {
                let answer = try Pipe().take()
                let data = try Pipe().take()
                let pid = try Kernel.fork()
                if pid == 0 {
                    ItemFilter.run(source.bytes, answer: answer.writing, data: data.writing)
                }
                close(answer.writing)
                close(data.writing)
                return (pid, answer.reading, data.reading)
            } catch {
                throw .problem(.system, "\(error)")
            }
        }

        private static func read(_ pipe: Int32) -> [UInt8] {
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1024)
            while all.count < 4096,
                case .moved(let count) = try? buffer.withUnsafeMutableBytes({
                    try Kernel.read(pipe, into: $0)
                })
            { all += buffer.prefix(count) }
            return all
        }
    }

    private static func offerRemoval(of path: String, _ job: VaultJob) {
        guard path != "-" else { return }
        if !job.words.has(.removeOriginal) {
            let shown = VisibleText(path, limit: 100)
            let answer = job.terminal?.line("Remove the original \(shown)? Type yes to remove it: ")
            guard answer == "yes" else { return }
        }
        guard unlink(path) == 0 else {
            StandardStream.error("bulkhead: \(VisibleText(path, limit: 200)): \(Errno(errno))\n")
            return
        }
        StandardStream.error(
            "bulkhead: removed. A disk may keep what was deleted: on flash, until it is overwritten\n"
        )
    }
}
