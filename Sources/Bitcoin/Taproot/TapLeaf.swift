import Hashing
public import Wire

/// The version of a taproot leaf (BIP341): even, and never what an annex starts with.
public struct LeafVersion: Hashable, Sendable {
    /// The byte, whose lowest bit is 0.
    public let rawValue: UInt8

    /// Nil for odd numbers and for 0x50, the start of an annex.
    public init?(rawValue: UInt8) {
        guard rawValue & 1 == 0, rawValue != 0x50 else { return nil }
        self.rawValue = rawValue
    }

    private init(unchecked rawValue: UInt8) { self.rawValue = rawValue }

    /// Tapscript (BIP342).
    public static let tapscript = LeafVersion(unchecked: 0xC0)
}

/// One script of a taproot tree.
public struct TapLeaf: Hashable, Sendable {
    /// How the script is to be read.
    public let version: LeafVersion
    /// The script.
    public let script: Script

    /// A leaf; a tapscript unless told otherwise.
    public init(_ script: Script, version: LeafVersion = .tapscript) {
        self.script = script
        self.version = version
    }

    private static let tag = TaggedHash(tag: "TapLeaf")

    /// The tagged hash that names the leaf.
    public var hash: Bytes32 {
        var writer = Writer(capacity: 1 + script.serializedSize)
        writer.write(version.rawValue)
        writer.writeVarBytes(script.bytes)
        return TapLeaf.tag.hash(writer.bytes)
    }
}

/// The branches of a taproot tree.
public enum TapBranch {
    private static let tag = TaggedHash(tag: "TapBranch")

    /// The tagged hash of two nodes; their order does not matter.
    public static func hash(_ one: Bytes32, _ other: Bytes32) -> Bytes32 {
        var hash = tag.hasher()
        hash.update(min(one, other))
        hash.update(max(one, other))
        return hash.finalize()
    }
}
