import Wire

/// A script as its bytes. Nothing about them is checked: outputs may carry any.
public struct Script: Hashable, Sendable {
    /// The bytes as they stand in a transaction.
    public let bytes: [UInt8]

    /// Takes the bytes as they are.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// No bytes.
    public static let empty = Script([])

    /// Consensus refuses longer scripts (outside tapscript).
    public static let maximumSize = 10_000

    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Whether nothing can ever spend it: it starts with OP_RETURN or is too long.
    public var isUnspendable: Bool {
        bytes.first == Opcode.return.rawValue || bytes.count > Script.maximumSize
    }

    /// Bytes with the length in front.
    public var serializedSize: Int { compactSizeLength(bytes.count) + bytes.count }

    /// Version and program, if it is a witness program (BIP141): one small number and one push of
    /// 2 to 40 bytes.
    public var witnessProgram: (version: Int, program: ArraySlice<UInt8>)? {
        guard (4...42).contains(bytes.count), Int(bytes[1]) == bytes.count - 2,
            let version = Opcode(rawValue: bytes[0]).smallNumber
        else { return nil }
        return (version, bytes[2...])
    }

    /// Whether it does nothing but push.
    public var isPushOnly: Bool {
        guard let instructions = try? instructions() else { return false }
        return instructions.allSatisfy { $0.opcode.isPush }
    }
}

extension Script: CustomStringConvertible {
    /// Opcodes by name and pushed data in hexadecimal; `[error]` where a push breaks off.
    public var description: String {
        var words: [String] = []
        var reader = ScriptReader(self)
        do throws(ScriptError) {
            while let instruction = try reader.next() { words.append(instruction.description) }
        } catch {
            words.append("[error]")
        }
        return words.joined(separator: " ")
    }
}
