import Bitcoin
import PSBT
import TestSupport
import Testing
import Wire

@Suite("Versions 0 and 2: lock times, conversion, flags")
struct VersionTests {
    struct LockTimeCase: Decodable {
        let name: String
        let psbt: String
        let lockTime: UInt32?
    }

    @Test("BIP370: 10 lock times")
    func lockTimes() throws {
        struct Vectors: Decodable { let lockTimes: [LockTimeCase] }
        let vectors: Vectors = try Fixture.load("psbt/bip370.json")
        #expect(vectors.lockTimes.count == 10)
        for vector in vectors.lockTimes {
            let psbt = try PSBT(base64: vector.psbt)
            #expect((try? psbt.lockTime())?.rawValue == vector.lockTime, "\(vector.name)")
            #expect((try? psbt.unsignedTransaction())?.lockTime.rawValue == vector.lockTime)
        }
    }

    @Test("row 58 (Coldcard#815, app-bitcoin#568): heights 100 and 200 with fallback 0 give 200")
    func requiredHeights() throws {
        let psbt = try version2(required: [(height: 100, time: nil), (height: 200, time: nil)])
        #expect(try psbt.lockTime() == LockTime(rawValue: 200))
        #expect(try psbt.unsignedTransaction().lockTime == LockTime(rawValue: 200))
        let conflict = try version2(
            required: [(height: 100, time: nil), (height: nil, time: 600_000_000)])
        #expect(throws: UnsignedTransactionError.lockTimesConflict(heightInput: 0, timeInput: 1)) {
            try conflict.unsignedTransaction()
        }
        #expect(throws: FinalizationError.self) { try conflict.finalized() }
    }

    @Test("row 62 (bdk-tx#43): a fallback height gives way to a required time")
    func fallbackGivesWay() throws {
        let psbt = try version2(fallback: 700, required: [(height: nil, time: 600_000_000)])
        #expect(try psbt.lockTime() == LockTime(rawValue: 600_000_000))
    }

    @Test("all version 0 PSBTs of Core become version 2 and the same again")
    func thereAndBack() throws {
        let all = try CorpusCase.load().flatMap { [$0.unsigned, $0.signed["all"] ?? ""] }
        #expect(all.count == 204)
        for text in all {
            let psbt = try PSBT(base64: text)
            let converted = try psbt.converted(to: .v2)
            #expect(converted.version == .v2)
            #expect(try PSBT(converted.serialized) == converted)
            #expect(try converted.unsignedTransaction() == psbt.unsignedTransaction())
            let back = try converted.converted(to: .v0)
            #expect(back.serialized == psbt.serialized)
        }
    }

    @Test("the 14 valid vectors of BIP370 become version 0, unless flags would be lost")
    func vectors() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip370.json")
        var refused = 0
        for vector in vectors.valid {
            let psbt = try PSBT(base64: vector.psbt)
            if let flags = psbt.global.modifiable, !flags.isEmpty {
                refused += 1
                #expect(
                    throws: ConversionError.wouldLose(
                        field: "PSBT_GLOBAL_TX_MODIFIABLE", place: .global)
                ) { try psbt.converted(to: .v0) }
            } else {
                let converted = try psbt.converted(to: .v0)
                #expect(try PSBT(converted.serialized) == converted)
                #expect(try converted.unsignedTransaction() == psbt.unsignedTransaction())
            }
        }
        #expect(refused == 10)
    }

    @Test("no silent payment field is dropped by conversion: it is refused by name")
    func silentPayments() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip375.json")
        for vector in vectors.valid where vector.name.hasPrefix("can finalize") {
            let psbt = try PSBT(base64: vector.psbt)
            do throws(ConversionError) {
                _ = try psbt.converted(to: .v0)
                Issue.record("\(vector.name)")
            } catch {
                guard case .wouldLose(let field, _) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(field.contains("_SP_"))
            }
        }
    }

    @Test("row 59 (Coldcard#817): each defect of a version 2 PSBT by itself is refused")
    func defects() throws {
        let good = try RawPSBT(Samples.version2())
        #expect(good.error() == nil)
        for type: UInt8 in [2, 3, 4, 5, 6, 0xFB] {
            var changed = good
            changed.global.append(.init(type, [1], [0, 0, 0, 0]))
            #expect(changed.error() != nil, "key data on global type \(type)")
            changed = good
            changed.global[type: type] = [UInt8](repeating: 0, count: 10)
            #expect(changed.error() != nil, "length of global type \(type)")
            changed = good
            changed.global[type: type] = nil
            #expect((changed.error() != nil) == (type != 3 && type != 6), "no type \(type)")
        }
        for type: UInt8 in 0x0E...0x12 {
            var changed = good
            changed.inputs[0].append(.init(type, [1], [0, 0, 0, 0]))
            #expect(changed.error() != nil, "key data on input type \(type)")
            changed = good
            changed.inputs[0][type: type] = [1, 2, 3]
            #expect(changed.error() != nil, "length of input type \(type)")
        }
        for type: UInt8 in [3, 4] {
            var changed = good
            changed.outputs[0].append(.init(type, [1], [0, 0, 0, 0, 0, 0, 0, 0]))
            #expect(changed.error() != nil, "key data on output type \(type)")
        }
        for (type, count) in [(4, 0), (4, 2), (5, 1), (5, 3)] as [(UInt8, UInt8)] {
            var changed = good
            changed.global[type: type] = [count]
            #expect(changed.error() != nil, "count \(count) in type \(type)")
        }
        var padded = good
        padded.global[type: 4] = [0xFD, 1, 0]
        #expect(padded.error()?.problem == .wire(.nonCanonicalCompactSize(position: 0)))
    }

    @Test("row 57 (Coldcard#356): flags come back as they were behind 255 bytes of globals")
    func flagsBehindLargeGlobals() throws {
        for size in [200, 252, 253, 255, 300] {
            var raw = try RawPSBT(Samples.version2())
            raw.global.removeAll { $0.key == [6] }
            raw.global.append(.init(0xFC, [1, 1, 0], [UInt8](repeating: 1, count: size)))
            raw.global.append(.init(6, [0x83]))
            let psbt = try raw.parse()
            #expect(psbt.global.modifiable?.rawValue == 0x83)
            #expect(psbt.serialized == raw.bytes)
        }
    }

    @Test("negative amounts and those above 21 million BTC are refused")
    func amounts() throws {
        for sats: Int64 in [-1, .min, 2_100_000_000_000_001, .max] {
            var raw = try RawPSBT(Samples.version2())
            raw.outputs[0][type: 3] = withUnsafeBytes(of: sats.littleEndian) { Array($0) }
            #expect(raw.error()?.problem == .amountOutOfRange(sats))
        }
    }

    @Test("adding a signature closes what it commits to (BIP370)")
    func modifiableFlags() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip375.json")
        let sample = try #require(vectors.valid.first { $0.name.contains("one P2PKH input") })
        let signed = try PSBT(base64: sample.psbt)
        let signature = try #require(signed.inputs[0].partialSignatures.first)
        for (type, flags, expected) in [
            (0x01, 3, 0), (0x02, 3, 2), (0x03, 3, 4), (0x81, 3, 1), (0x82, 3, 3), (0x83, 3, 5),
            (0x83, 0x80, 0x84),
        ] as [(UInt8, UInt8, UInt8)] {
            var raw = try RawPSBT(Samples.version2())
            raw.global[type: 6] = [flags]
            raw.inputs[0].removeAll { $0.key.first == 8 || $0.key.first == 7 }
            let added = try raw.parse().adding([
                SignatureRecord(
                    input: 0, kind: .ecdsa(publicKey: signature.publicKey),
                    value: signature.signature.dropLast() + [type])
            ])
            #expect(added.global.modifiable?.rawValue == expected, "type \(type)")
        }
    }

    private func version2(
        fallback: UInt32 = 0, required: [(height: UInt32?, time: UInt32?)]
    ) throws -> PSBT {
        let inputs = required.indices.map {
            TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: UInt32($0)))
        }
        let transaction = Transaction(
            inputs: inputs,
            outputs: [TransactionOutput(value: .zero, scriptPubKey: .opReturn([1]))],
            lockTime: LockTime(rawValue: fallback))
        var raw = RawPSBT(try PSBT(transaction, version: .v2))
        for (index, lock) in required.enumerated() {
            if let height = lock.height {
                raw.inputs[index][type: 0x12] = withUnsafeBytes(of: height) { Array($0) }
            }
            if let time = lock.time {
                raw.inputs[index][type: 0x11] = withUnsafeBytes(of: time) { Array($0) }
            }
        }
        return try raw.parse()
    }
}
