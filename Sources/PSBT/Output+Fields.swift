public import Bitcoin
public import Wire

extension PSBT.Output {
    /// The script whose hash P2SH pays to.
    public var redeemScript: Script? { map.script(OutputField.redeemScript) }
    /// The script whose hash P2WSH pays to.
    public var witnessScript: Script? { map.script(OutputField.witnessScript) }
    /// Where the public keys come from, as somebody claims.
    public var derivations: [PSBT.Derivation] {
        map.all(OutputField.derivation).map(PSBT.Derivation.init)
    }
    /// The key that the output key is a tweak of.
    public var taprootInternalKey: Bytes32? {
        map[OutputField.taprootInternalKey].flatMap { Bytes32($0) }
    }
    /// The leaves in depth-first order.
    public var taprootTree: [PSBT.TreeLeaf] {
        map[OutputField.taprootTree].map(PSBT.TreeLeaf.leaves) ?? []
    }
    /// Where x-only keys come from, as somebody claims.
    public var taprootDerivations: [PSBT.TaprootDerivation] {
        map.all(OutputField.taprootDerivation).compactMap(PSBT.TaprootDerivation.init)
    }
    /// Aggregate keys and who they are made of.
    public var musigParticipants: [PSBT.MuSig2Participants] {
        map.all(OutputField.musigParticipants).map(PSBT.MuSig2Participants.init)
    }
    /// The silent payment address that the output pays to.
    public var silentPaymentAddress: PSBT.SilentPaymentAddress? {
        map[OutputField.silentPaymentAddress].map {
            PSBT.SilentPaymentAddress(
                scanKey: Array($0.prefix(33)), spendKey: Array($0.suffix(33)))
        }
    }
    /// The label with which the spend key was tweaked.
    public var silentPaymentLabel: UInt32? {
        map[OutputField.silentPaymentLabel]?.littleEndian()
    }
    /// A human-readable name and the proof of its payment instructions (BIP353), not verified.
    public var dnssecProof: (name: [UInt8], proof: [UInt8])? {
        map[OutputField.dnssecProof].map { value in
            let length = Int(value.first ?? 0)
            return (Array(value.dropFirst().prefix(length)), Array(value.dropFirst(length + 1)))
        }
    }
}

extension PSBT {
    /// One leaf of PSBT_OUT_TAP_TREE (BIP371).
    public struct TreeLeaf: Hashable, Sendable {
        /// How many steps below the root.
        public let depth: Int
        /// The leaf version.
        public let leafVersion: UInt8
        /// The script.
        public let script: Script

        /// A leaf at a depth.
        public init(depth: Int, leafVersion: UInt8, script: Script) {
            self.depth = depth
            self.leafVersion = leafVersion
            self.script = script
        }

        /// Reads a tree whose shape was checked before.
        static func leaves(_ value: ArraySlice<UInt8>) -> [TreeLeaf] {
            var reader = Reader(Array(value))
            var leaves: [TreeLeaf] = []
            while !reader.isAtEnd {
                guard let depth = try? reader.readUInt8(), let version = try? reader.readUInt8(),
                    let script = try? reader.readVarBytes()
                else { return leaves }
                leaves.append(
                    TreeLeaf(depth: Int(depth), leafVersion: version, script: Script(script)))
            }
            return leaves
        }

        static func serialized(_ leaves: [TreeLeaf]) -> [UInt8] {
            var writer = Writer()
            for leaf in leaves {
                writer.write(UInt8(clamping: leaf.depth))
                writer.write(leaf.leafVersion)
                writer.writeVarBytes(leaf.script.bytes)
            }
            return writer.bytes
        }
    }
}
