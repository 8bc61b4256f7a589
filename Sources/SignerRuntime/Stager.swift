import LinuxIO
import StateFiles
import Wire

/// Writes aside what a worker sends through its pipe: for each file its path (length 1 byte), then
/// pieces (length 4 bytes, at most 1 MiB) and an empty piece.
final class Stager {
    private var pipe: FileDescriptor?
    private let disk: LinuxDisk
    private let allows: (StateFile) -> Bool
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    /// What of a header or a path has come.
    private var head: [UInt8] = []
    private var file: StagedFile?
    private var pieceLeft = 0

    /// Bytes of files that have come.
    private(set) var moved: UInt64 = 0
    /// Every file that was begun.
    private(set) var begun: Set<StateFile> = []
    /// Why nothing more is taken.
    private(set) var failure: String?

    private static let longestPiece = 1 << 20
    /// So much is written before the disk is made to keep it: all at once would stop the loop for long.
    private static let flushStep: UInt64 = 8 << 20

    private struct StagedFile {
        let descriptor: PassedFile
        let file: StateFile
        var size: UInt64 = 0
        var flushed: UInt64 = 0
    }

    /// The owner of a file that is being written.
    private final class PassedFile {
        private let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

        func write(_ bytes: [UInt8], at offset: UInt64) throws(Errno) {
            try Kernel.write(bytes, to: descriptor, at: offset)
        }

        func flush() throws(Errno) { try Kernel.flush(descriptor) }
    }

    init(
        _ pipe: consuming FileDescriptor, to disk: LinuxDisk,
        allows: @escaping (StateFile) -> Bool
    ) throws(Errno) {
        try pipe.setNonblocking()
        self.disk = disk
        self.allows = allows
        self.pipe = consume pipe
    }

    /// The number to poll; nil at the end.
    var number: Int32? { pipe?.number }

    /// Whether every file that was begun came to its end.
    var isWhole: Bool { failure == nil && file == nil && head.isEmpty }

    /// Takes what is there, one buffer of it; false when nothing more is there now.
    @discardableResult
    func receive() -> Bool {
        guard let number = pipe?.number else { return false }
        let result = buffer.withUnsafeMutableBytes { bytes in
            try? Kernel.read(number, into: bytes)
        }
        switch result {
        case .moved(let count):
            take(buffer[..<count])
            return true
        case .wouldBlock: return false
        case .ended, nil:
            pipe = nil
            return false
        }
    }

    /// Takes all that is left in the pipe of a worker that has ended.
    func drain() { while receive() {} }

    private func take(_ bytes: ArraySlice<UInt8>) {
        guard failure == nil else { return }
        var rest = bytes
        do throws(StageFailure) {
            while !rest.isEmpty {
                if pieceLeft > 0 {
                    let part = rest.prefix(pieceLeft)
                    try write(Array(part))
                    pieceLeft -= part.count
                    rest = rest.dropFirst(part.count)
                } else {
                    head.append(rest.removeFirst())
                    try takeHead()
                }
            }
        } catch {
            failure = error.reason
            file = nil
        }
    }

    private struct StageFailure: Error { let reason: String }

    private func takeHead() throws(StageFailure) {
        guard file != nil else {
            guard head.count == Int(head[0]) + 1 else { return }
            let path = String(decoding: head.dropFirst(), as: UTF8.self)
            head = []
            return try begin(path)
        }
        guard head.count == 4 else { return }
        var reader = Reader(head)
        head = []
        pieceLeft = Int((try? reader.readUInt32()) ?? 0)
        guard pieceLeft <= Self.longestPiece else {
            throw StageFailure(reason: "a worker sent too large a piece")
        }
        if pieceLeft == 0 { try end() }
    }

    private func begin(_ path: String) throws(StageFailure) {
        guard let next = StateFile(path: path), !next.isKey, allows(next),
            begun.insert(next).inserted
        else { throw StageFailure(reason: "a worker sent a file that is not its own") }
        try disking { () throws(DiskFailure) in
            try Transaction.makeDirectories(for: next, on: disk)
        }
        try writing { () throws(Errno) in
            file = StagedFile(
                descriptor: PassedFile(try disk.create(next.temporaryPath, for: .creating)),
                file: next)
        }
    }

    private func write(_ bytes: [UInt8]) throws(StageFailure) {
        guard var current = file else { return }
        guard current.size + UInt64(bytes.count) <= UInt64(current.file.limit) else {
            throw StageFailure(reason: "\(current.file) is larger than it may be")
        }
        try writing { () throws(Errno) in
            try current.descriptor.write(bytes, at: current.size)
            current.size += UInt64(bytes.count)
            if current.size - current.flushed >= Self.flushStep {
                try current.descriptor.flush()
                current.flushed = current.size
            }
        }
        moved += UInt64(bytes.count)
        file = current
    }

    private func end() throws(StageFailure) {
        guard let current = file else { return }
        try writing { () throws(Errno) in
            try current.descriptor.flush()
        }
        file = nil
    }

    private func writing(_ body: () throws(Errno) -> Void) throws(StageFailure) {
        do throws(Errno) {
            try body()
        } catch {
            throw StageFailure(reason: error == .noSpace ? "\(DiskFailure.noSpace)" : "\(error)")
        }
    }

    private func disking(_ body: () throws(DiskFailure) -> Void) throws(StageFailure) {
        do throws(DiskFailure) { try body() } catch { throw StageFailure(reason: "\(error)") }
    }
}
