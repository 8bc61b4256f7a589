/// The boxes of an MP4 or QuickTime film (ISO/IEC 14496-12) in which a place may stand.
///
/// They are blanked where they lie: as `free` boxes of the same length full of zeros, so that no
/// offset into the film changes.
struct MovieBoxes {
    /// What cannot be made safe.
    enum Problem: Error, Hashable {
        /// A box that does not end where the one around it does, at this offset.
        case broken(offset: Int)
        /// A track that is neither picture, sound nor time code; its kind as the file calls it. Drones
        /// write where they are as subtitles.
        case track(String)
        /// Not one track was found.
        case noTracks
    }

    /// The boxes to blank, whole, in their order.
    private(set) var blanks: [Range<Int>] = []
    private var tracks = 0
    private let file: UnsafeRawBufferPointer

    /// Finds the boxes of a whole film.
    init(_ file: UnsafeRawBufferPointer) throws(Problem) {
        self.file = file
        try walk(0..<file.count, .file, depth: 0)
        guard tracks > 0 else { throw .noTracks }
    }

    /// Where boxes lie, which decides what may be among them.
    private enum Place {
        case file, movie, track, media, fragment
    }

    /// What to do with a box.
    private enum Treatment {
        case keep, blank, enter(Place), handler
    }

    private static func treatment(_ type: String, in place: Place) -> Treatment {
        switch (place, type) {
        case (.file, "moov"): .enter(.movie)
        case (.file, "moof"): .enter(.fragment)
        case (.file, "ftyp"), (.file, "mdat"), (.file, "sidx"), (.file, "styp"), (.file, "mfra"),
            (.file, "pdin"), (.file, "ssix"), (.file, "prft"):
            .keep
        case (.movie, "trak"): .enter(.track)
        case (.movie, "mvhd"), (.movie, "mvex"), (.movie, "iods"): .keep
        case (.track, "mdia"): .enter(.media)
        case (.track, "tkhd"), (.track, "edts"), (.track, "tref"), (.track, "tapt"),
            (.track, "load"), (.track, "trgr"):
            .keep
        case (.media, "hdlr"): .handler
        case (.media, "mdhd"), (.media, "minf"), (.media, "elng"): .keep
        case (.fragment, "mfhd"), (.fragment, "traf"): .keep
        // What nobody here knows may hold anything.
        default: .blank
        }
    }

    private static let knownTracks = ["vide", "soun", "tmcd", "auxv", "pict"]

    private mutating func walk(
        _ range: Range<Int>, _ place: Place, depth: Int
    ) throws(Problem) {
        var position = range.lowerBound
        while position < range.upperBound {
            // QuickTime lets a list of boxes end with four zero bytes.
            if range.upperBound - position == 4, number(position, 4) == 0 { return }
            let (box, body, type) = try header(position, within: range)
            switch Self.treatment(type, in: place) {
            case .keep: break
            case .blank: blanks.append(box)
            case .enter(let inner): try walk(body, inner, depth: depth + 1)
            case .handler: try readHandler(body)
            }
            position = box.upperBound
        }
    }

    private func header(
        _ position: Int, within range: Range<Int>
    ) throws(Problem) -> (box: Range<Int>, body: Range<Int>, type: String) {
        guard range.upperBound - position >= 8 else { throw .broken(offset: position) }
        let type = String(decoding: file[position + 4..<position + 8], as: UTF8.self)
        var length = number(position, 4)
        var headerLength = 8
        if length == 1, range.upperBound - position >= 16 {
            length = number(position + 8, 8)
            headerLength = 16
        } else if length == 0 {
            length = range.upperBound - position
        }
        guard length >= headerLength, length <= range.upperBound - position else {
            throw .broken(offset: position)
        }
        let end = position + length
        return (position..<end, position + headerLength..<end, type)
    }

    /// A handler box: version and flags 4, component type 4, kind 4.
    private mutating func readHandler(_ body: Range<Int>) throws(Problem) {
        guard body.count >= 12 else { throw .broken(offset: body.lowerBound) }
        let bytes = file[body.lowerBound + 8..<body.lowerBound + 12]
        let kind = String(decoding: bytes, as: UTF8.self)
        guard Self.knownTracks.contains(kind) else { throw .track(kind) }
        tracks += 1
    }

    /// A big-endian number; more than any file has where it does not fit.
    private func number(_ position: Int, _ count: Int) -> Int {
        let value = file[position..<position + count].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Int(exactly: value) ?? .max
    }

    /// What stands in place of the bytes of a blanked box.
    ///
    /// - Parameter box: One of `blanks`; its first 16 bytes at most say its length, which stays.
    func blanked(_ box: Range<Int>) -> [UInt8] {
        let isLong = number(box.lowerBound, 4) == 1
        let length = Array(file[box.lowerBound..<box.lowerBound + 4])
        let longLength = isLong ? Array(file[box.lowerBound + 8..<box.lowerBound + 16]) : []
        return length + Array("free".utf8) + longLength
    }
}
