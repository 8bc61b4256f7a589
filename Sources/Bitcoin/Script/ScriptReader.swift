import Wire

/// One opcode of a script with what it pushes.
public struct ScriptInstruction: Hashable, Sendable {
    /// The opcode.
    public let opcode: Opcode
    /// The bytes that follow a direct push or OP_PUSHDATA, within the script; empty for all others.
    public let data: ArraySlice<UInt8>
    /// Where the opcode stands in the script.
    public let offset: Int

    /// What lands on the stack: the data, or the number of OP_0, OP_1NEGATE and OP_1 to OP_16.
    /// Nil for opcodes that push nothing by themselves.
    public var pushed: [UInt8]? {
        switch opcode.rawValue {
        case 0...Opcode.pushData4.rawValue: Array(data)
        case Opcode.negativeOne.rawValue: [0x81]
        case Opcode.one.rawValue...Opcode.sixteen.rawValue: [opcode.rawValue - 0x50]
        default: nil
        }
    }

    /// Whether no shorter instruction pushes the same.
    public var isMinimalPush: Bool {
        guard opcode <= .pushData4 else { return opcode.isPush }
        return Opcode.minimalPush(of: Array(data)) == opcode
    }

    /// The number that a minimal push leaves on the stack; nil if it is not minimal or above 4 bytes.
    public var number: Int64? {
        guard isMinimalPush, let pushed else { return nil }
        return ScriptNumber.decode(pushed, maximumSize: 4)
    }
}

extension ScriptInstruction: CustomStringConvertible {
    /// The pushed data in hexadecimal, or the name of the opcode.
    public var description: String { data.isEmpty ? opcode.description : Hex.encode(data) }
}

/// Why a script cannot be read to its end.
public enum ScriptError: Error, Hashable, Sendable {
    /// A push announces more bytes than follow it.
    case truncatedPush(offset: Int, needed: Int, available: Int)
}

extension ScriptError: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .truncatedPush(let offset, let needed, let available):
            "push at byte \(offset) of the script needs \(needed) bytes, \(available) follow"
        }
    }
}

/// Goes through the instructions of a script, one by one, without copying what they push.
public struct ScriptReader: Sendable {
    private let bytes: [UInt8]
    /// Where the next instruction starts.
    public private(set) var offset: Int

    /// Starts at the first byte, or at the instruction that starts at `offset`.
    public init(_ script: Script, offset: Int = 0) {
        bytes = script.bytes
        self.offset = offset
    }

    /// The next instruction; nil at the end. After an error the reader stays where it is.
    public mutating func next() throws(ScriptError) -> ScriptInstruction? {
        guard offset < bytes.count else { return nil }
        let opcode = Opcode(rawValue: bytes[offset])
        let lengthSize = opcode.lengthSize
        let dataStart = offset + 1 + lengthSize
        guard dataStart <= bytes.count else {
            throw .truncatedPush(
                offset: offset, needed: lengthSize, available: bytes.count - offset - 1)
        }
        var length = opcode < .pushData1 ? Int(opcode.rawValue) : 0
        for byte in bytes[offset + 1..<dataStart].reversed() { length = length << 8 | Int(byte) }
        guard length <= bytes.count - dataStart else {
            throw .truncatedPush(
                offset: offset, needed: length, available: bytes.count - dataStart)
        }
        defer { offset = dataStart + length }
        return ScriptInstruction(
            opcode: opcode, data: bytes[dataStart..<dataStart + length], offset: offset)
    }
}

extension Script {
    /// All instructions.
    public func instructions() throws(ScriptError) -> [ScriptInstruction] {
        var reader = ScriptReader(self)
        var instructions: [ScriptInstruction] = []
        while let instruction = try reader.next() { instructions.append(instruction) }
        return instructions
    }
}
