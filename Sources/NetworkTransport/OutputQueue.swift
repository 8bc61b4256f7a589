import LinuxIO

/// Bytes that wait until the kernel takes them, within a budget.
struct OutputQueue {
    private var chunks: [[UInt8]] = []
    private var written = 0
    private let limit: Int
    /// Since when the other end has taken nothing although something waits.
    private(set) var stuckSince: Duration?
    /// Bytes that wait.
    private(set) var waitingBytes = 0

    /// Nothing waits. Beyond `limit` waiting bytes nothing more is taken.
    init(limit: Int) { self.limit = limit }

    /// Puts bytes behind the others; false if too much waits already.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        guard waitingBytes <= limit else { return false }
        guard !bytes.isEmpty else { return true }
        waitingBytes += bytes.count
        if let last = chunks.indices.last, last > 0, chunks[last].count + bytes.count <= 4096 {
            chunks[last] += bytes
        } else {
            chunks.append(bytes)
        }
        return true
    }

    /// Writes what the kernel takes now; false once the other end is closed.
    mutating func flush(to descriptor: Int32, at now: Duration) throws(Errno) -> Bool {
        let before = waitingBytes
        defer {
            if waitingBytes == 0 {
                stuckSince = nil
            } else if waitingBytes < before || stuckSince == nil {
                stuckSince = now
            }
        }
        while let chunk = chunks.first {
            switch try write(chunk, to: descriptor) {
            case .wouldBlock: return true
            case .ended: return false
            case .moved(let count):
                waitingBytes -= count
                written += count
                guard written == chunk.count else { continue }
                written = 0
                chunks.removeFirst()
            }
        }
        return true
    }

    private func write(_ chunk: [UInt8], to descriptor: Int32) throws(Errno) -> Kernel.Transfer {
        let result = chunk.withUnsafeBytes { all -> Result<Kernel.Transfer, Errno> in
            do throws(Errno) {
                return .success(
                    try Kernel.write(descriptor, UnsafeRawBufferPointer(rebasing: all[written...])))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
