/// The chunks of PNG (W3C PNG, third edition) and WebP (RFC 9649) files, copied but for those that can
/// hold more than a picture.
enum PNGChunks {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Chunks that draw the picture or say how its colours look, and Exif, which is looked at apart.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP",
        "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT", "eXIf",
    ]

    /// The file without texts, dates, private chunks and what follows its end; nil where it is no
    /// whole PNG file. A text that holds Exif in hexadecimal, as ImageMagick and Exiv2 write it, stays.
    static func plain(_ file: UnsafeRawBufferPointer) -> (bytes: [UInt8], removed: Set<Removed>)? {
        guard file.starts(with: signature) else { return nil }
        var bytes = signature
        bytes.reserveCapacity(file.count)
        var removed: Set<Removed> = []
        var position = 8
        while position + 12 <= file.count {
            let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= file.count - position - 12 else { return nil }
            let end = position + 12 + length
            let type = String(decoding: file[position + 4..<position + 8], as: UTF8.self)
            let body = file[position + 8..<end - 4]
            let isExif = type == "zTXt" && body.starts(with: "Raw profile type exif\0".utf8)
            if kept.contains(type) || isExif {
                bytes += file[position..<end]
            } else {
                removed.insert(.extra)
            }
            position = end
            guard type != "IEND" else {
                if position < file.count { removed.insert(.trailer) }
                return (bytes, removed)
            }
        }
        return nil
    }
}

enum WebPChunks {
    private static let kept: Set<String> = [
        "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF",
    ]

    /// The file without XMP, unknown chunks and what follows its end; nil where it is no whole WebP file.
    static func plain(_ file: UnsafeRawBufferPointer) -> (bytes: [UInt8], removed: Set<Removed>)? {
        guard file.count >= 12, let size = length(file, 4), size >= 4, size + 8 <= file.count,
            file.starts(with: "RIFF".utf8), file[8..<12].elementsEqual("WEBP".utf8)
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count)
        var removed: Set<Removed> = size + 8 < file.count ? [.trailer] : []
        var position = 12
        while position < size + 8 {
            guard let length = length(file, position + 4) else { return nil }
            let end = position + 8 + length + length % 2
            guard length <= size, end <= size + 8 else { return nil }
            let type = String(decoding: file[position..<position + 4], as: UTF8.self)
            if kept.contains(type) {
                let start = bytes.count
                bytes += file[position..<end]
                // The flag that promises XMP.
                if type == "VP8X", length > 0 { bytes[start + 8] &= ~0x04 }
            } else {
                removed.insert(.extra)
            }
            position = end
        }
        let total = UInt32(bytes.count + 4)
        let header = (0..<4).map { UInt8(truncatingIfNeeded: total >> (8 * $0)) }
        return (Array("RIFF".utf8) + header + Array("WEBP".utf8) + bytes, removed)
    }

    private static func length(_ file: UnsafeRawBufferPointer, _ position: Int) -> Int? {
        guard position + 4 <= file.count else { return nil }
        return (0..<4).reduce(0) { $0 | Int(file[position + $1]) << (8 * $1) }
    }
}
