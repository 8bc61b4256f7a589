import Bitcoin
import Testing

@Suite("Locks")
struct LockTests {
    @Test("nLockTime is a height below 500 million, else a time; the block must be past it")
    func lockTime() {
        let height = LockTime(rawValue: 499_999_999)
        let time = LockTime(rawValue: 500_000_000)
        #expect(!height.isTime && time.isTime)
        #expect(!LockTime(rawValue: 100).isSatisfied(height: 100, medianTimePast: .max))
        #expect(LockTime(rawValue: 100).isSatisfied(height: 101, medianTimePast: 0))
        #expect(!time.isSatisfied(height: .max, medianTimePast: 500_000_000))
        #expect(time.isSatisfied(height: 0, medianTimePast: 500_000_001))
        #expect(LockTime.none.isSatisfied(height: 0, medianTimePast: 0))
    }

    @Test("OP_CHECKLOCKTIMEVERIFY compares heights with heights and times with times (BIP65)")
    func checkLockTimeVerify() {
        let height = LockTime(rawValue: 100)
        #expect(height.satisfies(LockTime(rawValue: 100)))
        #expect(!height.satisfies(LockTime(rawValue: 101)))
        #expect(!LockTime(rawValue: .max).satisfies(height))
    }

    @Test("nSequence carries a relative lock unless bit 31 is set (BIP68)")
    func relativeLock() {
        #expect(SequenceNumber.final.relativeLock == nil)
        #expect(SequenceNumber.replaceable.relativeLock == nil)
        #expect(SequenceNumber(rawValue: 0x0000_0090).relativeLock == .blocks(144))
        #expect(SequenceNumber(rawValue: 0x0040_0002).relativeLock?.seconds == 1_024)
        #expect(SequenceNumber(rawValue: 0x7FBF_0001).relativeLock == .blocks(1))
        for lock in [RelativeLock.blocks(65_535), .time(units: 0), .time(units: 65_535)] {
            #expect(SequenceNumber(lock).relativeLock == lock)
        }
    }

    @Test("A relative lock ends with the block that makes its age full, not before")
    func relativeLockEnds() {
        func ends(_ lock: RelativeLock, height: UInt32, medianTimePast: UInt32) -> Bool {
            lock.isSatisfied(
                coinHeight: 100, coinMedianTimePast: 1_000, height: height,
                medianTimePast: medianTimePast)
        }
        #expect(!ends(.blocks(10), height: 109, medianTimePast: .max))
        #expect(ends(.blocks(10), height: 110, medianTimePast: 0))
        #expect(!ends(.time(units: 2), height: .max, medianTimePast: 2_023))
        #expect(ends(.time(units: 2), height: 0, medianTimePast: 2_024))
        #expect(ends(.blocks(0), height: 100, medianTimePast: 0))
        #expect(!ends(.blocks(1), height: 0, medianTimePast: 0))
    }

    @Test("OP_CHECKSEQUENCEVERIFY compares like with like (BIP112)")
    func checkSequenceVerify() {
        #expect(RelativeLock.blocks(10).satisfies(.blocks(10)))
        #expect(!RelativeLock.blocks(9).satisfies(.blocks(10)))
        #expect(!RelativeLock.time(units: 10).satisfies(.blocks(1)))
    }

    @Test("Signals: replacement below 0xFFFFFFFE, nLockTime off only when all are final")
    func signals() {
        #expect(SequenceNumber.replaceable.signalsReplacement)
        #expect(!SequenceNumber.lockTimeOnly.signalsReplacement)
        var transaction = Transaction(
            inputs: [TransactionInput(outpoint: .null), TransactionInput(outpoint: .null)],
            outputs: [])
        #expect(!transaction.lockTimeIsEnforced)
        transaction.inputs[1].sequence = .lockTimeOnly
        #expect(transaction.lockTimeIsEnforced)
    }
}
