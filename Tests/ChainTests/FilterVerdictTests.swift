import Bitcoin
import Hashing
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("What a block proves of a filter")
struct FilterVerdictTests {
    /// The recorded chain with the scripts that its blocks spend.
    private func spendingBlocks() throws -> [(record: TestChain.Record, known: [OutPoint: Script])]
    {
        var outputs: [OutPoint: Script] = [:]
        var found: [(TestChain.Record, [OutPoint: Script])] = []
        for record in try TestChain.records() {
            let inputs = record.block.transactions.dropFirst().flatMap(\.inputs)
            if !inputs.isEmpty {
                var known: [OutPoint: Script] = [:]
                for input in inputs { known[input.outpoint] = outputs[input.outpoint] }
                found.append((record, known))
            }
            for transaction in record.block.transactions {
                let txid = transaction.txid
                for (vout, output) in transaction.outputs.enumerated() {
                    outputs[OutPoint(txid: txid, vout: UInt32(vout))] = output.scriptPubKey
                }
            }
        }
        return found
    }

    @Test("The true filter is proven where everything is known, and never refuted")
    func honest() throws {
        let blocks = try spendingBlocks()
        #expect(blocks.count == 60)
        var undecided = 0
        for (record, known) in blocks {
            #expect(record.block.judge(filter: record.filter, known: known) == .proven)
            let verdict = record.block.judge(filter: record.filter)
            if verdict == .undecided { undecided += 1 } else { #expect(verdict == .proven) }
        }
        #expect(undecided > 0)
        // A block that spends nothing proves its filter by itself.
        let plain = try TestChain.records()[500]
        #expect(plain.block.judge(filter: plain.filter) == .proven)
    }

    @Test("The real filters of BIP158 are not refuted by their blocks")
    func bip158() throws {
        let rows = try Fixture.json("filters/bip158.json").array
        var reader = Reader(try Fixture.bytes("blocks/testnet3.bin"))
        _ = try reader.read(Int(reader.readUInt32()))
        var proven = 0
        for row in rows {
            let block = try Block(reader.read(Int(reader.readUInt32())))
            switch block.judge(filter: try row["filter"].hex) {
            case .proven: proven += 1
            case .undecided: break
            case .refuted(let reason): Issue.record("refuted: \(reason)")
            }
        }
        #expect(proven == 6)
    }

    @Test(
        "A filter without one paid script, of another block, or with too many elements is refuted")
    func lies() throws {
        let (record, known) = try #require(
            try spendingBlocks().last { $0.record.block.filteredOutputs.count > 2 })
        let block = record.block
        let hash = block.header.hash
        let spent = Array(known.values)
        var outputs = block.filteredOutputs
        let left = outputs.removeFirst()
        guard !(outputs + spent).contains(left) else { return }
        let omitting = CompactFilter(scripts: outputs + spent, block: hash)
        #expect(block.judge(filter: omitting.bytes) == .refuted(.missingScript))
        let other = CompactFilter(scripts: block.filteredOutputs + spent, block: BlockHash(.zero))
        #expect(block.judge(filter: other.bytes) == .refuted(.missingScript))
        let extra = (0..<50).map { Script([0x51, UInt8($0)]) }
        let padded = CompactFilter(scripts: block.filteredOutputs + spent + extra, block: hash)
        #expect(block.judge(filter: padded.bytes, known: known) == .refuted(.notTheSame))
        guard case .refuted(.wrongCount(let found, _, let most)) = block.judge(filter: padded.bytes)
        else {
            Issue.record("not refuted by its count")
            return
        }
        #expect(found > most)
        #expect(
            block.judge(filter: [1, 2]) == .refuted(.malformed(.tooMany(found: 1, allowed: 0))))
        #expect(block.judge(filter: [0]) == .refuted(.missingScript))
    }

    @Test("Spent outputs of the block itself and programs behind a script hash are certain")
    func certain() throws {
        let program = Script.p2wpkh(Bytes20([UInt8](repeating: 7, count: 20)) ?? .zero)
        let nested = TransactionInput(
            outpoint: OutPoint(txid: Txid(.zero), vout: 0),
            scriptSig: Script.build { $0.push(program.bytes) }, witness: Witness([[1], [2]]))
        let pays = TransactionOutput(value: .zero, scriptPubKey: Script([0x51]))
        let first = Transaction(inputs: [nested], outputs: [pays])
        let inside = TransactionInput(outpoint: OutPoint(txid: first.txid, vout: 0))
        let beyond = TransactionInput(outpoint: OutPoint(txid: first.txid, vout: 9))
        let second = Transaction(inputs: [inside, beyond], outputs: [pays])
        let coinbase = Transaction(inputs: [TransactionInput(outpoint: .null)], outputs: [pays])
        let block = Block(
            header: Network.regtest.genesis, transactions: [coinbase, first, second])
        let spent = block.spentScripts(known: [:])
        #expect(spent.known == [.p2sh(hash160(program.bytes)), Script([0x51])])
        #expect(spent.unknown == 1)
    }
}
