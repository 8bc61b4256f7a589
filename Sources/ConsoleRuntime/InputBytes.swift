import Glibc
import LinuxIO
import Wire

/// The bytes of a file, or of an open descriptor, of any kind: read to their end, and no further than
/// a limit.
enum InputBytes {
    /// How long a named file may have no bytes: a pipe that nobody writes into.
    static let patience = Duration.seconds(30)

    /// Opens what a command names, and says by its name why it cannot be read.
    static func open(
        _ path: String, _ kind: InputFile.Kind
    ) throws(CommandEnd) -> FileDescriptor {
        do throws(InputFile.Problem) { return try InputFile.open(path, kind) } catch {
            throw CommandEnd.problem(.input, "\(error)").of(path)
        }
    }

    /// Reads a file; - is the input.
    static func read(
        _ path: String, limit: Int, patience: Duration = patience
    ) throws(CommandEnd) -> [UInt8] {
        guard path != "-" else { return try read(STDIN_FILENO, "standard input", limit: limit) }
        let file = try open(path, .anything)
        do throws(CommandEnd) {
            // Of a pipe that nobody has written into, a read would say that it ended.
            try wait(for: file.number, patience)
            return try read(file.number, path, limit: limit, patience: patience)
        } catch {
            throw error.of(path)
        }
    }

    /// Reads a descriptor, which stays open.
    ///
    /// - Parameter patience: how long nothing may come; nil for as long as it takes.
    static func read(
        _ number: Int32, _ name: String, limit: Int, patience: Duration? = nil
    ) throws(CommandEnd) -> [UInt8] {
        var bytes: [UInt8] = []
        try pieces(of: number, name, limit: limit, patience: patience) { bytes += $0 }
        return bytes
    }

    /// Hands over what is read piece by piece, so that nothing holds the whole.
    static func pieces(
        of number: Int32, _ name: String, limit: Int, patience: Duration? = nil,
        _ take: (ArraySlice<UInt8>) throws(CommandEnd) -> Void
    ) throws(CommandEnd) {
        var total = 0
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let read = piece.withUnsafeMutableBytes { buffer in
                Result { () throws(CommandEnd) in try next(number, into: buffer, patience) }
            }
            let count: Int
            switch read {
            case .success(let moved?): count = moved
            case .success(nil): return
            case .failure(let error): throw error.of(name)
            }
            total += count
            guard total <= limit else {
                throw CommandEnd.problem(.input, "it is longer than \(limit) bytes").of(name)
            }
            try take(piece[..<count])
        }
    }

    /// The next bytes, whether or not reads of the descriptor block; nil at their end. Only the end is the
    /// end: what a read fails with is thrown.
    static func next(
        _ number: Int32, into buffer: UnsafeMutableRawBufferPointer, _ patience: Duration?
    ) throws(CommandEnd) -> Int? {
        while true {
            let transfer: Kernel.Transfer
            do throws(Errno) { transfer = try Kernel.read(number, into: buffer) } catch {
                throw .problem(.input, "\(error)")
            }
            switch transfer {
            case .moved(let count): return count
            case .ended: return nil
            case .wouldBlock: try wait(for: number, patience)
            }
        }
    }

    /// Waits until there are bytes, or their end.
    private static func wait(for number: Int32, _ patience: Duration?) throws(CommandEnd) {
        let deadline = patience.map { Kernel.timeSinceBoot() + $0 }
        while true {
            guard !Interruption.hasCome else { throw .prompt(.cancelled) }
            let now = Kernel.timeSinceBoot()
            // A signal between the look and the wait would be missed without a limit.
            let next = now + .milliseconds(250)
            var set = PollSet()
            set.add(number, .reading)
            do throws(Errno) { try set.wait(until: min(next, deadline ?? next)) } catch {
                throw .problem(.input, "\(error)")
            }
            if set.isReady(at: 0) { return }
            guard deadline.map({ now < $0 }) ?? true else {
                let seconds = patience?.components.seconds ?? 0
                throw .problem(
                    .input,
                    "nothing came for \(counted(seconds, "second")): nobody writes into this pipe, or not yet"
                )
            }
        }
    }
}
