import Hashing
import Wire

/// The name of a transaction and one of its outputs, read without building the rest: previous
/// transactions are large, and nothing else of them proves an amount.
///
/// Takes and refuses exactly the bytes that `Transaction` does, with the same errors.
public struct TransactionScan: Hashable, Sendable {
    /// The hash of everything but the witnesses.
    public let txid: Txid
    /// How many outputs there are.
    public let outputCount: Int
    /// The output that was asked for; nil where there is none at its place.
    public let output: TransactionOutput?

    /// Reads a whole buffer, with or without witnesses.
    ///
    /// - Parameter index: the place of the output that is wanted.
    public init(_ bytes: [UInt8], output index: UInt32) throws(TransactionError) {
        var reader = Reader(bytes)
        var start = try wire { () throws(WireError) in try reader.skip(4).upperBound }
        var inputs = try TransactionScan.skipInputs(&reader)
        var isMarked = false
        if inputs == 0 {
            let position = reader.position
            let flag = try wire { () throws(WireError) in try reader.readUInt8() }
            guard flag <= 1 else { throw .unknownFlag(position: position, found: flag) }
            isMarked = flag == 1
            if isMarked {
                start = reader.position
                inputs = try TransactionScan.skipInputs(&reader)
            }
        }
        var outputs: (count: Int, wanted: TransactionOutput?) = (0, nil)
        if isMarked || inputs > 0 { outputs = try TransactionScan.scanOutputs(&reader, index) }
        let end = reader.position
        var hasWitness = false
        if isMarked {
            hasWitness = try wire { () throws(WireError) in
                try TransactionScan.skipWitnesses(&reader, of: inputs)
            }
        }
        let lockTime = try wire { () throws(WireError) in try reader.skip(4) }
        guard !isMarked || hasWitness else {
            throw .superfluousWitness(position: lockTime.lowerBound)
        }
        try wire { () throws(WireError) in try reader.finish() }
        (outputCount, output) = (outputs.count, outputs.wanted)
        txid = Txid(
            bytes.withUnsafeBytes { bytes in
                var hash = SHA256()
                for part in [0..<4, start..<end, lockTime] {
                    hash.update(UnsafeRawBufferPointer(rebasing: bytes[part]))
                }
                return hash.finalizeDouble()
            })
    }

    private static func skipInputs(_ reader: inout Reader) throws(TransactionError) -> Int {
        try wire { () throws(WireError) in
            let count = try reader.readItemCount(minimumItemSize: 41)
            for _ in 0..<count {
                _ = try reader.skip(32)
                _ = try reader.skip(4)
                _ = try reader.skipVarBytes()
                _ = try reader.skip(4)
            }
            return count
        }
    }

    private static func scanOutputs(
        _ reader: inout Reader, _ index: UInt32
    ) throws(TransactionError) -> (count: Int, wanted: TransactionOutput?) {
        let count = try wire { () throws(WireError) in
            try reader.readItemCount(minimumItemSize: 9)
        }
        var wanted: TransactionOutput?
        for place in 0..<count {
            guard UInt32(clamping: place) != index else {
                wanted = try TransactionOutput(from: &reader)
                continue
            }
            let start = reader.position
            let sats = try wire { () throws(WireError) in
                let sats = try reader.readInt64()
                _ = try reader.skipVarBytes()
                return sats
            }
            guard Amount(sats: sats) != nil else {
                throw .amountOutOfRange(position: start, found: sats)
            }
        }
        return (count, wanted)
    }

    /// Whether any of them has an item.
    private static func skipWitnesses(
        _ reader: inout Reader, of inputs: Int
    ) throws(WireError) -> Bool {
        var hasItem = false
        for _ in 0..<inputs {
            let count = try reader.readItemCount(minimumItemSize: 1)
            hasItem = hasItem || count > 0
            for _ in 0..<count { _ = try reader.skipVarBytes() }
        }
        return hasItem
    }
}
