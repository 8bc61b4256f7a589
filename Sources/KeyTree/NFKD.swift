import SecretMemory
import Wire

/// Unicode's normal form KD, which BIP39 asks of passphrases, within secret memory.
///
/// The standard library normalises to canonical forms only, and into memory that is not wiped.
enum NFKD {
    /// The longest text, in bytes.
    static let maximumByteCount = 1024
    /// U+FDFA, three bytes, becomes 18 scalars: the most for a byte.
    private static let scalarsPerByte = 6

    /// UTF-8 in normal form KD of UTF-8 in any form.
    ///
    /// - Throws: `tooLong`, `notUTF8`.
    static func normalise(_ text: borrowing SecretBytes) throws(NFKDError) -> SecretBytes {
        guard text.count <= maximumByteCount else {
            throw .tooLong(found: text.count, allowed: maximumByteCount)
        }
        var count = 0
        let scalars = try SecretBytes(
            count: text.count * scalarsPerByte * MemoryLayout<UInt32>.size
        ) { memory throws(NFKDError) in
            let scalars = memory.assumingMemoryBound(to: UInt32.self)
            try text.withUnsafeBytes { text throws(NFKDError) in
                var reader = UTF8Reader(text)
                while let scalar = try reader.next() {
                    decompose(scalar) { part in
                        scalars[count] = part
                        count += 1
                    }
                }
            }
            reorder(UnsafeMutableBufferPointer(rebasing: scalars[..<count]))
        }
        return SecretBytes(capacity: 4 * count) { out in
            scalars.withUnsafeBytes { memory in
                var length = 0
                for scalar in memory.assumingMemoryBound(to: UInt32.self)[..<count] {
                    length += UTF8Reader.encode(scalar, into: out, at: length)
                }
                return length
            }
        }
    }

    private static func decompose(_ scalar: UInt32, _ body: (UInt32) -> Void) {
        guard scalar >= 0x80 else { return body(scalar) }
        if Hangul.syllables.contains(scalar) { return Hangul.decompose(scalar, body) }
        guard let line = decomposition(of: scalar) else { return body(scalar) }
        table.withUnsafeBytes { table in
            var reader = UTF8Reader(UnsafeRawBufferPointer(rebasing: table[line]))
            while let part = try? reader.next() { body(part) }
        }
    }

    /// Puts marks behind a character into the order of their classes, those of one class as they
    /// stood (Unicode, section 3.11).
    static func reorder(_ scalars: UnsafeMutableBufferPointer<UInt32>) {
        for end in scalars.indices.dropFirst() {
            let scalar = scalars[end]
            let own = combiningClass(of: scalar)
            guard own > 0 else { continue }
            var place = end
            while place > 0, combiningClass(of: scalars[place - 1]) > own {
                scalars[place] = scalars[place - 1]
                place -= 1
            }
            scalars[place] = scalar
        }
    }

    // MARK: The table

    private static let table = decode(NFKDTable.decompositions)
    /// Where each line of the table starts, and where one more would.
    private static let lines =
        [0] + table.indices.filter { table[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    private static let classes = decode(NFKDTable.classes)

    private static func decode(_ literal: StaticString) -> [UInt8] {
        let text = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        guard let bytes = try? Base64.decode(utf8: Array(text)) else {
            preconditionFailure("the table was written by scripts/tables/nfkd")
        }
        return bytes
    }

    /// Where the decomposition of `scalar` stands in the table.
    private static func decomposition(of scalar: UInt32) -> Range<Int>? {
        table.withUnsafeBytes { table in
            var range = 0..<lines.count - 1
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                let line = lines[middle]..<lines[middle + 1] - 1
                var reader = UTF8Reader(UnsafeRawBufferPointer(rebasing: table[line]))
                guard let key = try? reader.next() else { return nil }
                if key == scalar { return line.lowerBound + reader.position..<line.upperBound }
                if key < scalar {
                    range = middle + 1..<range.upperBound
                } else {
                    range = range.lowerBound..<middle
                }
            }
            return nil
        }
    }

    static func combiningClass(of scalar: UInt32) -> UInt8 {
        guard scalar >= 0x300 else { return 0 }
        return classes.withUnsafeBytes { classes in
            var range = 0..<classes.count / 5
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                // Three bytes of the first scalar, one of the length, one of the class.
                let run = middle * 5
                let first =
                    UInt32(classes[run]) << 16 | UInt32(classes[run + 1]) << 8
                    | UInt32(classes[run + 2])
                if scalar < first {
                    range = range.lowerBound..<middle
                } else if scalar >= first + UInt32(classes[run + 3]) {
                    range = middle + 1..<range.upperBound
                } else {
                    return classes[run + 4]
                }
            }
            return 0
        }
    }
}

/// Korean syllables decompose by arithmetic (Unicode, section 3.12).
enum Hangul {
    static let syllables: Range<UInt32> = 0xAC00..<0xD7A4

    static func decompose(_ syllable: UInt32, _ body: (UInt32) -> Void) {
        let index = syllable - syllables.lowerBound
        body(0x1100 + index / (21 * 28))
        body(0x1161 + index % (21 * 28) / 28)
        if index % 28 != 0 { body(0x11A7 + index % 28) }
    }

    /// The syllable of two parts, or of a syllable without a last part and one.
    static func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if (0x1100..<0x1113).contains(first), (0x1161..<0x1176).contains(second) {
            return syllables.lowerBound + ((first - 0x1100) * 21 + second - 0x1161) * 28
        }
        guard syllables.contains(first), (first - syllables.lowerBound) % 28 == 0,
            (0x11A8..<0x11C3).contains(second)
        else { return nil }
        return first + second - 0x11A7
    }
}

/// Why a text cannot be normalised.
public enum NFKDError: Error, Hashable, Sendable {
    /// A longer text than a passphrase may be.
    case tooLong(found: Int, allowed: Int)
    /// Bytes that are not UTF-8; the position counts bytes from 0.
    case notUTF8(position: Int)
}

extension NFKDError: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .tooLong(let found, let allowed):
            "passphrase of \(found) bytes, at most \(allowed) allowed"
        case .notUTF8(let position): "passphrase is not UTF-8 at byte \(position + 1)"
        }
    }
}
