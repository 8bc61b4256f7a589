/// A kind of file that cameras and phones write, told by its first bytes, never by its name.
public enum MediaKind: String, CaseIterable, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"
    case tiff = "TIFF"
    case heif = "HEIC or AVIF"
    case movie = "MP4 or QuickTime"
    /// Others that can hold a place, and from which nothing here removes it.
    case other = "film or raw picture"

    /// How many bytes of the start are looked at.
    public static let headLength = 16

    /// The kind of a file that starts with these bytes; nil for what is neither picture nor film.
    public init?(head: UnsafeRawBufferPointer) {
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count
                && head[offset..<offset + bytes.count].elementsEqual(bytes)
        }
        func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }

        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89]), has("PNG", at: 1) {
            self = .png
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has([0x49, 0x49, 0x2A, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2A]) {
            self = .tiff
        } else if has("ftyp", at: 4) {
            self = Self.brand(head)
        } else if Self.firstBoxes.contains(where: { has($0, at: 4) }) {
            self = .movie
        } else if Self.others.contains(where: { has($0) }) || (has("RIFF") && has("AVI ", at: 8)) {
            self = .other
        } else {
            return nil
        }
    }

    /// The first box of a QuickTime film that has no file type.
    private static let firstBoxes = ["moov", "mdat", "wide", "pnot"]

    /// Matroska and WebM, JPEG XL (bare and boxed), JPEG 2000, Photoshop, MPEG, Windows Media, Ogg,
    /// big TIFF, and the raw pictures of Fujifilm, Olympus, Panasonic and Canon that are no TIFF.
    private static let others: [[UInt8]] = [
        [0x1A, 0x45, 0xDF, 0xA3], [0xFF, 0x0A], [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20],
        [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20], Array("8BPS".utf8), [0, 0, 1, 0xBA],
        [0, 0, 1, 0xB3],
        [0x30, 0x26, 0xB2, 0x75], Array("OggS".utf8), [0x49, 0x49, 0x2B, 0x00],
        [0x4D, 0x4D, 0x00, 0x2B], Array("FUJIFILM".utf8), Array("IIRO".utf8), Array("IIRS".utf8),
        Array("IIU\0".utf8), [0x49, 0x49, 0x1A, 0x00],
    ]

    private static let stills = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis",
    ]

    private static func brand(_ head: UnsafeRawBufferPointer) -> MediaKind {
        guard head.count >= 12 else { return .other }
        let brand = String(decoding: head[8..<12], as: UTF8.self)
        if stills.contains(brand) { return .heif }
        return brand == "crx " ? .other : .movie
    }
}
