import CExiv2

/// What was left out of a picture or a film.
public enum Removed: String, CaseIterable, Sendable {
    /// Exif entries beyond the camera's settings and the date.
    case exif = "Exif entries, the place among them"
    /// Comments, XMP, IPTC, makers' segments and chunks.
    case extra = "comments, XMP and makers' data"
    /// Bytes after the picture's end.
    case trailer = "what followed the picture's end (a second picture or a short film)"
    /// Boxes of a film.
    case boxes = "the film's descriptions"
}

/// A file as it may be sealed.
public enum Sealable: Sendable {
    /// As it is: no picture or film, or one in which no place stands.
    case asItIs
    /// Other bytes in its place.
    case rewritten([UInt8], Set<Removed>)
    /// The same file, with each of these ranges replaced by its bytes and then zeros.
    case blanked([Blank])

    /// A part of a file that must not be sealed.
    public struct Blank: Hashable, Sendable {
        /// Where it lies.
        public let range: Range<Int>
        /// How it begins instead; zeros follow.
        public let start: [UInt8]
    }
}

/// Why a picture or a film is not sealed: a place may stand in it.
public struct LocationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of file.
    public let kind: MediaKind
    /// What is wrong.
    public let problem: Problem

    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        case broken
        case tooLarge(limit: Int)
        case cannotBeRemoved
        case track(String)
    }

    /// Two sentences: what is wrong, and what to do.
    public var description: String {
        let reason =
            switch problem {
            case .broken: "it is not a whole \(kind.rawValue) file"
            case .tooLarge(let limit):
                "a \(kind.rawValue) file of more than \(limit >> 20) MiB cannot be looked through"
            case .cannotBeRemoved:
                "where it was taken may stand in it, and cannot be removed from a file of this kind "
                    + "(\(kind.rawValue))"
            case .track(let kind):
                "it has a track of its own kind (\(kind)) that may say where it was taken"
            }
        return reason + ". " + remedy
    }

    private var remedy: String {
        switch kind {
        case .jpeg, .png, .webp, .gif, .tiff, .heif:
            "Export it anew without its location, or as JPEG, and add that; or put it into an archive "
                + "such as .tar to keep it as it is"
        case .movie, .other:
            "Export it anew without its location (ffmpeg -i IN -map 0:v -map 0:a? -map_metadata -1 "
                + "-c copy OUT.mp4), and add that; or put it into an archive such as .tar to keep it "
                + "as it is"
        }
    }
}

/// Takes out of pictures and films where they were taken.
///
/// Pictures are copied by a list of what a picture needs, Exif is written anew by Exiv2 from a list of
/// entries, and the result is read once more: nothing that is on no list may be left. What stands inside
/// the coded picture or sound itself is not looked at.
public enum LocationRemoval {
    /// The largest picture, in bytes.
    public static let largestPicture = 256 << 20

    /// Says how a file may be sealed.
    public static func examine(
        _ file: UnsafeRawBufferPointer
    ) throws(LocationRefusal) -> Sealable {
        let head = UnsafeRawBufferPointer(rebasing: file.prefix(MediaKind.headLength))
        guard let kind = MediaKind(head: head) else { return .asItIs }
        switch kind {
        case .movie: return try movie(file)
        case .other: throw LocationRefusal(kind: kind, problem: .cannotBeRemoved)
        case .jpeg, .png, .webp, .gif, .tiff, .heif: break
        }
        guard file.count <= largestPicture else {
            throw LocationRefusal(kind: kind, problem: .tooLarge(limit: largestPicture))
        }
        return kind == .heif ? try heif(file) : try picture(file, kind)
    }

    private static func movie(
        _ file: UnsafeRawBufferPointer
    ) throws(LocationRefusal) -> Sealable {
        do throws(MovieBoxes.Problem) {
            let boxes = try MovieBoxes(file)
            let blanks = boxes.blanks.map {
                Sealable.Blank(range: $0, start: boxes.blanked($0))
            }
            return blanks.isEmpty ? .asItIs : .blanked(blanks)
        } catch {
            switch error {
            case .broken, .noTracks: throw LocationRefusal(kind: .movie, problem: .broken)
            case .track(let kind): throw LocationRefusal(kind: .movie, problem: .track(kind))
            }
        }
    }

    /// Exiv2 reads these but does not write them.
    private static func heif(_ file: UnsafeRawBufferPointer) throws(LocationRefusal) -> Sealable {
        guard let keys = Exif.keys(file) else {
            throw LocationRefusal(kind: .heif, problem: .cannotBeRemoved)
        }
        guard keys.allSatisfy({ !Exif.maySayPlace($0) }) else {
            throw LocationRefusal(kind: .heif, problem: .cannotBeRemoved)
        }
        return .asItIs
    }

    private static func picture(
        _ file: UnsafeRawBufferPointer, _ kind: MediaKind
    ) throws(LocationRefusal) -> Sealable {
        guard let (plain, removed) = plain(file, kind) else {
            throw LocationRefusal(kind: kind, problem: .broken)
        }
        var removals = removed
        // GIF has no Exif.
        guard kind != .gif else { return removed.isEmpty ? .asItIs : .rewritten(plain, removed) }
        let keys = plain.withUnsafeBytes { Exif.keys($0) }
        guard let keys else { throw LocationRefusal(kind: kind, problem: .broken) }
        var bytes = plain
        if !keys.allSatisfy({ Exif.keeps($0, kind) }) {
            guard let rewritten = Exif.rewritten(plain, kind), isClean(rewritten, kind) else {
                throw LocationRefusal(kind: kind, problem: .cannotBeRemoved)
            }
            bytes = rewritten
            removals.insert(.exif)
        }
        return removals.isEmpty ? .asItIs : .rewritten(bytes, removals)
    }

    /// Whether nothing is left to remove, as both readers see it.
    private static func isClean(_ bytes: [UInt8], _ kind: MediaKind) -> Bool {
        bytes.withUnsafeBytes { file in
            guard let keys = Exif.keys(file), let (_, removed) = plain(file, kind) else {
                return false
            }
            return removed.isEmpty && keys.allSatisfy { Exif.keeps($0, kind) }
        }
    }

    private static func plain(
        _ file: UnsafeRawBufferPointer, _ kind: MediaKind
    ) -> (bytes: [UInt8], removed: Set<Removed>)? {
        switch kind {
        case .jpeg: JPEGSegments.plain(file)
        case .png: PNGChunks.plain(file)
        case .webp: WebPChunks.plain(file)
        case .gif: GIFBlocks.plain(file)
        case .tiff: (Array(file), [])
        case .heif, .movie, .other: nil
        }
    }
}
