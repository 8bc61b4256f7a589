/// Reads Unicode scalars from UTF-8 in place (RFC 3629): no overlong forms, no surrogates.
package struct UTF8Reader {
    private let bytes: UnsafeRawBufferPointer
    /// The byte where the next scalar starts.
    package private(set) var position = 0

    /// Starts at the first byte.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next scalar; nil at the end.
    package mutating func next() throws(NFKDError) -> UInt32? {
        guard position < bytes.count else { return nil }
        let first = UInt32(bytes[position])
        let (length, start, minimum): (Int, UInt32, UInt32)
        switch first {
        case 0..<0x80: (length, start, minimum) = (1, first, 0)
        case 0xC2..<0xE0: (length, start, minimum) = (2, first & 0x1F, 0x80)
        case 0xE0..<0xF0: (length, start, minimum) = (3, first & 0x0F, 0x800)
        case 0xF0..<0xF5: (length, start, minimum) = (4, first & 0x07, 0x1_0000)
        default: throw .notUTF8(position: position)
        }
        guard bytes.count - position >= length else { throw .notUTF8(position: position) }
        var scalar = start
        for offset in 1..<max(length, 1) {
            let byte = UInt32(bytes[position + offset])
            guard byte & 0xC0 == 0x80 else { throw .notUTF8(position: position) }
            scalar = scalar << 6 | byte & 0x3F
        }
        guard scalar >= minimum, scalar < 0x11_0000, !(0xD800..<0xE000).contains(scalar) else {
            throw .notUTF8(position: position)
        }
        position += length
        return scalar
    }

    /// Writes a scalar at `offset` and returns how many bytes it takes.
    static func encode(
        _ scalar: UInt32, into out: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case 0..<0x80:
            out[offset] = UInt8(scalar)
            return 1
        case 0x80..<0x800:
            out[offset] = UInt8(0xC0 | scalar >> 6)
            out[offset + 1] = tail(0)
            return 2
        case 0x800..<0x1_0000:
            out[offset] = UInt8(0xE0 | scalar >> 12)
            out[offset + 1] = tail(6)
            out[offset + 2] = tail(0)
            return 3
        default:
            out[offset] = UInt8(0xF0 | scalar >> 18)
            out[offset + 1] = tail(12)
            out[offset + 2] = tail(6)
            out[offset + 3] = tail(0)
            return 4
        }
    }
}
