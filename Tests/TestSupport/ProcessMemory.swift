public import Foundation
import Glibc

/// What the kernel tells of a process below `/proc`.
public enum ProcessFile {
    /// What could not be read.
    public struct Unreadable: Error, CustomStringConvertible {
        /// The file and why.
        public let description: String
    }

    /// The whole text of `/proc/PID/NAME`.
    ///
    /// The kernel gives such a file in pieces of at most a page, and Foundation's `contentsOfFile`
    /// takes the first short piece for the end: this one reads on.
    public static func text(of pid: Int32, _ name: String) throws -> String {
        let path = "/proc/\(pid)/\(name)"
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Unreadable(description: "\(path): \(String(cString: strerror(errno)))")
        }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// Reads the memory of a running process, to look for what should not be there.
public enum ProcessMemory {
    /// Shows `body` all that process `pid` may write to, in pieces, with the line of
    /// `/proc/PID/maps` that each lies in, and returns how many bytes it showed.
    ///
    /// Two pieces of one region share `overlap` bytes, so that nothing of up to `overlap` + 1 bytes
    /// is missed between them. `body` may write to its piece, which is read into again.
    @discardableResult
    public static func scan(
        of pid: Int32, overlap: Int,
        _ body: (_ piece: UnsafeMutableRawBufferPointer, _ region: String) -> Void
    ) throws -> Int {
        let maps = try ProcessFile.text(of: pid, "maps")
        let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else {
            let reason = String(cString: strerror(errno))
            throw ProcessFile.Unreadable(description: "/proc/\(pid)/mem: \(reason)")
        }
        defer { close(memory) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var shown = 0
        for line in maps.split(separator: "\n") where line.contains(" rw") {
            let ends = line.split(separator: " ")[0].split(separator: "-")
                .compactMap { UInt64($0, radix: 16) }
            var place = ends[0]
            while place < ends[1] {
                let wanted = min(buffer.count, Int(ends[1] - place))
                let count = pread(memory, buffer.baseAddress, wanted, off_t(place))
                guard count > 0 else {
                    // What cannot be read is passed over, page by page.
                    place += 4096
                    continue
                }
                body(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), String(line))
                shown += count
                let isCut = place + UInt64(count) < ends[1] && count > overlap
                place += UInt64(isCut ? count - overlap : count)
            }
        }
        return shown
    }

    /// Whether `needle` lies in what process `pid` may write to.
    public static func holds(_ needle: Data, of pid: Int32) throws -> Bool {
        var isFound = false
        try scan(of: pid, overlap: needle.count - 1) { piece, _ in
            isFound = isFound || occurrences(of: needle, in: piece) > 0
        }
        return isFound
    }

    /// How often `needle` lies in `piece`.
    public static func occurrences(
        of needle: Data, in piece: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard let start = piece.baseAddress else { return 0 }
        let bytes = Data(bytesNoCopy: start, count: piece.count, deallocator: .none)
        var (count, rest) = (0, bytes.startIndex..<bytes.endIndex)
        while let match = bytes.range(of: needle, in: rest) {
            count += 1
            rest = match.lowerBound + 1..<bytes.endIndex
        }
        return count
    }
}
