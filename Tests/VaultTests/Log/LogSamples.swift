import SecretMemory
import StateFiles

@testable import Vault

/// A log of a few entries, and what reading it finds.
struct LogSamples {
    static let wallet = LogScope.vault(identifier(0x44))
    static let name = LogName.ledger(identifier(0x55))

    static func key(_ byte: UInt8 = 0x66) -> LogKey {
        LogKey(name, root: secret([UInt8](repeating: byte, count: 32)))
    }

    var entries: [[UInt8]] = []
    var heads: [LogHead] = []

    /// So many entries, every third of the machine.
    init(count: Int, seed: String = "log") throws {
        let random = RandomSource.fixed(seed)
        let key = Self.key()
        for number in 1...count {
            let record = LogRecord(
                number % 3 == 1 ? .machine : Self.wallet,
                [UInt8](repeating: UInt8(number), count: number * 7))
            let step = try key.append(
                [record], time: 1_700_000_000 + UInt64(number), after: heads.last, using: random)
            entries.append(step.entries)
            heads.append(step.head)
        }
    }

    /// What a reader finds in `entries`, fed in pieces.
    static func problems(
        _ entries: [[UInt8]], head: LogHead?, witness: LogHead? = nil, piece: Int = .max
    ) -> [LogProblem] {
        read(entries, head: head, witness: witness, piece: piece).problems
    }

    static func read(
        _ entries: [[UInt8]], head: LogHead?, witness: LogHead? = nil, piece: Int = .max
    ) -> (problems: [LogProblem], records: [[UInt8]?]) {
        let key = key()
        var reader = LogReader(name, publicKey: key.publicKey, witness: witness)
        var records: [[UInt8]?] = []
        for part in StreamSamples.pieces(Array(entries.joined()), piece) {
            part.withUnsafeBytes { bytes in
                reader.append(bytes, keys: key) { _, record in records.append(record) }
            }
        }
        return (reader.finish(head: head), records)
    }
}
