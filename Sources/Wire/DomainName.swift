/// Names of servers that can be looked up: one rule for what a configuration may say and what is asked.
public enum DomainName {
    /// The most bytes of one.
    static let mostBytes = 200

    /// Whether a text is one: at least two parts of 1 to 63 letters, digits and hyphens, with dots between
    /// them; the last one of more than digits (that would be an address) and no overlay's.
    public static func isOne(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let last = parts.last, last.utf8.contains(where: { $0 > 0x39 }),
            !["onion", "i2p"].contains(last.lowercased()), text.utf8.count <= mostBytes
        else { return false }
        return parts.allSatisfy { part in
            (1...63).contains(part.utf8.count)
                && part.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x30...0x39).contains(byte) || byte == 0x2D
                }
        }
    }
}
