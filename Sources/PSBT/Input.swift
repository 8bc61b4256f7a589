public import Bitcoin
import Wire

extension PSBT {
    /// One input: what it spends, and what is needed to sign it.
    public struct Input: Hashable, Sendable {
        /// The output that an input spends, as far as it is known.
        public enum UTXO: Hashable, Sendable {
            /// From the full previous transaction, whose hash is the txid that is spent.
            case proven(TransactionOutput)
            /// From PSBT_IN_WITNESS_UTXO alone: nothing but somebody's word.
            case claimed(TransactionOutput)
            /// Neither is there.
            case missing

            /// The output, proven or not.
            public var output: TransactionOutput? {
                switch self {
                case .proven(let output), .claimed(let output): output
                case .missing: nil
                }
            }
        }

        var map: RecordMap
        /// The output that is spent.
        public let outpoint: OutPoint
        /// The sequence number.
        public let sequence: SequenceNumber
        /// Amount and script of the output that is spent. Where both fields are there, they agree.
        public internal(set) var utxo: UTXO

        init(
            _ map: RecordMap, outpoint: OutPoint, sequence: SequenceNumber, at place: Place
        ) throws(PSBTError) {
            for record in map.records {
                guard let type = record.type, let field = InputField(rawValue: type),
                    let problem = field.problem(with: record)
                else { continue }
                throw PSBTError(place, problem, field, at: record.key.startIndex)
            }
            self.map = map
            self.outpoint = outpoint
            self.sequence = sequence
            utxo = try Input.utxo(map, outpoint: outpoint, at: place)
        }

        /// Takes a map without any UTXO, made of records that were checked before.
        init(unchecked map: RecordMap, outpoint: OutPoint, sequence: SequenceNumber) {
            self.map = map
            self.outpoint = outpoint
            self.sequence = sequence
            utxo = .missing
        }

        init(version2 map: RecordMap, at place: Place) throws(PSBTError) {
            try map.checkVersion(.v2, at: place, rules: InputField.rules)
            guard let txid = map[InputField.previousTxid].flatMap({ Bytes32($0) }) else {
                throw PSBTError(place, .missing, InputField.previousTxid)
            }
            guard let vout = map[InputField.outputIndex] else {
                throw PSBTError(place, .missing, InputField.outputIndex)
            }
            let sequence: UInt32 = map[InputField.sequence]?.littleEndian() ?? .max
            try self.init(
                map, outpoint: OutPoint(txid: Txid(txid), vout: vout.littleEndian()),
                sequence: SequenceNumber(rawValue: sequence), at: place)
        }

        /// All records, in the order of the file.
        public var records: [Record] { map.records }

        /// The full previous transaction.
        public var previousTransaction: Transaction? {
            map[InputField.nonWitnessUTXO].flatMap { try? Transaction(Array($0)) }
        }

        /// The output that the fields of the map show, after the previous transaction was compared
        /// with the outpoint and with the other field.
        static func utxo(
            _ map: RecordMap, outpoint: OutPoint, at place: Place
        ) throws(PSBTError) -> UTXO {
            let claimed = map[InputField.witnessUTXO].flatMap { try? TransactionOutput(Array($0)) }
            guard let bytes = map[InputField.nonWitnessUTXO] else {
                return claimed.map(UTXO.claimed) ?? .missing
            }
            let position = bytes.startIndex
            let proven = try provenOutput(Array(bytes), outpoint: outpoint, at: place, position)
            if let claimed, claimed != proven {
                throw PSBTError(
                    place, .utxosDisagree(claimed: claimed, proven: proven),
                    InputField.witnessUTXO, at: map[InputField.witnessUTXO]?.startIndex)
            }
            return .proven(proven)
        }

        private static func provenOutput(
            _ bytes: [UInt8], outpoint: OutPoint, at place: Place, _ position: Int
        ) throws(PSBTError) -> TransactionOutput {
            let field = InputField.nonWitnessUTXO
            let scan: TransactionScan
            do throws(TransactionError) {
                scan = try TransactionScan(bytes, output: outpoint.vout)
            } catch {
                throw PSBTError(place, .transaction(error), field, at: position)
            }
            guard scan.txid == outpoint.txid else {
                throw PSBTError(
                    place, .otherPreviousTransaction(found: scan.txid, spent: outpoint.txid), field,
                    at: position)
            }
            guard let output = scan.output else {
                throw PSBTError(
                    place, .noSuchOutput(index: outpoint.vout, count: scan.outputCount), field,
                    at: position)
            }
            return output
        }
    }
}
