import Foundation

/// Looks for bytes in all memory that this process may write, without holding them itself: they are
/// given masked.
enum MemoryScan {
    static let mask: UInt8 = 0xA5

    /// How often the 32 bytes that `masked` stands for lie in memory.
    static func count(_ masked: [UInt8]) throws -> Int {
        precondition(masked.count == 32)
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        var found = 0
        for line in maps.split(separator: "\n") where line.contains(" rw") {
            let ends = line.split(separator: " ")[0].split(separator: "-")
                .compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2 else { continue }
            found += count(masked, memory, ends[0], ends[1])
        }
        return found
    }

    /// Each page is masked as soon as it is read, so that what is read is not found again.
    private static func count(
        _ masked: [UInt8], _ memory: Int32, _ start: UInt64, _ end: UInt64
    ) -> Int {
        var (found, place) = (0, start)
        var page = [UInt8](repeating: 0, count: 1 << 20)
        while place < end {
            let wanted = min(page.count, Int(end - place))
            let read = page.withUnsafeMutableBytes {
                pread(memory, $0.baseAddress, wanted, off_t(place))
            }
            guard read >= 32 else {
                // What cannot be read is passed over, page by page.
                place += UInt64(max(4096, read))
                continue
            }
            page.withUnsafeMutableBytes { bytes in
                let whole = bytes.bindMemory(to: UInt64.self)
                let masks = UInt64(mask) &* 0x0101_0101_0101_0101
                for index in whole.indices { whole[index] ^= masks }
            }
            found += occurrences(of: Data(masked), in: Data(page[..<read]))
            // What lies across the end of a page is met at the start of the next.
            place += UInt64(read == wanted && place + UInt64(read) < end ? read - 31 : read)
        }
        return found
    }

    private static func occurrences(of needle: Data, in bytes: Data) -> Int {
        var (count, rest) = (0, bytes.startIndex..<bytes.endIndex)
        while let match = bytes.range(of: needle, in: rest) {
            count += 1
            rest = match.lowerBound + 1..<bytes.endIndex
        }
        return count
    }
}
