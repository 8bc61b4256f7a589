/// Small pictures and films that the tests make, with a place in every corner where one can stand.
enum Pictures {
    /// The numerator of the degrees: nothing else has these bytes, in either order.
    static let place: UInt32 = 0x5A17_C0DE
    /// A word in texts that must go.
    static let word = Array("Reykjavik".utf8)
    static let placeBytes: [[UInt8]] = [big(place), Array(big(place).reversed()), word]

    static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// One after the other. Swift 6.0.3 takes minutes for long sums of arrays.
    static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    static func little(_ value: Int) -> [UInt8] { big(UInt32(value)).reversed() }

    // MARK: Exif

    private struct Entry {
        var tag: Int
        var type: Int
        var count: UInt32
        var value: [UInt8]
        var bytes: [UInt8] { join(big16(tag), big16(type), big(count), value) }
    }

    /// A big-endian TIFF structure: camera and orientation, a place if asked for, and a picture of one
    /// point if asked for.
    static func exif(place hasPlace: Bool, strip: Bool = false) -> [UInt8] {
        func short(_ tag: Int, _ value: Int) -> Entry {
            Entry(tag: tag, type: 3, count: 1, value: big16(value) + [0, 0])
        }
        var entries: [Entry] = []
        if strip {
            entries += [
                short(0x100, 1), short(0x101, 1), short(0x102, 8), short(0x103, 1), short(0x106, 1),
            ]
        }
        entries.append(Entry(tag: 0x110, type: 2, count: 4, value: Array("Cam\0".utf8)))
        if strip { entries.append(Entry(tag: 0x111, type: 4, count: 1, value: [])) }
        entries.append(short(0x112, 6))
        if strip {
            entries += [short(0x115, 1), Entry(tag: 0x117, type: 4, count: 1, value: big(1))]
        }
        if hasPlace { entries.append(Entry(tag: 0x8825, type: 4, count: 1, value: [])) }
        let end = 8 + 2 + entries.count * 12 + 4
        let gps = gpsDirectory(at: end)
        for index in entries.indices where entries[index].value.isEmpty {
            let isStrip = entries[index].tag == 0x111
            entries[index].value = big(UInt32(end + (isStrip && hasPlace ? gps.count : 0)))
        }
        let directory = entries.flatMap { $0.bytes }
        return join(
            Array("MM".utf8), big16(42), big(8), big16(entries.count), directory, big(0),
            hasPlace ? gps : [], strip ? [0x7F] : [])
    }

    private static func gpsDirectory(at offset: Int) -> [UInt8] {
        let reference = Entry(tag: 1, type: 2, count: 2, value: Array("N\0\0\0".utf8))
        let latitude = Entry(tag: 2, type: 5, count: 3, value: big(UInt32(offset + 30)))
        let numbers: [UInt32] = [place, 1, 0, 1, 0, 1]
        return join(
            big16(2), reference.bytes, latitude.bytes, big(0), numbers.flatMap { big($0) })
    }

    static let xmp = Array(
        """
        <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
        <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \
        rdf:about='' xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' \
        photoshop:City='Reykjavik'/></rdf:RDF></x:xmpmeta><?xpacket end='w'?>
        """.utf8)

    // MARK: JPEG

    static func segment(_ code: UInt8, _ body: [UInt8]) -> [UInt8] {
        join([0xFF, code], big16(body.count + 2), body)
    }

