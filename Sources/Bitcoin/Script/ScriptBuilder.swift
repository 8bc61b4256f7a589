public import Wire

/// Composes a script. Every push is the shortest there is.
public struct ScriptBuilder: Sendable {
    private var bytes: [UInt8] = []

    /// An empty script.
    public init() {}

    /// What was composed so far.
    public var script: Script { Script(bytes) }

    /// Appends an opcode that has no data.
    ///
    /// - Precondition: it is no direct push and no OP_PUSHDATA.
    public mutating func append(_ opcode: Opcode) {
        precondition(opcode == .zero || opcode > .pushData4, "pushes need their data")
        bytes.append(opcode.rawValue)
    }

    /// Appends another script as it is.
    public mutating func append(_ script: Script) { bytes.append(contentsOf: script.bytes) }

    /// Pushes data.
    public mutating func push(_ data: [UInt8]) {
        let opcode = Opcode.minimalPush(of: data)
        if opcode > .pushData4 { append(opcode) } else { pushDirectly(data) }
    }

    /// Pushes data with its length, also where OP_1 to OP_16 or OP_1NEGATE would be shorter.
    mutating func pushDirectly(_ data: [UInt8]) {
        switch data.count {
        case 0...75: bytes.append(UInt8(data.count))
        case 76...0xFF: bytes += [Opcode.pushData1.rawValue, UInt8(data.count)]
        case 0x100...0xFFFF:
            bytes.append(Opcode.pushData2.rawValue)
            withUnsafeBytes(of: UInt16(data.count).littleEndian) { bytes += $0 }
        default:
            bytes.append(Opcode.pushData4.rawValue)
            withUnsafeBytes(of: UInt32(data.count).littleEndian) { bytes += $0 }
        }
        bytes += data
    }

    /// Pushes 32 bytes.
    public mutating func push(_ data: Bytes32) { push(data.array) }

    /// Pushes 20 bytes.
    public mutating func push(_ data: Bytes20) { push(data.array) }

    /// Pushes a number in its shortest form.
    public mutating func push(number: Int64) { push(ScriptNumber.encode(number)) }
}

extension Script {
    /// Composes a script.
    public static func build(_ compose: (inout ScriptBuilder) -> Void) -> Script {
        var builder = ScriptBuilder()
        compose(&builder)
        return builder.script
    }
}
