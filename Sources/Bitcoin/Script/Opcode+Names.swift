/// The operations that scripts of wallets are made of.
extension Opcode {
    /// OP_IF.
    public static let `if` = Opcode(rawValue: 0x63)
    /// OP_NOTIF.
    public static let notIf = Opcode(rawValue: 0x64)
    /// OP_ELSE.
    public static let `else` = Opcode(rawValue: 0x67)
    /// OP_ENDIF.
    public static let endIf = Opcode(rawValue: 0x68)
    /// OP_VERIFY.
    public static let verify = Opcode(rawValue: 0x69)
    /// OP_RETURN.
    public static let `return` = Opcode(rawValue: 0x6A)
    /// OP_TOALTSTACK.
    public static let toAltStack = Opcode(rawValue: 0x6B)
    /// OP_FROMALTSTACK.
    public static let fromAltStack = Opcode(rawValue: 0x6C)
    /// OP_IFDUP.
    public static let ifDup = Opcode(rawValue: 0x73)
    /// OP_DROP.
    public static let drop = Opcode(rawValue: 0x75)
    /// OP_DUP.
    public static let dup = Opcode(rawValue: 0x76)
    /// OP_SWAP.
    public static let swap = Opcode(rawValue: 0x7C)
    /// OP_SIZE.
    public static let size = Opcode(rawValue: 0x82)
    /// OP_EQUAL.
    public static let equal = Opcode(rawValue: 0x87)
    /// OP_EQUALVERIFY.
    public static let equalVerify = Opcode(rawValue: 0x88)
    /// OP_0NOTEQUAL.
    public static let zeroNotEqual = Opcode(rawValue: 0x92)
    /// OP_ADD.
    public static let add = Opcode(rawValue: 0x93)
    /// OP_BOOLAND.
    public static let boolAnd = Opcode(rawValue: 0x9A)
    /// OP_BOOLOR.
    public static let boolOr = Opcode(rawValue: 0x9B)
    /// OP_NUMEQUAL.
    public static let numEqual = Opcode(rawValue: 0x9C)
    /// OP_NUMEQUALVERIFY.
    public static let numEqualVerify = Opcode(rawValue: 0x9D)
    /// OP_WITHIN.
    public static let within = Opcode(rawValue: 0xA5)
    /// OP_RIPEMD160.
    public static let ripemd160 = Opcode(rawValue: 0xA6)
    /// OP_SHA256.
    public static let sha256 = Opcode(rawValue: 0xA8)
    /// OP_HASH160.
    public static let hash160 = Opcode(rawValue: 0xA9)
    /// OP_HASH256.
    public static let hash256 = Opcode(rawValue: 0xAA)
    /// OP_CODESEPARATOR.
    public static let codeSeparator = Opcode(rawValue: 0xAB)
    /// OP_CHECKSIG.
    public static let checkSig = Opcode(rawValue: 0xAC)
    /// OP_CHECKSIGVERIFY.
    public static let checkSigVerify = Opcode(rawValue: 0xAD)
    /// OP_CHECKMULTISIG.
    public static let checkMultiSig = Opcode(rawValue: 0xAE)
    /// OP_CHECKMULTISIGVERIFY.
    public static let checkMultiSigVerify = Opcode(rawValue: 0xAF)
    /// OP_CHECKLOCKTIMEVERIFY.
    public static let checkLockTimeVerify = Opcode(rawValue: 0xB1)
    /// OP_CHECKSEQUENCEVERIFY.
    public static let checkSequenceVerify = Opcode(rawValue: 0xB2)
    /// OP_CHECKSIGADD.
    public static let checkSigAdd = Opcode(rawValue: 0xBA)
}

extension Opcode: CustomStringConvertible {
    /// The name in the field, such as `OP_CHECKSIG`; direct pushes are `OP_PUSHBYTES_n`.
    public var description: String {
        switch rawValue {
        case 0x01...0x4B: "OP_PUSHBYTES_\(rawValue)"
        case 0x4C: "OP_PUSHDATA1"
        case 0x4D: "OP_PUSHDATA2"
        case 0x4E: "OP_PUSHDATA4"
        case 0x4F: "OP_1NEGATE"
        case 0x50: "OP_RESERVED"
        case 0x00, 0x51...0x60: "OP_\(smallNumber ?? 0)"
        case 0x61...0xBA: "OP_\(Opcode.names[Int(rawValue) - 0x61])"
        default: "OP_UNKNOWN_\(rawValue)"
        }
    }

    /// Names of the opcodes 0x61 to 0xBA.
    private static let names = [
        "NOP", "VER", "IF", "NOTIF", "VERIF", "VERNOTIF", "ELSE", "ENDIF", "VERIFY", "RETURN",
        "TOALTSTACK", "FROMALTSTACK", "2DROP", "2DUP", "3DUP", "2OVER", "2ROT", "2SWAP", "IFDUP",
        "DEPTH", "DROP", "DUP", "NIP", "OVER", "PICK", "ROLL", "ROT", "SWAP", "TUCK", "CAT",
        "SUBSTR", "LEFT", "RIGHT", "SIZE", "INVERT", "AND", "OR", "XOR", "EQUAL", "EQUALVERIFY",
        "RESERVED1", "RESERVED2", "1ADD", "1SUB", "2MUL", "2DIV", "NEGATE", "ABS", "NOT",
        "0NOTEQUAL", "ADD", "SUB", "MUL", "DIV", "MOD", "LSHIFT", "RSHIFT", "BOOLAND", "BOOLOR",
        "NUMEQUAL", "NUMEQUALVERIFY", "NUMNOTEQUAL", "LESSTHAN", "GREATERTHAN", "LESSTHANOREQUAL",
        "GREATERTHANOREQUAL", "MIN", "MAX", "WITHIN", "RIPEMD160", "SHA1", "SHA256", "HASH160",
        "HASH256", "CODESEPARATOR", "CHECKSIG", "CHECKSIGVERIFY", "CHECKMULTISIG",
        "CHECKMULTISIGVERIFY", "NOP1", "CHECKLOCKTIMEVERIFY", "CHECKSEQUENCEVERIFY", "NOP4",
        "NOP5", "NOP6", "NOP7", "NOP8", "NOP9", "NOP10", "CHECKSIGADD",
    ]
}
