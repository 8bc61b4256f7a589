/// One step of a BIP32 derivation.
public struct ChildNumber: Hashable, Sendable, RawRepresentable {
    /// The index, with bit 31 set when hardened: as BIP32 and PSBT serialise it.
    public let rawValue: UInt32

    private static let hardenedBit: UInt32 = 1 << 31
    /// The highest index, 2^31 - 1.
    public static let maximumIndex = hardenedBit - 1

    /// Takes the serialised number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An unhardened step; nil when the index is 2^31 or more.
    public init?(_ index: UInt32) {
        guard index <= ChildNumber.maximumIndex else { return nil }
        rawValue = index
    }

    /// A hardened step; nil when the index is 2^31 or more.
    public init?(hardened index: UInt32) {
        guard index <= ChildNumber.maximumIndex else { return nil }
        rawValue = index | ChildNumber.hardenedBit
    }

    /// The index without the hardened bit.
    public var index: UInt32 { rawValue & ~ChildNumber.hardenedBit }

    /// Whether only the private key can take this step.
    public var isHardened: Bool { rawValue & ChildNumber.hardenedBit != 0 }
}

extension ChildNumber: Comparable {
    /// Orders unhardened before hardened, then by index.
    public static func < (left: ChildNumber, right: ChildNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension ChildNumber: CustomStringConvertible {
    /// The index, followed by `h` when hardened.
    public var description: String { isHardened ? "\(index)h" : "\(index)" }
}
