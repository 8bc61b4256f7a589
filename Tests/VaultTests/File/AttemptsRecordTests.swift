import StateFiles
import Testing

@testable import Vault

@Suite("Record of failed passwords")
struct AttemptsRecordTests {
    /// The waits after 1, 2, 3 … failures in a row.
    private static func waits(_ schedule: AttemptSchedule, _ count: Int) -> [UInt32] {
        var record = AttemptsRecord.none
        return (0..<count).map { _ in
            record = record.afterFailure(schedule)
            return record.waitSeconds
        }
    }

    @Test("four attempts are free, then the wait doubles up to five minutes")
    func standard() {
        #expect(
            Self.waits(.standard, 15) == [
                0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300,
            ])
    }

    @Test("strictly, five attempts are free, then half a minute, 1, 5, 15 and 60 minutes")
    func strict() {
        #expect(Self.waits(.strict, 12) == [0, 0, 0, 0, 0, 30, 60, 300, 900, 3600, 3600, 3600])
    }

    @Test("another schedule never shortens a wait, and only a right password ends it")
    func switched() {
        var record = AttemptsRecord.none
        for _ in 0..<9 { record = record.afterFailure(.strict) }
        #expect(record == AttemptsRecord(failures: 9, waitSeconds: 900))
        record = record.afterFailure(.standard)
        #expect(record == AttemptsRecord(failures: 10, waitSeconds: 900))
        #expect(AttemptsRecord.none == AttemptsRecord(failures: 0, waitSeconds: 0))
    }

    @Test("the count ends at its highest number and does not start anew")
    func saturation() {
        let record = AttemptsRecord(failures: .max, waitSeconds: 0)
        for schedule in AttemptSchedule.allCases {
            #expect(record.afterFailure(schedule).failures == .max)
            #expect(record.afterFailure(schedule).waitSeconds >= 300)
        }
    }

    @Test("the record comes back from its file, and only under its device key")
    func file() throws {
        let id = VaultID.fixed("attempts")
        let device = try DeviceKey(secret(fixedBytes("device", count: 32)))
        let record = AttemptsRecord(failures: 5, waitSeconds: 2)
        let file = record.sealed(for: id, under: device)
        #expect(file.count == AttemptsRecord.sealedCount)
        #expect(try AttemptsRecord(sealed: file, for: id, under: device) == record)
        #expect(throws: VaultError.damaged(.attempts)) {
            try AttemptsRecord(sealed: file, for: id, under: .random())
        }
        #expect(record.sealed(for: id, under: device) != file)
    }
}
