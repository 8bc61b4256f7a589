/// Finds the dynamic loader that a program names.
enum ElfInterpreter {
    /// How much of a program's start is read.
    static let headLength = 65_536

    /// The path in the program header PT_INTERP of a 64-bit little-endian program; nil if it has none
    /// in the bytes given, so if it is linked statically or is no program.
    static func path(inHead bytes: [UInt8]) -> String? {
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]),
            let table = number(bytes, at: 0x20, 8), let size = number(bytes, at: 0x36, 2),
            let count = number(bytes, at: 0x38, 2)
        else { return nil }
        for index in 0..<count {
            let (header, overflow) = table.addingReportingOverflow(index * size)
            guard !overflow, let type = number(bytes, at: header, 4) else { return nil }
            guard type == 3 else { continue }
            guard let start = number(bytes, at: header + 8, 8),
                let length = number(bytes, at: header + 32, 8),
                length > 1, length <= 256, start < bytes.count, length <= bytes.count - start
            else { return nil }
            return String(decoding: bytes[start..<(start + length - 1)], as: UTF8.self)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], at offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - width else { return nil }
        let value = (0..<width).reversed().reduce(UInt64(0)) {
            $0 << 8 | UInt64(bytes[offset + $1])
        }
        return Int(exactly: value)
    }
}
