import NetworkCore
import Wire

extension ScanProgress {
    /// Branches that a wallet may have: what is read from a disk is bounded before it is believed.
    private static let branchLimit = 4096

    /// The bytes that are kept: version 1, start 8, scanned 8, covered (count 4, 4 each), 1 and the
    /// pass or 0; a pass is next 8, end 8, counts (count 4, 4 each). Little-endian.
    var encoded: [UInt8] {
        var writer = Writer()
        writer.write(UInt8(1))
        writer.write(Int64(start))
        writer.write(Int64(scanned))
        writer.write(counts: covered)
        writer.write(UInt8(pass == nil ? 0 : 1))
        if let pass {
            writer.write(Int64(pass.next))
            writer.write(Int64(pass.end))
            writer.write(counts: pass.counts)
        }
        return writer.bytes
    }

    /// Nil if the bytes are not what was kept.
    init?(encoded bytes: [UInt8]) {
        var reader = Reader(bytes)
        do throws(WireError) {
            guard try reader.readUInt8() == 1 else { return nil }
            let start = Int(try reader.readInt64())
            let scanned = Int(try reader.readInt64())
            let covered = try reader.readCounts(limit: ScanProgress.branchLimit)
            var pass: Pass?
            if try reader.readUInt8() == 1 {
                pass = Pass(
                    next: Int(try reader.readInt64()), end: Int(try reader.readInt64()),
                    counts: try reader.readCounts(limit: ScanProgress.branchLimit))
            }
            try reader.finish()
            self.init(start: start, scanned: scanned, covered: covered, pass: pass)
        } catch {
            return nil
        }
        let heights = -1...Int(UInt32.max)
        guard heights.contains(start), heights.contains(scanned), start >= 0 else { return nil }
        guard let pass else { return }
        guard heights.contains(pass.next), heights.contains(pass.end) else { return nil }
    }
}

extension Writer {
    fileprivate mutating func write(counts: [UInt32]) {
        write(UInt32(counts.count))
        for count in counts { write(count) }
    }
}

extension Reader {
    fileprivate mutating func readCounts(limit: Int) throws(WireError) -> [UInt32] {
        let start = position
        let count = Int(try readUInt32())
        guard count <= limit else {
            throw .tooLarge(position: start, found: UInt64(count), allowed: limit)
        }
        var counts: [UInt32] = []
        for _ in 0..<count { counts.append(try readUInt32()) }
        return counts
    }
}
