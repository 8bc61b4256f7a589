/// Numbers on the script stack: little-endian, the sign in the highest bit, zero is empty.
public enum ScriptNumber {
    /// The shortest form.
    public static func encode(_ value: Int64) -> [UInt8] {
        var magnitude = value.magnitude
        var bytes: [UInt8] = []
        while magnitude > 0 {
            bytes.append(UInt8(truncatingIfNeeded: magnitude))
            magnitude >>= 8
        }
        guard let last = bytes.last else { return [] }
        if last & 0x80 != 0 {
            bytes.append(value < 0 ? 0x80 : 0)
        } else if value < 0 {
            bytes[bytes.count - 1] = last | 0x80
        }
        return bytes
    }

    /// The value; nil if the form is not the shortest, or longer than `maximumSize` (4 for
    /// arithmetic, 5 for OP_CHECKLOCKTIMEVERIFY and OP_CHECKSEQUENCEVERIFY).
    public static func decode(_ bytes: [UInt8], maximumSize: Int) -> Int64? {
        guard let last = bytes.last else { return 0 }
        guard bytes.count <= min(maximumSize, 8) else { return nil }
        if last & 0x7F == 0 {
            // A byte for the sign alone is needed only where the one before uses its highest bit.
            guard bytes.count > 1, bytes[bytes.count - 2] & 0x80 != 0 else { return nil }
        }
        var magnitude = UInt64(last & 0x7F)
        for byte in bytes.dropLast().reversed() { magnitude = magnitude << 8 | UInt64(byte) }
        return last & 0x80 == 0 ? Int64(magnitude) : -Int64(magnitude)
    }
}
