import Foundation
import TestSupport

/// Looks for bytes in all memory that this process may write, without holding them itself: they are
/// given masked.
enum MemoryScan {
    static let mask: UInt8 = 0xA5

    /// How often the 32 bytes that `masked` stands for lie in memory.
    static func count(_ masked: [UInt8]) throws -> Int {
        precondition(masked.count == 32)
        let needle = Data(masked)
        var found = 0
        try ProcessMemory.scan(of: getpid(), overlap: 31) { piece, _ in
            // Masked as soon as it is read, so that what is read is not found again.
            for index in piece.indices { piece[index] ^= mask }
            found += ProcessMemory.occurrences(of: needle, in: piece)
        }
        return found
    }
}
