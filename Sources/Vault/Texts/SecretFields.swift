public import SecretMemory
public import StateFiles

/// What goes through the pipes of an operation: fields of a tag, a length of two bytes
/// (little-endian) and so many bytes, to the end of the pipe.
public struct SecretFields: ~Copyable {
    private let bytes: SecretBytes
    private let ranges: [Tag: Range<Int>]

    /// The most that a pipe carries.
    public static let maximumCount = 8 << 10
    private static let frameCount = 3

    /// What a field is, by its tag.
    public typealias Tag = SecretField

    /// Takes all bytes of a pipe.
    ///
    /// - Throws: `tooLong`, `unknownTag`, `repeated`, `truncated`.
    public init(_ bytes: consuming SecretBytes) throws(SecretFieldsError) {
        guard bytes.count <= SecretFields.maximumCount else {
            throw .tooLong(found: bytes.count, allowed: SecretFields.maximumCount)
        }
        ranges = try bytes.withUnsafeBytes { bytes throws(SecretFieldsError) in
            try SecretFields.ranges(in: bytes)
        }
        self.bytes = bytes
    }

    private static func ranges(
        in bytes: UnsafeRawBufferPointer
    ) throws(SecretFieldsError) -> [Tag: Range<Int>] {
        var ranges: [Tag: Range<Int>] = [:]
        var position = 0
        while position < bytes.count {
            guard let tag = Tag(rawValue: bytes[position]) else {
                throw .unknownTag(bytes[position], position: position)
            }
            guard ranges[tag] == nil else { throw .repeated(tag) }
            guard bytes.count - position >= frameCount else { throw .truncated(position: position) }
            let count = Int(bytes[position + 1]) | Int(bytes[position + 2]) << 8
            let start = position + frameCount
            guard bytes.count - start >= count else { throw .truncated(position: position) }
            ranges[tag] = start..<start + count
            position = start + count
        }
        return ranges
    }

    /// The fields that are there.
    public var tags: Set<Tag> { Set(ranges.keys) }

    /// A copy of a field; nil when it is not there. An empty field is there.
    public borrowing func copy(_ tag: Tag) -> SecretBytes? {
        guard let range = ranges[tag] else { return nil }
        return bytes.slice(range)
    }
}

/// Puts fields together for a pipe.
public struct SecretFieldsWriter: ~Copyable {
    private var bytes = SecretBytes(count: SecretFields.maximumCount)
    private var end = 0

    /// No fields yet.
    public init() {}

    /// Appends a field.
    ///
    /// - Precondition: what is written stays within `SecretFields.maximumCount`.
    public mutating func write(_ tag: SecretFields.Tag, _ value: borrowing SecretBytes) {
        let start = end
        let count = value.count
        precondition(start + 3 + count <= SecretFields.maximumCount)
        bytes.withUnsafeMutableBytes { out in
            out[start] = tag.rawValue
            out[start + 1] = UInt8(count & 0xFF)
            out[start + 2] = UInt8(count >> 8)
            value.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: out[(start + 3)...]).copyMemory(from: $0)
            }
        }
        end = start + 3 + count
    }

    /// All fields.
    public consuming func finish() -> SecretBytes { bytes.prefix(end) }
}

/// What is wrong with the bytes of a pipe. It holds places and counts only.
public enum SecretFieldsError: Error, Hashable, Sendable {
    /// More bytes than a pipe carries.
    case tooLong(found: Int, allowed: Int)
    /// A tag without a meaning.
    case unknownTag(UInt8, position: Int)
    /// A field that is there twice.
    case repeated(SecretFields.Tag)
    /// The bytes end within a field.
    case truncated(position: Int)
}

extension SecretFieldsError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .tooLong(let found, let allowed):
            "\(found) bytes came through the pipe, at most \(allowed) are read"
        case .unknownTag(let tag, let position):
            "the pipe has a field of unknown kind \(tag) at byte \(position)"
        case .repeated(let tag): "the pipe has two fields of kind \(tag.rawValue)"
        case .truncated(let position): "the pipe ended within the field at byte \(position)"
        }
    }
}
