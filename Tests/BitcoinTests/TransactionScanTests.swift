import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Transactions read for one output")
struct TransactionScanTests {
    /// What both readers make of the same bytes.
    private func compare(_ bytes: [UInt8], output index: UInt32) -> Bool {
        let whole: Result<Transaction, TransactionError> = Result {
            () throws(TransactionError) in try Transaction(bytes)
        }
        let scan: Result<TransactionScan, TransactionError> = Result {
            () throws(TransactionError) in try TransactionScan(bytes, output: index)
        }
        switch (whole, scan) {
        case (.success(let whole), .success(let scan)):
            let place = Int(index)
            let output = whole.outputs.indices.contains(place) ? whole.outputs[place] : nil
            return scan.txid == whole.txid && scan.output == output
                && scan.outputCount == whole.outputs.count
        case (.failure(let one), .failure(let other)): return one == other
        default: return false
        }
    }

    @Test(
        "Name and outputs are those of the whole transaction, with witnesses and without",
        arguments: [Samples.legacy, Samples.segwit])
    func samples(hex: String) throws {
        let bytes = try Hex.decode(hex)
        let stripped = try Transaction(bytes).serialized(.withoutWitness)
        for index in [0, 1, 2, .max] as [UInt32] {
            #expect(compare(bytes, output: index))
            #expect(compare(stripped, output: index))
        }
        #expect(try TransactionScan(bytes, output: 1).output != nil)
        #expect(try TransactionScan(bytes, output: .max).output == nil)
    }

    @Test(
        "Each damaged transaction is refused as the whole one is, with the same error",
        arguments: [Samples.legacy, Samples.segwit])
    func damage(hex: String) throws {
        let bytes = try Hex.decode(hex)
        var refused = 0
        for count in 0..<bytes.count {
            let short = Array(bytes[..<count])
            #expect(compare(short, output: 0))
            refused += (try? TransactionScan(short, output: 0)) == nil ? 1 : 0
        }
        #expect(refused == bytes.count)
        #expect(compare(bytes + [0], output: 0))
        for place in bytes.indices {
            for value in [0, 1, 2, 0x50, 0xFD, 0xFE, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = value
                #expect(compare(changed, output: 0), "byte \(place) is \(value)")
            }
        }
    }

    @Test("Transactions without inputs, outputs or witnesses are taken or refused alike")
    func corners() {
        let corners: [[UInt8]] = [
            [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
            [2, 0, 0, 0, 0, 1, 1] + Array(repeating: 0, count: 46) + [0, 0, 0, 0],
            [2, 0, 0, 0, 0, 2, 0, 0],
            [2, 0, 0, 0, 0, 1, 1] + Array(repeating: 0, count: 41) + [0, 1, 1, 7, 0, 0, 0, 0],
        ]
        for bytes in corners { #expect(compare(bytes, output: 0), "\(bytes)") }
    }
}