    /// A frame of one point; nobody decodes it here.
    static let jpegPicture = join(
        segment(0xDB, join([0], [UInt8](repeating: 1, count: 64))),
        segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0]), segment(0xDA, [1, 1, 0, 0, 63, 0]),
        [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56])

    static func jpeg(_ segments: [UInt8], trailer: [UInt8] = []) -> [UInt8] {
        join([0xFF, 0xD8], segments, jpegPicture, [0xFF, 0xD9], trailer)
    }

    static let jfif = segment(0xE0, join(Array("JFIF\0".utf8), [1, 1, 0, 0, 1, 0, 1, 0, 0]))
    static func jpegExif(place: Bool) -> [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + exif(place: place))
    }

    // MARK: PNG

    static func png(_ chunks: [(String, [UInt8])], trailer: [UInt8] = []) -> [UInt8] {
        let header = join(big(1), big(1), [8, 0, 0, 0, 0])
        let data: [UInt8] = [0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0, 1]
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var all: [(String, [UInt8])] = [("IHDR", header)]
        all += chunks
        all += [("IDAT", data), ("IEND", [])]
        for (name, body) in all {
            let checked = Array(name.utf8) + body
            bytes += join(big(UInt32(body.count)), checked, big(checksum(checked)))
        }
        return bytes + trailer
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
            }
        }
    }

    // MARK: WebP

    static func webp(_ chunks: [(String, [UInt8])], flags: UInt8) -> [UInt8] {
        let frame: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 1, 0, 1, 0, 0, 0]
        var body: [UInt8] = []
        let header: [UInt8] = [flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        var all: [(String, [UInt8])] = [("VP8X", header), ("VP8 ", frame)]
        all += chunks
        for (name, part) in all {
            body += join(Array(name.utf8), little(part.count), part)
            if part.count % 2 == 1 { body.append(0) }
        }
        return join(Array("RIFF".utf8), little(body.count + 4), Array("WEBP".utf8), body)
    }

    // MARK: GIF

    /// An extension with these blocks.
    static func gifExtension(_ label: UInt8, _ blocks: [[UInt8]]) -> [UInt8] {
        join([0x21, label], blocks.flatMap { block in join([UInt8(block.count)], block) }, [0])
    }

    /// A loop, a frame's control and a frame of one point.
    static let gifFrame: [UInt8] =
        join(
            gifExtension(0xFF, [Array("NETSCAPE2.0".utf8), [1, 0, 0]]),
            gifExtension(0xF9, [[0, 10, 0, 0]]),
            [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 9, 9, 9, 8, 8, 8, 2, 2, 0x44, 1, 0])

    static func gif(_ blocks: [UInt8], trailer: [UInt8] = []) -> [UInt8] {
        let screen: [UInt8] = [1, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6]
        return join(Array("GIF89a".utf8), screen, blocks, gifFrame, [0x3B], trailer)
    }

    // MARK: Boxes

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        join(big(UInt32(body.count + 8)), Array(type.utf8), body)
    }

    static func longBox(_ type: String, _ body: [UInt8]) -> [UInt8] {
        join(big(1), Array(type.utf8), big(0), big(UInt32(body.count + 16)), body)
    }

    private static func handler(_ kind: String) -> [UInt8] {
        box(
            "hdlr",
            join(big(0), big(0), Array(kind.utf8), [UInt8](repeating: 0, count: 13)))
    }

    static func track(_ kind: String, _ extra: [UInt8] = []) -> [UInt8] {
        let media = box("mdia", join(box("mdhd", big(1)), handler(kind), box("minf", [])))
        return box("trak", join(box("tkhd", big(7)), media, extra))
    }

    /// `©xyz`, as QuickTime and Android write it.
    static let placeBox = box("udta", box("xyz ", word))

    static func movie(
        _ parts: [UInt8], before: [UInt8] = [], after: [UInt8] = []
    ) -> [UInt8] {
        join(
            box("ftyp", join(Array("mp42".utf8), big(0))), before, box("mdat", [1, 2, 3]),
            box("moov", join(box("mvhd", big(9)), parts)), after)
    }

    /// A HEIC file with one Exif item (ISO/IEC 23008-12) that lies in `mdat`.
    static func heic(place: Bool) -> [UInt8] {
        let item = join(big(6), Array("Exif\0\0".utf8), exif(place: place))
        let start = box("ftyp", join(Array("heic".utf8), big(0), Array("mif1heic".utf8)))
        func meta(_ offset: Int) -> [UInt8] {
            let entry = box(
                "infe",
                join(big(0x0200_0000), big16(1), big16(0), Array("Exif".utf8), [0]))
            let location = join(
                big(0), [0x44, 0x00], big16(1), big16(1), big16(0), big16(1),
                big(UInt32(offset)), big(UInt32(item.count)))
            return box(
                "meta",
                join(
                    big(0), handler("pict"), box("iinf", join(big(0), big16(1), entry)),
                    box("iloc", location)))
        }
        return join(start, meta(start.count + meta(0).count + 8), box("mdat", item))
    }
}
