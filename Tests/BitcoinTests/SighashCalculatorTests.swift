import Bitcoin
import Testing
import Wire

@Suite("Signature hashes: rules")
struct SighashCalculatorTests {
    let transaction: Transaction
    let calculator: SighashCalculator

    init() throws {
        let txid = try #require(Txid(String(repeating: "12", count: 32)))
        let output = TransactionOutput(
            value: try #require(Amount(sats: 50_000)), scriptPubKey: .p2tr(outputKey: .zero))
        transaction = Transaction(
            inputs: (0..<3).map { TransactionInput(outpoint: OutPoint(txid: txid, vout: $0)) },
            outputs: [output, output])
        calculator = SighashCalculator(transaction, spentOutputs: [output, nil, output])
    }

    @Test("An input that is not there has no hash")
    func noSuchInput() {
        for index in [-1, 3] {
            let error = SighashError.noSuchInput(index, count: 3)
            #expect(throws: error) {
                try calculator.legacy(input: index, scriptCode: .empty, type: .all)
            }
            #expect(throws: error) {
                try calculator.segwitV0(input: index, scriptCode: .empty, type: .all)
            }
            #expect(throws: error) { try calculator.taprootKeyPath(input: index) }
        }
    }

    @Test("Legacy SINGLE without an output beside the input hashes to the number 1")
    func singleBug() throws {
        let hash = try calculator.legacy(input: 2, scriptCode: .empty, type: .single)
        #expect(hash.array == [1] + [UInt8](repeating: 0, count: 31))
        #expect(throws: SighashError.noOutputForSingle(input: 2)) {
            try calculator.taprootKeyPath(input: 2, type: .single.anyoneCanPay)
        }
    }

    @Test("Unknown spent outputs matter exactly where they are committed to")
    func unknownSpentOutputs() throws {
        let unknown = SighashError.unknownSpentOutput(input: 1)
        _ = try calculator.legacy(input: 1, scriptCode: .empty, type: .all)
        #expect(throws: unknown) {
            try calculator.segwitV0(input: 1, scriptCode: .empty, type: .all)
        }
        _ = try calculator.segwitV0(input: 0, scriptCode: .empty, type: .all)
        #expect(throws: unknown) { try calculator.taprootKeyPath(input: 0) }
        #expect(throws: unknown) {
            try calculator.taprootKeyPath(input: 1, type: .all.anyoneCanPay)
        }
        _ = try calculator.taprootKeyPath(input: 0, type: .all.anyoneCanPay)
    }

    @Test("Taproot allows seven types and no other")
    func taprootTypes() {
        let allowed = (UInt32(0)...0x1FF).filter { SighashType(rawValue: $0).isValidForTaproot }
        #expect(allowed == [0, 1, 2, 3, 0x81, 0x82, 0x83])
        let type = SighashType(rawValue: 0x80)
        #expect(throws: SighashError.invalidTaprootType(type)) {
            try calculator.taprootKeyPath(input: 0, type: type)
        }
        #expect(SighashType.single.anyoneCanPay.description == "SINGLE|ANYONECANPAY")
        #expect(SighashType(rawValue: 0x80).description == "0x80")
    }

    @Test("Annex, leaf and code separator each change a taproot hash")
    func commitments() throws {
        let type = SighashType.all.anyoneCanPay
        var hashes: Set<Bytes32> = []
        for annex in [nil, [0x50], [0x50, 0]] as [[UInt8]?] {
            hashes.insert(try calculator.taprootKeyPath(input: 0, type: type, annex: annex))
            for position in [UInt32.max, 0] {
                hashes.insert(
                    try calculator.taprootScriptPath(
                        input: 0, leafHash: .zero, type: type, annex: annex,
                        codeSeparatorPosition: position))
            }
        }
        #expect(hashes.count == 9)
        #expect(throws: SighashError.invalidAnnex) {
            try calculator.taprootKeyPath(input: 0, type: type, annex: [])
        }
    }

    @Test("FindAndDelete removes whole pushes only, also repeated and at the end")
    func findAndDelete() throws {
        let script = Script([
            0x02, 0xAA, 0xBB, 0x03, 0x02, 0xAA, 0xBB, 0x02, 0xAA, 0xBB, 0x02, 0xAA, 0xBB,
        ])
        #expect(script.deleting(pushOf: [0xAA, 0xBB]).bytes == [0x03, 0x02, 0xAA, 0xBB])
        #expect(Script([0x51, 0x00, 0xAC]).deleting(pushOf: []).bytes == [0x51, 0xAC])
        #expect(Script([0x02, 0xAA]).deleting(pushOf: [0xAA]).bytes == [0x02, 0xAA])
        #expect(Script.empty.deleting(pushOf: [1]).isEmpty)
    }
}
