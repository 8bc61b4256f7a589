import Configuration
import Confinement
import Glibc
import LinuxIO
import PhotoMetadata
import Wire

/// `bulkhead items add`: a confined child looks at the file first, and what may be sealed goes from it
/// to the signer through a pipe.
enum ItemAddition {
    static func run(_ job: inout VaultJob) throws(CommandEnd) -> ExitCode {
        let path = job.argument(0) ?? ""
        let source: ItemSource
        do throws(CommandEnd) {
            source = try ItemSource(path)
            if job.words.has(.removeOriginal), path != "-", !source.isStill(at: path) {
                throw .problem(
                    .input,
                    "\(VisibleText(path, limit: 200)) is a link, and --remove-original would not "
                        + "remove what it leads to; name the file itself")
            }
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
        let code = try VaultCommand.run(job)
        let hasEndedWell = filter.end(within: code == .success ? .seconds(10) : .zero)
        guard code == .success else { return code }
        if hasEndedWell {
            offerRemoval(of: source, at: path, job)
        } else {
            StandardStream.error("bulkhead: the file's reader ended badly; the original stays\n")
        }
        return code
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

        static func start(_ source: ItemSource) throws(CommandEnd) -> Filter {
            let (pid, answer, data) = try fork(source)
            defer { close(answer) }
            let text = read(answer)
            let sentence = String(decoding: text.dropFirst(), as: UTF8.self)
            let parts = sentence.split(
                separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
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
            _ source: ItemSource
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

    private static func offerRemoval(of source: ItemSource, at path: String, _ job: VaultJob) {
        guard path != "-" else { return }
        func isStillThere() -> Bool {
            if source.isStill(at: path) { return true }
            StandardStream.error(
                "bulkhead: the original stays: what has its name now is a link, or was changed\n")
            return false
        }
        if job.words.has(.removeOriginal) {
            guard isStillThere() else { return }
        } else {
            // Nobody is asked about what could not be removed.
            guard source.isStill(at: path) else { return }
            let shown = VisibleText(path, limit: 100)
            let answer = job.terminal?.line("Remove the original \(shown)? Type yes to remove it: ")
            guard answer == "yes", isStillThere() else { return }
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
