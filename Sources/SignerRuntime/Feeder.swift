import LinuxIO
import StateFiles
import Wire

/// Sends large sealed files into a worker's pipe, as fast as the worker takes them and without ever
/// waiting for it: for each its path (length 1 byte), its size (8 bytes) and its bytes; then a zero.
final class Feeder {
    private var pipe: FileDescriptor?
    private let disk: LinuxDisk
    private var left: [StateFile]
    private var file: OpenFile?
    private var offset: UInt64 = 0
    private var waiting: ArraySlice<UInt8> = []
    private var isEnding = false

    /// Bytes of files that were sent.
    private(set) var moved: UInt64 = 0
    /// Bytes of all files that are to be sent.
    private(set) var total: UInt64 = 0
    /// Why nothing more is sent; the worker sees the pipe end too early.
    private(set) var failure: DiskFailure?

    init(
        _ pipe: consuming FileDescriptor, _ files: [StateFile], from disk: LinuxDisk
    ) throws(Errno) {
        try pipe.setNonblocking()
        self.disk = disk
        left = files
        for file in files { total += ((try? disk.size(of: file.path)) ?? nil) ?? 0 }
        self.pipe = consume pipe
    }

    /// The number to poll for room; nil when all is sent.
    var number: Int32? { pipe?.number }

    /// Sends what the pipe takes now, 256 KiB at most.
    func send() {
        for _ in 0..<4 {
            guard let number = pipe?.number else { return }
            do throws(DiskFailure) {
                if waiting.isEmpty { try refill() }
            } catch {
                failure = error
                pipe = nil
                return
            }
            guard !waiting.isEmpty else {
                pipe = nil
                return
            }
            let bytes = waiting
            switch bytes.withUnsafeBytes({ buffer in try? Kernel.write(number, buffer) }) {
            case .moved(let count): waiting = waiting.dropFirst(count)
            case .wouldBlock: return
            case .ended, nil: pipe = nil
            }
        }
    }

    private func refill() throws(DiskFailure) {
        if let open = file {
            if offset < open.size { return try read(open) }
            file = nil
        }
        guard !left.isEmpty else {
            if !isEnding { waiting = [0] }
            isEnding = true
            return
        }
        let next = left.removeFirst()
        guard let open = try disk.open(next.path) else { return try refill() }
        file = open
        offset = 0
        var header = Writer()
        next.encode(into: &header)
        header.write(open.size)
        waiting = header.bytes[...]
    }

    private func read(_ open: OpenFile) throws(DiskFailure) {
        let part = Int(min(open.size - offset, 64 << 10))
        do throws(Errno) {
            let bytes = try open.read(at: offset, count: part)
            guard bytes.count == part else { throw Errno.inputOutput }
            waiting = bytes[...]
        } catch {
            throw .failed(path: "a large file", "\(error)")
        }
        offset += UInt64(part)
        moved += UInt64(part)
    }
}
