import StateFiles
import TestSupport
import Testing

@testable import Vault

@Suite("Sealed streams")
struct SealedStreamTests {
    private static let chunk = StreamChunk.length

    @Test(
        "content of any length comes out as it went in, in pieces of any length",
        arguments: [
            0, 1, 4095, 4096, 4097, StreamChunk.capacity - 1, StreamChunk.capacity,
            StreamChunk.capacity + 1, 2 * StreamChunk.capacity, 2 * StreamChunk.capacity + 1,
            200_000,
        ])
    func roundTrip(count: Int) throws {
        let content = StreamSamples.content(count)
        let file = StreamSamples.seal(content)
        #expect(UInt64(file.count) == StreamPadding.fileSize(UInt64(count)))
        #expect(try StreamSamples.open(file) == content)
        for piece in [977, StreamChunk.length, 70_000] {
            #expect(StreamSamples.seal(content, piece: piece) == file)
            #expect(try StreamSamples.open(file, piece: piece) == content)
        }
    }

    @Test("a file is at least 4 KiB and at most 12 % longer than its content above that")
    func padding() {
        var last: UInt64 = 0
        var steps = 0
        for count in UInt64(0)...300_000 {
            let padded = StreamPadding.padded(count)
            #expect(padded >= max(count, 4096) && padded >= last)
            if count > 4096 { #expect(Double(padded) <= 1.12 * Double(count)) }
            if padded != last { steps += 1 }
            last = padded
        }
        // Few sizes: about 16 to 32 for each doubling.
        #expect(steps < 150)
        for exponent in 12...39 {
            let count = UInt64(1) << UInt64(exponent)
            #expect(StreamPadding.padded(count) == count)
            if exponent < 39 {
                #expect(Double(StreamPadding.padded(count + 1)) <= 1.07 * Double(count))
            }
        }
    }

    @Test("the padding hides the size: contents of one step make files of one length")
    func sameSize() {
        #expect(StreamPadding.fileSize(0) == StreamPadding.fileSize(4096))
        #expect(StreamPadding.fileSize(100_353) == StreamPadding.fileSize(102_400))
    }

    @Test("any bit changed anywhere is found")
    func flippedBits() throws {
        let file = StreamSamples.seal(StreamSamples.content(100))
        var refused = 0
        for bit in 0..<file.count * 8 {
            var changed = file
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: StreamError.self, "bit \(bit)") { try StreamSamples.open(changed) }
            refused += 1
        }
        #expect(refused == 8 * (80 + 4096 + 20))
    }

    @Test("any cut is found, at every place")
    func truncation() throws {
        let file = StreamSamples.seal(StreamSamples.content(70_000))
        for count in stride(from: 0, to: file.count, by: 61) {
            #expect(throws: StreamError.self) { try StreamSamples.open(Array(file[..<count])) }
        }
        for count in [80, 81, 80 + Self.chunk - 1, 80 + Self.chunk, 80 + Self.chunk + 20] {
            #expect(throws: StreamError.self) { try StreamSamples.open(Array(file[..<count])) }
        }
        #expect(throws: StreamError.self) { try StreamSamples.open(file + [0]) }
        #expect(throws: StreamError.self) { try StreamSamples.open(file + file[80...]) }
    }

    @Test("chunks reordered, dropped, doubled or taken from another file are found")
    func movedChunks() throws {
        let content = StreamSamples.content(3 * StreamChunk.capacity + 100)
        let file = StreamSamples.seal(content)
        let other = StreamSamples.seal(content, header: StreamSamples.header("other"))
        let header = Array(file[..<80])
        let chunks = StreamSamples.pieces(Array(file[80...]), Self.chunk)
        let others = StreamSamples.pieces(Array(other[80...]), Self.chunk)
        #expect(chunks.count == 4 && others.count == 4)
        #expect(try StreamSamples.open(header + chunks.joined()) == content)
        let orders: [[[UInt8]]] = [
            [chunks[1], chunks[0], chunks[2], chunks[3]], [chunks[0], chunks[2], chunks[3]],
            [chunks[0], chunks[0], chunks[1], chunks[2], chunks[3]], Array(chunks[..<3]),
            [chunks[0], others[1], chunks[2], chunks[3]], others,
            [chunks[0], chunks[1], chunks[2], chunks[3], chunks[3]],
        ]
        for order in orders {
            #expect(throws: StreamError.self) { try StreamSamples.open(header + order.joined()) }
        }
    }

    @Test("an item is opened as itself only")
    func identity() throws {
        let master = MasterKey(secret([UInt8](repeating: 7, count: 32)))
        let header = StreamSamples.header()
        #expect(throws: StreamError.anotherStream) {
            _ = try SealedStreamReader(
                item: identifier(0x23), of: StreamSamples.vault, header: header, master: master)
        }
        #expect(throws: StreamError.anotherStream) {
            _ = try SealedStreamReader(
                item: StreamSamples.item, of: identifier(0x12), header: header, master: master)
        }
        _ = try SealedStreamReader(
            item: StreamSamples.item, of: StreamSamples.vault, header: header, master: master)
    }

    @Test("a newer version, another kind and reserved bytes are refused")
    func headers() throws {
        let bytes = StreamSamples.header().bytes
        #expect(try StreamHeader(bytes) == StreamSamples.header())
        var newer = bytes
        newer[8] = 2
        #expect(throws: StreamError.unknownVersion(2)) { try StreamHeader(newer) }
        for (place, value) in [(0, 0), (10, 0), (10, 3), (11, 1), (15, 1)] {
            var changed = bytes
            changed[place] = UInt8(value)
            #expect(throws: StreamError.notAStream) { try StreamHeader(changed) }
        }
        #expect(throws: StreamError.notAStream) { try StreamHeader(bytes + [0]) }
        #expect(throws: StreamError.notAStream) { try StreamHeader([]) }
    }
}
