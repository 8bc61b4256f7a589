public import Bitcoin

extension PSBT {
    /// What concerns the whole transaction.
    public struct Global: Hashable, Sendable {
        var map: RecordMap

        init(_ map: RecordMap) throws(PSBTError) {
            self.map = map
            for record in map.records {
                guard let type = record.type, let field = GlobalField(rawValue: type) else {
                    continue
                }
                let problem: PSBTError.Problem? =
                    switch field {
                    case .extendedPublicKey: Global.problem(withExtendedPublicKey: record)
                    case .proprietary: FieldValues.proprietary(record.keyData)
                    default: nil
                    }
                if let problem {
                    throw PSBTError(.global, problem, field, at: record.key.startIndex)
                }
            }
        }

        /// Takes a map made of records that were checked before.
        init(unchecked map: RecordMap) { self.map = map }

        /// All records, in the order of the file.
        public var records: [Record] { map.records }

        /// Extended public keys with their origins (BIP174); hints, nothing more.
        public var extendedPublicKeys: [(key: ExtendedPublicKey, origin: KeyOrigin)] {
            map.all(GlobalField.extendedPublicKey).compactMap { record in
                guard let key = try? ExtendedPublicKey(serialized: Array(record.keyData)) else {
                    return nil
                }
                return (key, KeyOrigin(serialized: record.value))
            }
        }

        /// What may still be added or removed (BIP370); nil where the field is not there, which
        /// means nothing may.
        public internal(set) var modifiable: Modifiable? {
            get {
                map[GlobalField.modifiable]?.first.map(Modifiable.init(rawValue:))
            }
            set { map.set(GlobalField.modifiable, newValue.map { [$0.rawValue] }) }
        }

        /// The message that is signed in a PSBT of BIP322.
        public var signedMessage: [UInt8]? { map[GlobalField.signedMessage].map(Array.init) }

        /// Shared secrets and their proofs by the scan key of the receiver (BIP375).
        public var silentPaymentShares: [SilentPaymentShare] {
            SilentPaymentShare.pair(
                map.all(GlobalField.silentPaymentShare), map.all(GlobalField.silentPaymentProof))
        }

        private static func problem(
            withExtendedPublicKey record: Record
        ) -> PSBTError.Problem? {
            do throws(ExtendedKeyError) {
                let key = try ExtendedPublicKey(serialized: Array(record.keyData))
                let steps = record.value.count / 4 - 1
                return Int(key.depth) == steps
                    ? nil : .pathLength(found: steps, depth: Int(key.depth))
            } catch {
                return .extendedPublicKey(error)
            }
        }
    }

    /// The flags of PSBT_GLOBAL_TX_MODIFIABLE (BIP370). Bits without a meaning are kept.
    public struct Modifiable: OptionSet, Hashable, Sendable {
        /// The byte.
        public let rawValue: UInt8
        /// Takes the byte.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Inputs may be added and removed.
        public static let inputs = Modifiable(rawValue: 1)
        /// Outputs may be added and removed.
        public static let outputs = Modifiable(rawValue: 2)
        /// There is a signature with SIGHASH_SINGLE: inputs and outputs keep their pairs.
        public static let hasSingle = Modifiable(rawValue: 4)
    }
}
