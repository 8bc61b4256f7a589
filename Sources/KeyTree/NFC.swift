public import SecretMemory
import Wire

/// Unicode's normal form C, as far as a password needs it: whether a text is in it.
///
/// The standard library normalises into memory that is not wiped; here everything stays in secret
/// memory. The data is Unicode 16's.
public enum NFC {
    /// The longest text, in bytes.
    public static let maximumByteCount = 1024
    /// A scalar of two bytes or more comes apart into at most four.
    private static let scalarsPerByte = 2

    /// Whether normal form C leaves a text of UTF-8 as it is.
    ///
    /// - Throws: `tooLong`, `notUTF8`.
    public static func isNormalised(_ text: borrowing SecretBytes) throws(NFKDError) -> Bool {
        guard text.count <= maximumByteCount else {
            throw .tooLong(found: text.count, allowed: maximumByteCount)
        }
        let capacity = text.count * scalarsPerByte * MemoryLayout<UInt32>.size
        var scalars = SecretBytes(count: capacity)
        let count = try text.withUnsafeBytes { text throws(NFKDError) in
            try scalars.withUnsafeMutableBytes { memory throws(NFKDError) in
                try decompose(text, into: memory.assumingMemoryBound(to: UInt32.self))
            }
        }
        // A scalar that never stays in normal form C.
        guard let count else { return false }
        return text.withUnsafeBytes { text in
            scalars.withUnsafeMutableBytes { memory in
                let scalars = UnsafeMutableBufferPointer(
                    rebasing: memory.assumingMemoryBound(to: UInt32.self)[..<count])
                NFKD.reorder(scalars)
                return isSame(text, scalars[..<compose(scalars)])
            }
        }
    }

    private static func isSame(
        _ text: UnsafeRawBufferPointer, _ scalars: Slice<UnsafeMutableBufferPointer<UInt32>>
    ) -> Bool {
        var reader = UTF8Reader(text)
        var rest = scalars
        while let scalar = try? reader.next() {
            guard rest.popFirst() == scalar else { return false }
        }
        return rest.isEmpty
    }

    // MARK: Taking apart

    /// Writes the text's scalars, each as far apart as it goes, and returns how many there are; nil
    /// as soon as one cannot be in normal form C.
    private static func decompose(
        _ text: UnsafeRawBufferPointer, into out: UnsafeMutableBufferPointer<UInt32>
    ) throws(NFKDError) -> Int? {
        var reader = UTF8Reader(text)
        var count = 0
        var isPossible = true
        while let value = try reader.next() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if scalar.properties.isFullCompositionExclusion { isPossible = false }
            decompose(value) { part in
                out[count] = part
                count += 1
            }
        }
        return isPossible ? count : nil
    }

    private static func decompose(_ scalar: UInt32, _ body: (UInt32) -> Void) {
        if Hangul.syllables.contains(scalar) { return Hangul.decompose(scalar, body) }
        guard scalar >= 0xC0, let pair = pairs[scalar] else { return body(scalar) }
        decompose(pair.first, body)
        body(pair.second)
    }

    // MARK: Putting together

    /// Puts scalars together in place, each with the last one of class 0 before it where nothing
    /// blocks it (Unicode, section 3.11), and returns how many are left.
    private static func compose(_ scalars: UnsafeMutableBufferPointer<UInt32>) -> Int {
        var starter: Int?
        var end = 0
        var lastClass: UInt8 = 0
        for scalar in scalars {
            let own = NFKD.combiningClass(of: scalar)
            if let starter, starter == end - 1 || lastClass != 0 && lastClass < own,
                let composed = composition(scalars[starter], scalar)
            {
                scalars[starter] = composed
                continue
            }
            if own == 0 { starter = end }
            lastClass = own
            scalars[end] = scalar
            end += 1
        }
        return end
    }

    private static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
        Hangul.compose(first, second) ?? composed[Pair(first: first, second: second)]
    }

    // MARK: The table

    private struct Pair: Hashable {
        let first: UInt32
        let second: UInt32
    }

    /// What a scalar comes apart into.
    private static let pairs: [UInt32: Pair] = {
        let literal = NFCTable.compositions
        let text = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        guard let bytes = try? Base64.decode(utf8: Array(text)) else {
            preconditionFailure("the table was written by scripts/tables/nfc")
        }
        return bytes.withUnsafeBytes { bytes in
            var pairs: [UInt32: Pair] = [:]
            var reader = UTF8Reader(bytes)
            while let composed = try? reader.next(), let first = try? reader.next(),
                let second = try? reader.next(), (try? reader.next()) != nil
            {
                pairs[composed] = Pair(first: first, second: second)
            }
            return pairs
        }
    }()

    private static let composed = Dictionary(uniqueKeysWithValues: pairs.map { ($1, $0) })
}
