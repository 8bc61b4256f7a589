import LinuxIO
import SignerWork

/// One end that a worker reads or writes, never waiting for longer than it may.
struct WorkerPipe {
    private let number: Int32
    private let patience: Duration
    private let pace: TransferPace?

    /// An end at the broker, which is waited for anew each time.
    init(_ number: Int32?, patience: Duration) throws(PortFailure) {
        guard let number else { throw .notThere }
        self.number = number
        self.patience = patience
        pace = nil
    }

    /// An end at a person's program, for which all waits count together.
    init(_ number: Int32?, pace: TransferPace) throws(PortFailure) {
        guard let number else { throw .notThere }
        self.number = number
        patience = .zero
        self.pace = pace
    }

    /// Reads what is there, waiting for the first byte; 0 at the end.
    func readSome(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        try wait(.reading)
        switch try failing({ () throws(Errno) in try Kernel.read(number, into: buffer) }) {
        case .moved(let count):
            pace?.note(moved: count)
            return count
        case .ended: return 0
        case .wouldBlock: throw .tooSlow
        }
    }

    /// Fills the buffer, or as much of it as comes before the end.
    func readAll(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let more = try readSome(into: rest)
            if more == 0 { break }
            count += more
        }
        return count
    }

    /// Exactly so many bytes.
    func read(_ count: Int) throws(PortFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(PortFailure) in try readAll(into: buffer) }
        }
        guard try result.get() == count else { throw .ended }
        return bytes
    }

    /// Writes all of it, in parts of at most so many bytes: of a pipe with room, the kernel takes
    /// 4096 at once.
    func write(_ bytes: UnsafeRawBufferPointer, inPartsOf part: Int) throws(PortFailure) {
        var done = 0
        while done < bytes.count {
            try wait(.writing)
            let end = min(done + part, bytes.count)
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done..<end])
            switch try failing({ () throws(Errno) in try Kernel.write(number, rest) }) {
            case .moved(let count):
                done += count
                pace?.note(moved: count)
            case .ended: throw .ended
            case .wouldBlock: continue
            }
        }
    }

    private func wait(_ interest: PollSet.Interest) throws(PortFailure) {
        var set = PollSet()
        let place = set.add(number, interest)
        let begin = Kernel.timeSinceBoot()
        let deadline = begin + (pace?.left ?? patience)
        try failing { () throws(Errno) in try set.wait(until: deadline) }
        pace?.note(waited: Kernel.timeSinceBoot() - begin)
        guard set.isReady(at: place) else { throw .tooSlow }
    }

    private func failing<Value>(
        _ body: () throws(Errno) -> Value
    ) throws(PortFailure) -> Value {
        do throws(Errno) { return try body() } catch { throw .failed("\(error)") }
    }
}
