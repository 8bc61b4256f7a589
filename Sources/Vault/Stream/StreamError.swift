/// What is wrong with a sealed stream. Chunks are counted from 0.
public enum StreamError: Error, Hashable, Sendable {
    /// The file does not start as a sealed stream does.
    case notAStream
    /// A newer version of Bulkhead wrote it.
    case unknownVersion(UInt16)
    /// It belongs to another vault, or is another item or kind than was asked for.
    case anotherStream
    /// The secret key is that of another vault.
    case wrongSecretKey
    /// The file ends before its last chunk.
    case truncated(chunk: UInt64)
    /// A chunk was changed, moved, taken out, put in or cut, or the key is another one.
    case damaged(chunk: UInt64)
    /// An authentic chunk that no writer of this format makes.
    case malformed(chunk: UInt64)
    /// More bytes than a stream may have.
    case tooLong
}

extension StreamError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .notAStream: "the file is no sealed item and no backup, or its start is damaged"
        case .unknownVersion(let version):
            "the file has format version \(version), which a newer Bulkhead wrote; this one reads "
                + "up to version \(StreamHeader.version)"
        case .anotherStream: "the file belongs to another vault or is another item"
        case .wrongSecretKey: "the secret key belongs to another vault than the backup"
        case .truncated(let chunk):
            "the file is cut off in or after its part \(chunk + 1); copy it again from where it is whole"
        case .damaged(let chunk):
            "part \(chunk + 1) of the file (64 KiB each) is damaged, or the key is another one"
        case .malformed(let chunk): "part \(chunk + 1) of the file breaks the rules of the format"
        case .tooLong: "the file is longer than any item or backup may be"
        }
    }
}
