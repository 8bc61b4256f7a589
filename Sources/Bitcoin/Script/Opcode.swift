/// One byte of a script that is no data: a push or an operation. Every byte is an opcode; those
/// without a meaning are too.
public struct Opcode: Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes the byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Pushes an empty array, the number 0.
    public static let zero = Opcode(rawValue: 0x00)
    /// Pushes as many bytes as the next byte says.
    public static let pushData1 = Opcode(rawValue: 0x4C)
    /// Pushes as many bytes as the next two bytes say.
    public static let pushData2 = Opcode(rawValue: 0x4D)
    /// Pushes as many bytes as the next four bytes say.
    public static let pushData4 = Opcode(rawValue: 0x4E)
    /// Pushes the number -1.
    public static let negativeOne = Opcode(rawValue: 0x4F)
    /// Fails when executed; counts as a push where only pushes are allowed.
    public static let reserved = Opcode(rawValue: 0x50)
    /// Pushes the number 1.
    public static let one = Opcode(rawValue: 0x51)
    /// Pushes the number 16.
    public static let sixteen = Opcode(rawValue: 0x60)

    /// Whether it only pushes (BIP16's definition, which includes OP_RESERVED).
    public var isPush: Bool { self <= .sixteen }

    /// The number that OP_0 and OP_1 to OP_16 push.
    public var smallNumber: Int? {
        switch rawValue {
        case 0: 0
        case 0x51...0x60: Int(rawValue) - 0x50
        default: nil
        }
    }

    /// Bytes of length that follow an OP_PUSHDATA; 0 for all others.
    var lengthSize: Int {
        switch self {
        case .pushData1: 1
        case .pushData2: 2
        case .pushData4: 4
        default: 0
        }
    }

    /// The opcode of the shortest push of `data`.
    static func minimalPush(of data: [UInt8]) -> Opcode {
        switch data.count {
        case 1 where (1...16).contains(data[0]): Opcode(rawValue: 0x50 + data[0])
        case 1 where data[0] == 0x81: .negativeOne
        case 0...75: Opcode(rawValue: UInt8(data.count))
        case 76...0xFF: .pushData1
        case 0x100...0xFFFF: .pushData2
        default: .pushData4
        }
    }
}

extension Opcode: Comparable {
    /// Orders by the byte.
    public static func < (left: Opcode, right: Opcode) -> Bool { left.rawValue < right.rawValue }
}
