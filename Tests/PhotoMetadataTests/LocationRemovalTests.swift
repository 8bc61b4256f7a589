import Testing

@testable import PhotoMetadata

@Suite("Removal of places from pictures and films")
struct LocationRemovalTests {
    private func examine(_ bytes: [UInt8]) throws(LocationRefusal) -> Sealable {
        let result = bytes.withUnsafeBytes { file -> Result<Sealable, LocationRefusal> in
            do throws(LocationRefusal) {
                return .success(try LocationRemoval.examine(file))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The bytes as they would be sealed.
    private func sealed(_ bytes: [UInt8]) throws -> [UInt8] {
        switch try examine(bytes) {
        case .asItIs: return bytes
        case .rewritten(let bytes, _): return bytes
        case .blanked(let blanks):
            var bytes = bytes
            for blank in blanks {
                let zeros = [UInt8](repeating: 0, count: blank.range.count - blank.start.count)
                bytes.replaceSubrange(blank.range, with: blank.start + zeros)
            }
            return bytes
        }
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.dropLast(part.count - 1).contains {
            bytes[$0] == part[0] && bytes[$0..<$0 + part.count].elementsEqual(part)
        }
    }

    private func saysPlace(_ bytes: [UInt8]) -> Bool {
        Pictures.placeBytes.contains { contains(bytes, $0) }
    }

    private func removed(_ bytes: [UInt8]) throws -> Set<Removed> {
        if case .rewritten(_, let removed) = try examine(bytes) { removed } else { [] }
    }

    private func refusal(_ bytes: [UInt8]) -> LocationRefusal? {
        do throws(LocationRefusal) {
            _ = try examine(bytes)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Pictures

    @Test(
        "a JPEG loses its place wherever it stands, and keeps orientation, colours and the picture")
    func jpeg() throws {
        let profile = Pictures.big(132) + [UInt8](repeating: 9, count: 128)
        let icc = Pictures.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
        let word = Pictures.word
        let extras: [[UInt8]] = [
            Pictures.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Pictures.xmp),
            Pictures.segment(0xED, Array("Photoshop 3.0\0".utf8) + word),
            Pictures.segment(0xE2, Array("MPF\0".utf8) + word), Pictures.segment(0xFE, word),
            Pictures.segment(0xE5, word), Pictures.segment(0xEF, word),
        ]
        let file = Pictures.jpeg(
            Pictures.jfif + Pictures.jpegExif(place: true) + icc + extras.flatMap { $0 },
            trailer: Pictures.movie(Pictures.placeBox))
        #expect(saysPlace(file))
        let sealed = try sealed(file)
        #expect(!saysPlace(sealed))
        #expect(try removed(file) == [.exif, .extra, .trailer])
        let keys = try #require(sealed.withUnsafeBytes { Exif.keys($0) })
        #expect(keys.contains("Exif.Image.Orientation") && keys.contains("Exif.Image.Model"))
        #expect(!keys.contains { $0.contains("GPS") })
        #expect(contains(sealed, icc))
        #expect(contains(sealed, Pictures.jpegPicture))
        #expect(sealed.suffix(2) == [0xFF, 0xD9])
        for extra in extras {
            let alone = Pictures.jpeg(Pictures.jfif + extra)
            #expect(saysPlace(alone))
            #expect(try !saysPlace(self.sealed(alone)))
        }
    }

    @Test("of a JPEG's segments only those on the list stay, and in their exact form")
    func jpegList() throws {
        let word = Pictures.word
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
        let named = ["JFIF\0", "JFXX\0", "Exif\0\0", "ICC_PROFILE\0", "Adobe"]
        var kept = 0
        for code in UInt8(0xC0)...0xFE where !(0xD0...0xD9).contains(code) {
            for name in named {
                let isList = code == 0xE2 && name == "ICC_PROFILE\0"
                let isTable = (0xC0...0xDF).contains(code) && code != 0xC8
                // Exif itself is looked at by its entries, and a scan lasts until the next marker.
                guard !isList, !isTable, !(code == 0xE1 && name == "Exif\0\0") else {
                    kept += 1
                    continue
                }
                let body = Array(name.utf8) + [0, 100, 0, 0, 0, 0, 1] + word
                let file = Pictures.jpeg(Pictures.jfif + Pictures.segment(code, body))
                #expect(try !saysPlace(sealed(file)), "\(code) \(name)")
            }
        }
        // Frames and tables: 15 + 6 codes with 5 names each, ICC and Exif.
        #expect(kept == 21 * 5 + 2)
        let exact = Pictures.jpeg(Pictures.jfif + Pictures.segment(0xEE, adobe))
        guard case .asItIs = try examine(exact) else {
            Issue.record("Adobe's own segment was changed")
            return
        }
    }

    @Test("a picture or film without a place is sealed byte for byte, and so is anything else")
    func untouched() throws {
        for file in [
            Pictures.jpeg(Pictures.jfif + Pictures.jpegExif(place: false)), Pictures.png([]),
            Pictures.webp([], flags: 0), Pictures.exif(place: false, strip: true), Pictures.gif([]),
            Pictures.heic(place: false), Pictures.movie(Pictures.track("vide")),
            Array("a text of somebody".utf8), [], [0xFF],
        ] {
            guard case .asItIs = try examine(file) else {
                Issue.record("changed: \(file.prefix(12))")
                continue
            }
        }
    }

    @Test("a PNG loses Exif places, texts and what follows its end")
    func png() throws {
        let colours = Array("gAMA".utf8) + Pictures.big(45455)
        let file = Pictures.png(
            [
                ("gAMA", Pictures.big(45455)), ("eXIf", Pictures.exif(place: true)),
                ("tEXt", Array("Comment\0".utf8) + Pictures.word),
                ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Pictures.xmp),
                ("vpAg", Pictures.word),
            ], trailer: Pictures.word)
        let sealed = try sealed(file)
        #expect(!saysPlace(sealed))
        #expect(contains(sealed, colours))
        #expect(try removed(file).isSuperset(of: [.extra, .trailer]))
    }

    @Test("a WebP loses Exif places and XMP, and no longer promises XMP")
    func webp() throws {
        let file = Pictures.webp(
            [("EXIF", Pictures.exif(place: true)), ("XMP ", Pictures.xmp)], flags: 0x0C)
        #expect(saysPlace(file))
        let sealed = try sealed(file)
        #expect(!saysPlace(sealed))
        #expect(sealed[20] & 0x04 == 0)
    }

    @Test("a GIF loses XMP, comments, texts and applications' blocks, and keeps frames and loop")
    func gif() throws {
        let word = Pictures.word
        // XMP lies there without blocks, and a trailer makes one of every byte of it (XMP, part 3).
        let magic = [1] + (0...255).reversed().map { UInt8($0) }
        let xmp =
            [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + Pictures.xmp + magic + [0]
        let extras: [[UInt8]] = [
            xmp, Pictures.gifExtension(0xFE, [word]), Pictures.gifExtension(0x01, [word, word]),
            Pictures.gifExtension(0xFF, [Array("ICCRGBG1012".utf8), word]),
            Pictures.gifExtension(0xFF, [Array("NETSCAPE2.0".utf8), [1, 0, 0], word]),
            Pictures.gifExtension(0xFF, [Array("ANIMEXTS1.0".utf8), word]),
            Pictures.gifExtension(0xF9, [[0, 1, 0, 0], word]), Pictures.gifExtension(0x77, [word]),
        ]
        for extra in extras + [extras.flatMap { $0 }] {
            let file = Pictures.gif(extra)
            #expect(saysPlace(file))
            #expect(try sealed(file) == Pictures.gif([]))
            #expect(try removed(file) == [.extra])
        }
        #expect(try sealed(Pictures.gif([], trailer: word)) == Pictures.gif([]))
        #expect(try removed(Pictures.gif([], trailer: word)) == [.trailer])
    }

    @Test("a TIFF loses its place and keeps its picture")
    func tiff() throws {
        let file = Pictures.exif(place: true, strip: true)
        #expect(saysPlace(file))
        let sealed = try sealed(file)
        #expect(!saysPlace(sealed))
        let keys = try #require(sealed.withUnsafeBytes { Exif.keys($0) })
        #expect(keys.contains("Exif.Image.StripOffsets") && !keys.contains("Exif.Image.GPSTag"))
        #expect(sealed.contains(0x7F))
    }

    @Test("a HEIC with a place is refused with what to do, for nothing here can remove it")
    func heic() throws {
        let found = try #require(refusal(Pictures.heic(place: true)))
        #expect(found.problem == .cannotBeRemoved)
        #expect(found.description.contains("Export it anew without its location"))
    }

    @Test("other containers of films and raw pictures are refused")
    func others() {
        let heads: [[UInt8]] = [
            [0x1A, 0x45, 0xDF, 0xA3], Array("RIFF\0\0\0\0AVI ".utf8), Array("8BPS".utf8),
            Array("FUJIFILMCCD-RAW".utf8), Pictures.box("ftyp", Array("crx ".utf8)),
            [0x49, 0x49, 0x2B, 0x00], [0xFF, 0x0A], Array("OggS".utf8),
        ]
        for head in heads {
            let file = head + [UInt8](repeating: 0, count: 64)
            #expect(refusal(file)?.problem == .cannotBeRemoved)
        }
    }

    @Test("a file that is cut anywhere is refused, or holds no place as it would be sealed")
    func cut() {
        let files = [
            Pictures.jpeg(Pictures.jfif + Pictures.jpegExif(place: true)),
            Pictures.png([("eXIf", Pictures.exif(place: true))]),
            Pictures.webp([("EXIF", Pictures.exif(place: true))], flags: 0x08),
            Pictures.movie(Pictures.track("vide") + Pictures.placeBox),
            Pictures.gif(Pictures.gifExtension(0xFE, [Pictures.word])),
        ]
        for file in files {
            var refused = 0
            for length in 0..<file.count {
                if let sealed = try? sealed(Array(file.prefix(length))) {
                    #expect(!saysPlace(sealed), "\(file.prefix(4)) at \(length)")
                } else {
                    refused += 1
                }
            }
            #expect(refused > file.count / 2)
        }
    }

    // MARK: Films

    @Test("a film's descriptions are blanked where they lie, and no offset changes")
    func movie() throws {
        let word = Pictures.word
        let fragment = Pictures.box("mfhd", [0]) + Pictures.box("uuid", word)
        let file = Pictures.movie(
            Pictures.track("vide", Pictures.placeBox) + Pictures.track("soun") + Pictures.placeBox
                + Pictures.box("meta", word) + Pictures.box("Xtra", word),
            before: Pictures.box("free", word) + Pictures.longBox("uuid", word),
            after: Pictures.box("moof", fragment) + Pictures.box("skip", word))
        let sealed = try sealed(file)
        #expect(!saysPlace(sealed))
        #expect(sealed.count == file.count)
        #expect(contains(sealed, Pictures.box("mdat", [1, 2, 3])))
        guard case .blanked(let blanks) = try examine(file) else {
            Issue.record("not blanked")
            return
        }
        #expect(blanks.count == 8)
        #expect(try self.sealed(sealed) == sealed)
    }

    @Test("a film with a track that is no picture, sound or time code is refused, subtitles too")
    func metadataTracks() {
        for kind in ["meta", "camm", "gpmd", "priv", "text", "sbtl", "subt", "clcp", "subp"] {
            let file = Pictures.movie(Pictures.track("vide") + Pictures.track(kind))
            #expect(refusal(file)?.problem == .track(kind))
        }
    }

    @Test("a film whose boxes do not fit into each other is refused")
    func brokenMovie() {
        let inner = Pictures.big(999) + Array("trak".utf8)
        for file in [
            Pictures.movie(inner), Pictures.movie([]),
            Pictures.movie(Pictures.track("vide"), after: [0, 0, 0]),
        ] {
            #expect(refusal(file)?.problem == .broken)
        }
    }

    @Test("the kind is told by the first bytes, and every kind by some of them")
    func kinds() {
        let files: [(MediaKind?, [UInt8])] = [
            (.jpeg, Pictures.jpeg([])), (.png, Pictures.png([])),
            (.webp, Pictures.webp([], flags: 0)), (.tiff, Pictures.exif(place: false)),
            (.heif, Pictures.heic(place: false)), (.movie, Pictures.movie([])),
            (.movie, Pictures.box("moov", [])), (.other, Array("8BPS".utf8)),
            (.gif, Pictures.gif([])), (nil, Array("%PDF-1.7".utf8)),
        ]
        for (kind, bytes) in files {
            #expect(bytes.withUnsafeBytes { MediaKind(head: $0) } == kind)
        }
        #expect(Set(files.compactMap(\.0)) == Set(MediaKind.allCases))
    }
}
