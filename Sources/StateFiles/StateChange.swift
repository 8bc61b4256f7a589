public import Wire

/// One change of the signer's files; several make one transaction.
public enum StateChange: Hashable, Sendable {
    /// The file has these bytes from now on.
    case put(StateFile, [UInt8])
    /// The file is gone from now on; one that is not there stays so.
    case remove(StateFile)
    /// These bytes follow the first `at` bytes of the file, which has at least as many.
    case append(StateFile, at: UInt64, [UInt8])
    /// What was staged for this file, or the new key, is the file from now on.
    case adopt(StateFile)
    /// The other file has the content of this one from now on.
    case copy(StateFile, to: StateFile)

    /// The file that is changed.
    public var file: StateFile {
        switch self {
        case .put(let file, _), .remove(let file), .append(let file, _, _), .adopt(let file),
            .copy(_, let file):
            file
        }
    }
}

extension StateChange {
    /// Reads one change.
    public init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let tag = try reader.readUInt8()
        let file = try StateFile(from: &reader)
        switch tag {
        case 1: self = .put(file, try StateChange.bytes(&reader))
        case 2: self = .remove(file)
        case 3: self = .append(file, at: try reader.readUInt64(), try StateChange.bytes(&reader))
        case 4: self = .adopt(file)
        case 5: self = .copy(file, to: try StateFile(from: &reader))
        default: throw .unknownValue(position: start, found: UInt64(tag))
        }
    }

    private static func bytes(_ reader: inout Reader) throws(WireError) -> [UInt8] {
        try reader.read(Int(try reader.readUInt32()))
    }

    /// Appends one change.
    public func encode(into writer: inout Writer) {
        switch self {
        case .put(let file, let bytes):
            writer.write(UInt8(1))
            file.encode(into: &writer)
            writer.write(UInt32(bytes.count))
            writer.write(bytes)
        case .remove(let file):
            writer.write(UInt8(2))
            file.encode(into: &writer)
        case .append(let file, let offset, let bytes):
            writer.write(UInt8(3))
            file.encode(into: &writer)
            writer.write(offset)
            writer.write(UInt32(bytes.count))
            writer.write(bytes)
        case .adopt(let file):
            writer.write(UInt8(4))
            file.encode(into: &writer)
        case .copy(let file, let target):
            writer.write(UInt8(5))
            file.encode(into: &writer)
            target.encode(into: &writer)
        }
    }
}

extension StateFile {
    /// Reads a path: its length (1 byte) and its characters.
    public init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let count = try reader.readUInt8()
        let path = String(decoding: try reader.read(Int(count)), as: UTF8.self)
        guard let file = StateFile(path: path) else {
            throw .unknownValue(position: start, found: UInt64(count))
        }
        self = file
    }

    /// Appends the path.
    public func encode(into writer: inout Writer) {
        let characters = Array(path.utf8)
        writer.write(UInt8(characters.count))
        writer.write(characters)
    }
}
