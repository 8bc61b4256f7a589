/// The last 8 bytes of each page of a database file say what the rest must be, so that no damaged
/// page is ever taken for a good one.
///
/// The sum is a chain of multiplications over words of 8 bytes, little-endian, begun with the page's
/// number, so that a page in a wrong place is found too. Each step can be undone, so one changed word
/// always changes the sum; more than one escape with a chance of 2^-64. It is no protection against
/// an attacker, who could write another sum: nobody but this process writes there.
enum PageChecksum {
    /// Bytes of a page.
    static let pageSize = 4096
    /// Bytes at its end that SQLite leaves alone.
    static let reserved = 8

    /// The sum of a page's first 4,088 bytes.
    static func sum(_ page: UnsafeRawBufferPointer, number: UInt64) -> UInt64 {
        var sum: UInt64 = 0x6A09_E667_F3BC_C908 ^ number
        var place = 0
        while place + 8 <= pageSize - reserved {
            let word = page.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            sum = (sum ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
            sum ^= sum >> 32
            place += 8
        }
        return sum
    }

    /// Writes the sum into a page's last 8 bytes.
    static func seal(_ page: UnsafeMutableRawBufferPointer, number: UInt64) {
        let sum = sum(UnsafeRawBufferPointer(page), number: number)
        page.storeBytes(
            of: sum.littleEndian, toByteOffset: pageSize - reserved, as: UInt64.self)
    }

    /// Whether a page is what was written there.
    static func holds(_ page: UnsafeRawBufferPointer, number: UInt64) -> Bool {
        let found = page.loadUnaligned(fromByteOffset: pageSize - reserved, as: UInt64.self)
        return UInt64(littleEndian: found) == sum(page, number: number)
    }
}
