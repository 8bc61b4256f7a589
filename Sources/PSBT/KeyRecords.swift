public import Bitcoin
public import Wire

extension PSBT {
    /// Where a public key of an ECDSA script comes from.
    public struct Derivation: Hashable, Sendable {
        /// 33 or 65 bytes.
        public let publicKey: [UInt8]
        /// The fingerprint of the master key and the path from there.
        public let origin: KeyOrigin

        /// Says where `publicKey` comes from.
        public init(publicKey: [UInt8], origin: KeyOrigin) {
            self.publicKey = publicKey
            self.origin = origin
        }

        init(_ record: Record) {
            publicKey = Array(record.keyData)
            origin = KeyOrigin(serialized: record.value)
        }

        func record(_ field: some Field) -> Record {
            Record(field, keyData: publicKey, value: origin.serialized)
        }
    }

    /// Where an x-only public key of a taproot output comes from (BIP371).
    public struct TaprootDerivation: Hashable, Sendable {
        /// The x coordinate.
        public let publicKey: Bytes32
        /// The leaves that have the key; none for the internal key.
        public let leafHashes: [Bytes32]
        /// The fingerprint of the master key and the path from there.
        public let origin: KeyOrigin

        /// Says where `publicKey` comes from and which leaves have it.
        public init(publicKey: Bytes32, leafHashes: [Bytes32], origin: KeyOrigin) {
            self.publicKey = publicKey
            self.leafHashes = leafHashes
            self.origin = origin
        }

        init?(_ record: Record) {
            guard let key = Bytes32(record.keyData) else { return nil }
            publicKey = key
            var reader = Reader(Array(record.value))
            guard let count = try? reader.readItemCount(minimumItemSize: 32) else { return nil }
            var hashes: [Bytes32] = []
            for _ in 0..<count {
                guard let hash = try? reader.readBytes32() else { return nil }
                hashes.append(hash)
            }
            leafHashes = hashes
            origin = KeyOrigin(serialized: reader.readRest()[...])
        }

        func record(_ field: some Field) -> Record {
            var writer = Writer()
            writer.writeCompactSize(leafHashes.count)
            for hash in leafHashes { writer.write(hash) }
            writer.write(origin.serialized)
            return Record(field, keyData: publicKey.array, value: writer.bytes)
        }
    }

    /// An ECDSA signature of an input.
    public struct PartialSignature: Hashable, Sendable {
        /// 33 or 65 bytes.
        public let publicKey: [UInt8]
        /// DER and the sighash byte.
        public let signature: [UInt8]
    }

    /// A Schnorr signature for one key in one leaf (BIP371).
    public struct TaprootScriptSignature: Hashable, Sendable {
        /// The key in the leaf script.
        public let publicKey: Bytes32
        /// The leaf.
        public let leafHash: Bytes32
        /// 64 bytes, or 65 with the sighash byte.
        public let signature: [UInt8]
    }

    /// A leaf script with what proves that it belongs to the output (BIP371).
    public struct TaprootLeafScript: Hashable, Sendable {
        /// Control byte, internal key and the hashes up to the root.
        public let controlBlock: [UInt8]
        /// The script.
        public let script: Script
        /// The leaf version, the same as in the control block.
        public let leafVersion: UInt8

        /// A leaf script with its control block.
        public init(controlBlock: [UInt8], script: Script, leafVersion: UInt8) {
            self.controlBlock = controlBlock
            self.script = script
            self.leafVersion = leafVersion
        }

        var record: Record {
            Record(
                InputField.taprootLeafScript, keyData: controlBlock,
                value: script.bytes + [leafVersion])
        }
    }

    /// The keys that a MuSig2 key was aggregated from, in their order (BIP373).
    public struct MuSig2Participants: Hashable, Sendable {
        /// 33 bytes.
        public let aggregateKey: [UInt8]
        /// 33 bytes each.
        public let participants: [[UInt8]]

        /// An aggregate key with its participants.
        public init(aggregateKey: [UInt8], participants: [[UInt8]]) {
            self.aggregateKey = aggregateKey
            self.participants = participants
        }

        init(_ record: Record) {
            aggregateKey = Array(record.keyData)
            let value = record.value
            participants = stride(from: value.startIndex, to: value.endIndex, by: 33).map {
                Array(value[$0..<$0 + 33])
            }
        }

        func record(_ field: some Field) -> Record {
            Record(field, keyData: aggregateKey, value: Array(participants.joined()))
        }
    }

    /// What one participant of MuSig2 gives: a public nonce of 66 bytes or a partial signature of 32
    /// bytes (BIP373).
    public struct MuSig2Contribution: Hashable, Sendable {
        /// The key of the participant, 33 bytes.
        public let participant: [UInt8]
        /// The aggregate key, 33 bytes.
        public let aggregateKey: [UInt8]
        /// The leaf, in script path spends.
        public let leafHash: Bytes32?
        /// The nonce or the partial signature.
        public let value: [UInt8]

        init(_ record: Record) {
            participant = Array(record.keyData.prefix(33))
            aggregateKey = Array(record.keyData.dropFirst(33).prefix(33))
            leafHash = Bytes32(record.keyData.dropFirst(66))
            value = Array(record.value)
        }
    }
}
