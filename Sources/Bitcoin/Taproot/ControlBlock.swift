public import Curve
public import Wire

/// Proves in a witness that a leaf belongs to a taproot output (BIP341).
public struct ControlBlock: Hashable, Sendable {
    /// How the leaf's script is to be read.
    public let leafVersion: LeafVersion
    /// Whether the y coordinate of the output key is odd.
    public let outputKeyIsOdd: Bool
    /// The output key before its tweak.
    public let internalKey: XOnlyPublicKey
    /// The hashes beside the leaf's way to the root, lowest first; at most 128.
    public let merklePath: [Bytes32]

    /// Why bytes are no control block.
    public enum Failure: Error, Hashable, Sendable {
        /// 33 bytes and up to 128 times 32 more are possible.
        case wrongLength(Int)
        /// The first byte announces a leaf version that cannot be: 0x50 starts an annex.
        case invalidLeafVersion(UInt8)
        /// The internal key is no point of the curve.
        case internalKeyNotOnCurve
    }

    /// - Precondition: the path has at most 128 hashes.
    init(
        leafVersion: LeafVersion, outputKeyIsOdd: Bool, internalKey: XOnlyPublicKey,
        merklePath: [Bytes32]
    ) {
        precondition(merklePath.count <= TapTree.maximumDepth)
        self.leafVersion = leafVersion
        self.outputKeyIsOdd = outputKeyIsOdd
        self.internalKey = internalKey
        self.merklePath = merklePath
    }

    /// Reads the last item of a script path witness (annex removed).
    public init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count >= 33, (bytes.count - 33) % 32 == 0,
            (bytes.count - 33) / 32 <= TapTree.maximumDepth,
            let key = Bytes32(bytes[1..<33])
        else { throw .wrongLength(bytes.count) }
        guard let version = LeafVersion(rawValue: bytes[0] & 0xFE) else {
            throw .invalidLeafVersion(bytes[0] & 0xFE)
        }
        guard let internalKey = try? XOnlyPublicKey(key) else { throw .internalKeyNotOnCurve }
        leafVersion = version
        outputKeyIsOdd = bytes[0] & 1 == 1
        self.internalKey = internalKey
        merklePath = stride(from: 33, to: bytes.count, by: 32).compactMap {
            Bytes32(bytes[$0..<$0 + 32])
        }
    }

    /// The bytes as they stand in a witness.
    public var serialized: [UInt8] {
        var writer = Writer(capacity: 33 + 32 * merklePath.count)
        writer.write(leafVersion.rawValue | (outputKeyIsOdd ? 1 : 0))
        writer.write(internalKey.bytes)
        for hash in merklePath { writer.write(hash) }
        return writer.bytes
    }

    /// The root of the tree in which the leaf lies at the end of the path.
    public func merkleRoot(leafHash: Bytes32) -> Bytes32 {
        merklePath.reduce(leafHash) { TapBranch.hash($0, $1) }
    }

    /// Whether `script` belongs to the output with `outputKey`.
    public func proves(_ script: Script, in outputKey: Bytes32) -> Bool {
        let leaf = TapLeaf(script, version: leafVersion)
        let tweak = TaprootOutput.tweak(
            internalKey: internalKey, merkleRoot: merkleRoot(leafHash: leaf.hash))
        guard let output = try? internalKey.tweaked(by: tweak) else { return false }
        return output.key.bytes == outputKey && output.isOdd == outputKeyIsOdd
    }
}

extension ControlBlock.Failure: CustomStringConvertible {
    /// One sentence: what, found, allowed.
    public var description: String {
        switch self {
        case .wrongLength(let count):
            "a control block of \(count) bytes, 33 and up to 128 times 32 more are possible"
        case .invalidLeafVersion(let version):
            "leaf version 0x\(String(version, radix: 16)) is not possible"
        case .internalKeyNotOnCurve: "the internal key in the control block is not on the curve"
        }
    }
}
