import SecretMemory
public import StateFiles
import Wire

extension DomainLabel {
    static let attempts = DomainLabel("attempts")
}

/// How many wrong passwords a vault has seen since the last right one, and the wait that follows
/// from them. Saved before each derivation starts, in `vaults/ID.attempts`.
public struct AttemptsRecord: Hashable, Sendable {
    /// Wrong passwords, and derivations that never came to their end.
    public let failures: UInt32
    /// The seconds to wait before the next attempt, counted from the failure or from the start of
    /// this machine, whichever is later.
    public let waitSeconds: UInt32

    /// No failures: a new vault, or one that a right password opened.
    public static let none = AttemptsRecord(failures: 0, waitSeconds: 0)

    /// The length of the file.
    public static let sealedCount = FilePrefix.count + AES256GCM.overhead + plainCount
    private static let plainCount = 8
    private static let prefix = FilePrefix(.attempts, name: "BHTRIES")

    init(failures: UInt32, waitSeconds: UInt32) {
        self.failures = failures
        self.waitSeconds = waitSeconds
    }

    /// The record after one failure more. Its wait is never shorter than the one before, whatever
    /// the schedule was then.
    public func afterFailure(_ schedule: AttemptSchedule) -> AttemptsRecord {
        let failures = failures == .max ? .max : failures + 1
        return AttemptsRecord(
            failures: failures,
            waitSeconds: max(waitSeconds, schedule.wait(after: failures)))
    }

    // MARK: The file

    /// The bytes of `vaults/ID.attempts`.
    public func sealed(
        for id: VaultID, under device: borrowing DeviceKey, using random: RandomSource = .kernel
    ) -> [UInt8] {
        var writer = Writer(capacity: AttemptsRecord.plainCount)
        writer.write(failures)
        writer.write(waitSeconds)
        let prefix = AttemptsRecord.prefix.bytes(for: id)
        return prefix
            + writer.bytes.withUnsafeBytes {
                AES256GCM.seal(
                    $0, key: device.key(for: .attempts, salt: id.bytes),
                    associatedData: DomainLabel.attempts.associatedData(prefix),
                    nonce: random.bytes(count: AES256GCM.nonceCount))
            }
    }

    /// Opens `vaults/ID.attempts`. A record that does not open stops all attempts: only the recovery
    /// code opens the vault then.
    ///
    /// - Throws: what is wrong with the file; `damaged` also when the device key is another.
    public init(
        sealed file: [UInt8], for id: VaultID, under device: borrowing DeviceKey
    ) throws(VaultError) {
        let count = AttemptsRecord.sealedCount
        let sealed = try AttemptsRecord.prefix.check(file, count: count...count, for: id)
        let plain = AES256GCM.open(
            sealed, key: device.key(for: .attempts, salt: id.bytes),
            associatedData: DomainLabel.attempts.associatedData(Array(file[..<FilePrefix.count])))
        guard let plain else { throw .damaged(.attempts) }
        let numbers = plain.withUnsafeBytes {
            (
                UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt32.self)),
                UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            )
        }
        self.init(failures: numbers.0, waitSeconds: numbers.1)
    }
}
