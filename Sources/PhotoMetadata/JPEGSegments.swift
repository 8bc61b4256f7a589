/// The segments of a JPEG file (ITU-T T.81, annex B), copied but for those that can hold more than a picture.
enum JPEGSegments {
    /// The file without comments, without application segments other than JFIF, Exif, ICC profile and
    /// Adobe's, and without what follows its end; nil where it is no whole JPEG file.
    static func plain(_ file: UnsafeRawBufferPointer) -> (bytes: [UInt8], removed: Set<Removed>)? {
        guard file.count >= 4, file[0] == 0xFF, file[1] == 0xD8 else { return nil }
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes.reserveCapacity(file.count)
        var removed: Set<Removed> = []
        var position = 2
        while let marker = marker(file, &position) {
            if marker == 0xD9 {
                bytes += [0xFF, 0xD9]
                if position < file.count { removed.insert(.trailer) }
                return (bytes, removed)
            }
            guard let body = body(file, position) else { return nil }
            if keeps(marker, file[body]) {
                bytes += [0xFF, marker]
                bytes += file[position..<body.upperBound]
            } else {
                removed.insert(.extra)
            }
            position = body.upperBound
            if marker == 0xDA { copyScan(file, &position, into: &bytes) }
        }
        return nil
    }

    /// The next marker's code; fill bytes are skipped. Markers without a body do not stand here.
    private static func marker(_ file: UnsafeRawBufferPointer, _ position: inout Int) -> UInt8? {
        guard position + 1 < file.count, file[position] == 0xFF else { return nil }
        while position < file.count, file[position] == 0xFF { position += 1 }
        guard position < file.count, file[position] >= 0xC0, !isBare(file[position]) else {
            return nil
        }
        position += 1
        return file[position - 1]
    }

    private static func isBare(_ code: UInt8) -> Bool { (0xD0...0xD8).contains(code) }

    /// Where the segment lies that begins with its length at `position`, the length excluded.
    private static func body(_ file: UnsafeRawBufferPointer, _ position: Int) -> Range<Int>? {
        guard position + 2 <= file.count else { return nil }
        let length = Int(file[position]) << 8 | Int(file[position + 1])
        guard length >= 2, position + length <= file.count else { return nil }
        return position + 2..<position + length
    }

    /// Frames, tables and scans, and four application segments; nothing that is not listed.
    private static func keeps(_ marker: UInt8, _ body: Slice<UnsafeRawBufferPointer>) -> Bool {
        switch marker {
        case 0xC0...0xC7, 0xC9...0xCF, 0xDA...0xDF: true
        case 0xE0: isJFIF(body)
        case 0xE1: body.starts(with: "Exif\0\0".utf8)
        case 0xE2: body.starts(with: "ICC_PROFILE\0".utf8)
        case 0xEE: body.count == 12 && body.starts(with: "Adobe".utf8)
        default: false
        }
    }

    /// The segment of JFIF (ITU-T T.871), which ends with its thumbnail: three bytes a point.
    private static func isJFIF(_ body: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard body.count >= 14, body.starts(with: "JFIF\0".utf8) else { return false }
        let width = Int(body[body.startIndex + 12])
        let height = Int(body[body.startIndex + 13])
        return body.count == 14 + 3 * width * height
    }

    /// Copies coded picture data up to the next marker that is neither stuffed nor a restart.
    private static func copyScan(
        _ file: UnsafeRawBufferPointer, _ position: inout Int, into bytes: inout [UInt8]
    ) {
        let start = position
        while position + 1 < file.count {
            let next = file[position + 1]
            if file[position] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
                break
            }
            position += 1
        }
        bytes += file[start..<position]
    }
}
