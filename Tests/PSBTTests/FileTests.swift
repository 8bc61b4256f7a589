import PSBT
import TestSupport
import Testing
import Wire

/// Rows 1 to 10 of the list of reported bugs, and what belongs to them.
@Suite("Files: form told by content")
struct FileTests {
    @Test("row 3 (sparrow#86): binary, hex and base64 are told apart, the answer has the same form")
    func forms() throws {
        let psbt = try Samples.version0()
        for encoding in PSBTFile.Encoding.allCases {
            let file = psbt.encoded(as: encoding)
            let read = try PSBTFile(file)
            #expect(read.psbt == psbt)
            #expect(read.encoding == encoding)
            #expect(read.oddities.isEmpty)
            #expect(read.answering(psbt) == file)
        }
    }

    @Test("row 1 (bitcoin#20959): line feeds that text mode changed are recognised")
    func lineEndings() throws {
        let bytes = try psbtWithLineFeeds()
        #expect(bytes.contains(0x0A))
        let damaged = bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] as [UInt8] : [$0] }
        #expect(error(damaged) == .lineEndingsDamaged)
        // Damage is only what explains everything: one line feed without a carriage return is not.
        guard case .psbt = error(bytes + [0x0A]) else {
            Issue.record("a trailing byte is no damage of line endings")
            return
        }
    }

    @Test("row 2 (gui#469): base64 in a .psbt file, with a final newline or wrapped lines")
    func wrapped() throws {
        let psbt = try Samples.version0()
        let text = psbt.base64
        for ending in ["\n", "\r\n", " \n\n"] {
            let read = try PSBTFile(Array((text + ending).utf8))
            #expect(read.psbt == psbt)
            #expect(read.encoding == .base64)
            #expect(read.oddities.isEmpty)
        }
        for (width, ending) in [(64, "\n"), (76, "\r\n")] {
            let lines = stride(from: 0, to: text.utf8.count, by: width).map {
                String(text.dropFirst($0).prefix(width)) + ending
            }
            let read = try PSBTFile(Array(lines.joined().utf8))
            #expect(read.psbt == psbt)
            #expect(read.oddities == [.lineBreaks])
        }
    }

    @Test("row 4 (specter-desktop#486): UTF-16 with and without a mark, UTF-8 with one")
    func byteOrderMarks() throws {
        let psbt = try Samples.version0()
        let text = Array(psbt.base64.utf8)
        let little: [UInt8] = text.flatMap { [$0, 0] as [UInt8] }
        let big: [UInt8] = text.flatMap { [0, $0] as [UInt8] }
        let files: [[UInt8]] = [[0xFF, 0xFE] + little, little, [0xFE, 0xFF] + big, big]
        for file in files {
            let read = try PSBTFile(file)
            #expect(read.psbt == psbt)
            #expect(read.oddities == [.utf16])
            #expect(read.answering(psbt) == text)
        }
        #expect(try PSBTFile([0xEF, 0xBB, 0xBF] + text).oddities == [.byteOrderMark])
        #expect(error([0xFF, 0xFE] + little.dropLast()) != nil)
    }

    @Test(
        "rows 5 and 7 (lnd#7119, caravan#217): binary where text was expected, and the answer to it"
    )
    func binary() throws {
        let psbt = try Samples.version0()
        #expect(try PSBTFile(psbt.serialized).encoding == .binary)
        #expect(try PSBTFile(psbt.serialized).answering(psbt) == psbt.serialized)
    }

    @Test("rows 8 and 9 (frostsnap#569, keep#368): hex in either case is not read as base64")
    func hex() throws {
        let psbt = try Samples.version0()
        let lower = Hex.encode(psbt.serialized)
        for text in [lower, lower.uppercased(), lower + "\n"] {
            let read = try PSBTFile(Array(text.utf8))
            #expect(read.encoding == .hex)
            #expect(read.psbt == psbt)
        }
        guard case .hex = error(Array(lower.dropLast().utf8)) else {
            Issue.record("half a byte of hexadecimal is missing")
            return
        }
    }

    @Test("row 10 (WalletWasabi#4427): text that was encoded twice is named so")
    func twice() throws {
        let psbt = try Samples.version0()
        let hexOfBase64 = Hex.encode(Array(psbt.base64.utf8))
        let base64OfHex = Base64.encode(psbt.encoded(as: .hex))
        let base64OfBase64 = Base64.encode(Array(psbt.base64.utf8))
        #expect(error(Array(hexOfBase64.utf8)) == .encodedTwice(outer: .hex, inner: .base64))
        #expect(error(Array(base64OfHex.utf8)) == .encodedTwice(outer: .base64, inner: .hex))
        #expect(error(Array(base64OfBase64.utf8)) == .encodedTwice(outer: .base64, inner: .base64))
    }

    @Test("what is no PSBT is told for what it is")
    func others() throws {
        let final = try Samples.corpusCase("wpkh").finalTransaction.bytes
        for file in [final, Array(Hex.encode(final).utf8), Array(Base64.encode(final).utf8)] {
            guard case .transaction = error(file) else {
                Issue.record("a transaction: \(String(describing: error(file)))")
                return
            }
        }
        #expect(error([]) == .empty)
        #expect(error(Array(" \r\n".utf8)) == .empty)
        #expect(error(Array("hello".utf8)) == .notAPSBT(start: Array("hello".utf8)))
        #expect(error([0x89, 0x50, 0x4E, 0x47]) == .notAPSBT(start: [0x89, 0x50, 0x4E, 0x47]))
        let mangled = Array("psbt\u{FFFD}".utf8) + [1, 0]
        #expect(error(mangled) == .damagedByTextConversion)
        let cut = Array(try Samples.version0().base64.dropLast(3).utf8)
        #expect(error(cut) == .base64(.wrongLength(cut.count)))
        let large = [UInt8](repeating: 0x41, count: PSBTFile.maximumSize + 1)
        #expect(error(large) == .tooLarge(found: large.count, allowed: PSBTFile.maximumSize))
    }

    private func error(_ file: [UInt8]) -> PSBTFileError? {
        do throws(PSBTFileError) { _ = try PSBTFile(file) } catch { return error }
        return nil
    }

    /// A PSBT that has line feeds, none of them after a carriage return.
    private func psbtWithLineFeeds() throws -> [UInt8] {
        var raw = try RawPSBT(Samples.version0())
        raw.inputs[0].append(.init(0xF0, [0x0A, 1], [0x0A, 0x0A]))
        return raw.bytes
    }
}
