import Wire

/// What stands before the bytes of a part.
package struct BackupFrame {
    /// The longest frame.
    static let maximumLength = 26

    let part: BackupPart
    let length: UInt64

    package init(_ part: BackupPart, length: UInt64) {
        self.part = part
        self.length = length
    }

    /// The bytes before the part.
    package var bytes: [UInt8] {
        let key = part.key
        var writer = Writer(capacity: Self.maximumLength)
        writer.write(key[0])
        writer.write(UInt8(key.count - 1))
        writer.write(length)
        writer.write(key[1...])
        return writer.bytes
    }

    /// The bytes that a frame starting like this has; nil while that is not known.
    static func length(of start: [UInt8]) -> Int? {
        start.count < 2 ? nil : 10 + Int(start[1])
    }

    init(_ bytes: [UInt8]) throws(BackupError) {
        let length = bytes[2..<10].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let part = BackupPart(kind: bytes[0], name: Array(bytes[10...])) else {
            throw .unknownPart(kind: bytes[0])
        }
        guard part.lengths.contains(length) else { throw .length(part, found: length) }
        self.part = part
        self.length = length
    }
}
