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
        bytes.append(opcode.rawValue)
        guard opcode <= .pushData4 else { return }
        switch opcode.lengthSize {
        case 1: bytes.append(UInt8(data.count))
        case 2: withUnsafeBytes(of: UInt16(data.count).littleEndian) { bytes += $0 }
        case 4: withUnsafeBytes(of: UInt32(data.count).littleEndian) { bytes += $0 }
        default: break
        }
        bytes.append(contentsOf: data)
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
