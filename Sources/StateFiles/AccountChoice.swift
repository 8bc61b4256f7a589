/// A wallet's account with addresses of one key each.
public enum AccountChoice: UInt8, CaseIterable, Hashable, Sendable {
    /// BIP84.
    case nativeSegwit = 1
    /// BIP86.
    case taproot = 2
    /// BIP49.
    case nestedSegwit = 3
    /// BIP44.
    case legacy = 4
}
