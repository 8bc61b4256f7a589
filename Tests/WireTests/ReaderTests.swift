import Testing

@testable import Wire

@Suite("Reader")
struct ReaderTests {
    @Test("a CompactSize in a longer form than needed is refused, with its position")
    func nonCanonical() {
        for bytes: [UInt8] in [
            [0xFD, 1, 0], [0xFE, 0xFF, 0xFF, 0, 0], [0xFF, 1, 0, 0, 0, 0, 0, 0, 0],
        ] {
            var reader = Reader([7] + bytes)
            #expect(throws: WireError.nonCanonicalCompactSize(position: 1)) {
                _ = try reader.readUInt8()
                _ = try reader.readCompactSize()
            }
        }
    }

    @Test("every CompactSize that was written is read back with the same length")
    func compactSizeRoundTrip() throws {
        for value: UInt64 in [0, 0xFC, 0xFD, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000, .max] {
            var writer = Writer()
            writer.writeCompactSize(value)
            var reader = Reader(writer.bytes)
            #expect(try reader.readCompactSize() == value)
            try reader.finish()
            if value < UInt64(Int.max) {
                #expect(compactSizeLength(Int(value)) == writer.bytes.count)
            }
        }
    }

    @Test("a length above what is left is refused before anything is allocated")
    func hugeLength() {
        var reader = Reader([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
        #expect(throws: WireError.self) { try reader.readVarBytes() }
        var items = Reader([0xFE, 0, 0, 0, 0x10, 1, 2, 3])
        #expect(throws: WireError.tooLarge(position: 0, found: 0x1000_0000, allowed: 0)) {
            try items.readItemCount(minimumItemSize: 41)
        }
    }
}
