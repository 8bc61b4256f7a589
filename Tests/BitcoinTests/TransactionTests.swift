import Bitcoin
import Testing
import Wire

@Suite("Transactions")
struct TransactionTests {
    @Test("A transaction from before segwit reads, names itself and writes back")
    func legacy() throws {
        let bytes = try Hex.decode(Samples.legacy)
        let transaction = try Transaction(bytes)
        #expect(transaction.serialized() == bytes)
        #expect(
            transaction.txid.description
                == "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16")
        #expect(transaction.wtxid.bytes == transaction.txid.bytes)
        #expect(transaction.outputs.map(\.value.sats) == [1_000_000_000, 4_000_000_000])
        #expect(transaction.weight == bytes.count * 4)
        #expect(transaction.vsize == bytes.count)
    }

    @Test("A transaction with witnesses reads, names itself and writes back")
    func segwit() throws {
        let bytes = try Hex.decode(Samples.segwit)
        let transaction = try Transaction(bytes)
        #expect(transaction.serialized() == bytes)
        #expect(
            transaction.txid.description
                == "e8151a2af31c368a35053ddd4bdb285a8595c769a3ad83e0fa02314a602d4609")
        #expect(transaction.inputs.map(\.witness.items.count) == [0, 2])
        #expect(transaction.totalSize == bytes.count)
        #expect(transaction.baseSize == transaction.withoutWitness.serialized().count)
        #expect(transaction.weight == 3 * transaction.baseSize + bytes.count)
        #expect(transaction.wtxid.bytes != transaction.txid.bytes)
    }

    @Test("Row 65: the txid ignores witnesses, so a previous transaction proves itself either way")
    func txidIgnoresWitnesses() throws {
        let transaction = try Transaction(try Hex.decode(Samples.segwit))
        let stripped = try Transaction(transaction.serialized(.withoutWitness))
        #expect(stripped == transaction.withoutWitness)
        #expect(stripped.txid == transaction.txid)
        #expect(stripped.wtxid != transaction.wtxid)
    }

    @Test(
        "Every shortened or lengthened transaction is refused",
        arguments: [Samples.legacy, Samples.segwit])
    func wrongLength(hex: String) throws {
        let bytes = try Hex.decode(hex)
        for count in 0..<bytes.count {
            #expect(throws: TransactionError.self) { try Transaction(Array(bytes[..<count])) }
        }
        #expect(
            throws: TransactionError.wire(.trailingBytes(position: bytes.count, count: 1))
        ) { try Transaction(bytes + [0]) }
    }

    @Test("Counts that the bytes cannot hold are refused before memory is taken")
    func hostileCounts() throws {
        let inputs: [UInt8] = [2, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0]
        #expect(
            throws: TransactionError.wire(
                .tooLarge(position: 4, found: 0x7FFF_FFFF, allowed: 0))
        ) { try Transaction(inputs) }
    }

    @Test("A witness flag other than 1, and witnesses that are all empty, are refused")
    func flags() throws {
        var bytes = try Hex.decode(Samples.segwit)
        bytes[5] = 2
        #expect(throws: TransactionError.unknownFlag(position: 5, found: 2)) {
            try Transaction(bytes)
        }
        let plain = try Transaction(try Hex.decode(Samples.legacy)).serialized()
        let marked = plain[..<4] + [0, 1] + plain[4..<plain.count - 4] + [0] + plain.suffix(4)
        #expect(throws: TransactionError.superfluousWitness(position: plain.count + 3 - 4)) {
            try Transaction(Array(marked))
        }
    }

    @Test("No inputs: readable without witnesses, as in a PSBT; both empty: readable both ways")
    func noInputs() throws {
        let output = TransactionOutput(value: .zero, scriptPubKey: .p2a)
        let transaction = Transaction(inputs: [], outputs: [output])
        let bytes = transaction.serialized()
        #expect(try Transaction(bytes, format: .withoutWitness) == transaction)
        #expect(throws: TransactionError.self) { try Transaction(bytes) }
        let empty = Transaction(inputs: [], outputs: [])
        #expect(try Transaction(empty.serialized()) == empty)
    }

    @Test("Amounts outside 0 to 21 million BTC are refused where they stand")
    func amounts() throws {
        let output = TransactionOutput(value: .max, scriptPubKey: .p2a)
        var bytes = output.serialized
        #expect(try TransactionOutput(bytes) == output)
        bytes[0] += 1
        #expect(
            throws: TransactionError.amountOutOfRange(position: 0, found: 2_100_000_000_000_001)
        ) { try TransactionOutput(bytes) }
        bytes.replaceSubrange(0..<8, with: [UInt8](repeating: 0xFF, count: 8))
        #expect(throws: TransactionError.amountOutOfRange(position: 0, found: -1)) {
            try TransactionOutput(bytes)
        }
    }
}
