/// The blocks of a GIF file (GIF89a), copied but for those that can hold more than a picture.
enum GIFBlocks {
    /// Applications that say how often an animation runs.
    private static let loops = ["NETSCAPE2.0", "ANIMEXTS1.0"]

    /// The file without comments, texts, applications' blocks other than the loop of an animation (XMP
    /// among them), and without what follows its end; nil where it is no whole GIF file.
    static func plain(_ file: UnsafeRawBufferPointer) -> (bytes: [UInt8], removed: Set<Removed>)? {
        guard file.count >= 13, file.starts(with: "GIF87a".utf8) || file.starts(with: "GIF89a".utf8)
        else { return nil }
        var position = 13 + tableCount(file[10])
        guard position <= file.count else { return nil }
        var bytes = Array(file[..<position])
        bytes.reserveCapacity(file.count)
        var removed: Set<Removed> = []
        while position < file.count {
            let start = position
            switch file[position] {
            case 0x3B:
                if position + 1 < file.count { removed.insert(.trailer) }
                return (bytes + [0x3B], removed)
            case 0x2C:
                // A descriptor of ten bytes, a table, the code size, and the coded picture.
                guard start + 10 <= file.count,
                    let end = blocksEnd(file, start + 11 + tableCount(file[start + 9]))
                else { return nil }
                position = end
                bytes += file[start..<end]
            case 0x21:
                guard let end = blocksEnd(file, start + 2) else { return nil }
                position = end
                if keeps(file[start..<end]) {
                    bytes += file[start..<end]
                } else {
                    removed.insert(.extra)
                }
            default: return nil
            }
        }
        return nil
    }

    /// The bytes of the colour table that these flags promise.
    private static func tableCount(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7)
    }

    /// Where a row of blocks ends that begins here: a length and so many bytes each, up to an empty one.
    private static func blocksEnd(_ file: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var position = start
        while position < file.count {
            let length = Int(file[position])
            position += 1 + length
            if length == 0 { return position }
        }
        return nil
    }

    /// Whether an extension, whole, is the control of a frame or the loop of an animation.
    private static func keeps(_ block: Slice<UnsafeRawBufferPointer>) -> Bool {
        let bytes = Array(block.prefix(20))
        switch bytes[1] {
        case 0xF9: return bytes.count == 8 && bytes[2] == 4
        case 0xFF:
            return bytes.count == 19 && bytes[2] == 11 && bytes[14] == 3
                && loops.contains(String(decoding: bytes[3..<14], as: UTF8.self))
        default: return false
        }
    }
}
