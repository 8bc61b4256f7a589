import Wire

/// The decision over a transaction: which files get their new content and which go. As long as it is
/// not decided it lies beside its place, and says to which length a file is cut that was appended to.
struct Journal: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// What was written aside becomes the file.
        case exchange(StateFile)
        case remove(StateFile)
        /// The file had so many bytes that counted before others were appended.
        case append(StateFile, at: UInt64)

        var file: StateFile {
            switch self {
            case .exchange(let file), .remove(let file), .append(let file, _): file
            }
        }
    }

    static let path = "journal"
    static let temporaryPath = "journal.new"
    /// More than any transaction needs: ten thousand items and their vault.
    static let limit = 1 << 20
    private static let magic: [UInt8] = Array("BHJRNL1\n".utf8)

    let steps: [Step]

    init(_ changes: [StateChange]) {
        steps = changes.map { change in
            switch change {
            case .put(let file, _), .adopt(let file), .copy(_, let file): .exchange(file)
            case .remove(let file): .remove(file)
            case .append(let file, let offset, _): .append(file, at: offset)
            }
        }
    }

    /// The journal that these bytes are; nil if they are none, or not all of one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Journal.magic.count + 4, bytes.starts(with: Journal.magic) else {
            return nil
        }
        let end = bytes.count - 4
        var check = Reader(bytes, in: end..<bytes.count)
        guard (try? check.readUInt32()) == Checksum.of(bytes[..<end]) else { return nil }
        var reader = Reader(bytes, in: Journal.magic.count..<end)
        var steps: [Step] = []
        while !reader.isAtEnd {
            guard let kind = try? reader.readUInt8(), let file = try? StateFile(from: &reader)
            else { return nil }
            switch kind {
            case 1: steps.append(.exchange(file))
            case 2: steps.append(.remove(file))
            case 3:
                guard let offset = try? reader.readUInt64() else { return nil }
                steps.append(.append(file, at: offset))
            default: return nil
            }
        }
        self.steps = steps
    }

    /// Whether anything is appended.
    var appends: Bool { steps.contains { if case .append = $0 { true } else { false } } }

    /// Magic, steps (kind 1 byte, path, for kind 3 the length 8 bytes), CRC-32C of all of that.
    var bytes: [UInt8] {
        var writer = Writer()
        writer.write(Journal.magic)
        for step in steps {
            switch step {
            case .exchange: writer.write(UInt8(1))
            case .remove: writer.write(UInt8(2))
            case .append: writer.write(UInt8(3))
            }
            step.file.encode(into: &writer)
            if case .append(_, let offset) = step { writer.write(offset) }
        }
        writer.write(Checksum.of(writer.bytes[...]))
        return writer.bytes
    }

    func write(to disk: some Disk) throws(DiskFailure) {
        let bytes = self.bytes
        guard bytes.count <= Journal.limit else {
            throw .tooLarge(
                path: Journal.path, found: UInt64(bytes.count), allowed: UInt64(Journal.limit))
        }
        try disk.create(Journal.temporaryPath)
        try disk.write(bytes, to: Journal.temporaryPath, at: 0)
        try disk.flush(Journal.temporaryPath)
    }

    /// From here on the transaction holds.
    static func decide(on disk: some Disk) throws(DiskFailure) {
        try disk.rename(temporaryPath, to: path)
        try disk.flushDirectory("")
    }

    /// From here on it does not hold, and is about to be undone.
    static func withdraw(from disk: some Disk) throws(DiskFailure) {
        if try disk.size(of: path) != nil { try disk.rename(path, to: temporaryPath) }
        try disk.flushDirectory("")
    }

    /// Cuts off what was appended and not decided; any number of times, to the same end.
    func undo(on disk: some Disk) throws(DiskFailure) {
        for case .append(let file, let offset) in steps {
            guard let size = try disk.size(of: file.path) else { continue }
            if size > offset { try disk.truncate(file.path, to: offset) }
            try disk.flush(file.path)
        }
    }

    /// Does every step that is not done yet; any number of times, to the same end.
    func carryOut(on disk: some Disk) throws(DiskFailure) {
        for step in steps {
            switch step {
            case .exchange(let file):
                guard try disk.size(of: file.temporaryPath) != nil else { continue }
                try disk.rename(file.temporaryPath, to: file.path)
            case .remove(let file): try disk.remove(file.path)
            // Its bytes were flushed before the decision.
            case .append: continue
            }
        }
        for directory in Set(steps.map(\.file.directory)).sorted() {
            try disk.flushDirectory(directory)
        }
        for directory in left {
            guard try disk.removeDirectory(directory) else { continue }
            try disk.flushDirectory(
                directory.split(separator: "/").dropLast().joined(separator: "/"))
        }
    }

    /// The directories of a vault or a ledger that files are removed from: they go with the last one.
    private var left: [String] {
        var directories: Set<String> = []
        for case .remove(let file) in steps where file.directory.contains("/") {
            directories.insert(file.directory)
        }
        return directories.sorted()
    }

    static func remove(from disk: some Disk) throws(DiskFailure) {
        try disk.remove(path)
        try disk.flushDirectory("")
    }
}

/// CRC-32C (RFC 3720), against bytes that a disk lost; nobody is kept from forging it.
enum Checksum {
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
        }
        return ~crc
    }
}
