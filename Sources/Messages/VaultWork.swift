public import StateFiles
public import Wire

/// What a worker found in the record of failed passwords, before a password is read.
public struct AttemptCount: Hashable, Sendable {
    /// Failures in a row so far.
    public var failures: UInt32
    /// Seconds to wait after the last of them.
    public var wait: UInt32
    /// The sealed record with one failure more, to be kept before the password is tried.
    public var next: [UInt8]

    /// A count by its fields.
    public init(failures: UInt32, wait: UInt32, next: [UInt8]) {
        self.failures = failures
        self.wait = wait
        self.next = next
    }
}

/// Whose requests were refused.
public enum RefusalOrigin: Hashable, Sendable {
    /// The network process's.
    case link
    /// People's.
    case console
}

/// Something for the ledger that no request brought about. The broker tells it to a worker that it
/// forks, so it never travels.
public enum RecordedEvent: Hashable, Sendable {
    /// The signer has started; the first digits of its messages' digest, which tell builds apart.
    case started(version: String)
    /// Requests of one side were refused with one code: how many since the last such entry, and how
    /// many seconds ago the first and the last of them.
    case refusals(
        RefusalOrigin, code: String, count: UInt64, firstAgo: UInt64, lastAgo: UInt64)
    /// A worker ended in the middle of a request with a password, whose attempt stays counted.
    case attemptEnded(VaultRequest, reason: String)
    /// The network process told which head it kept. There is an entry only if that contradicts the
    /// ledger.
    case witnessed(LedgerWitness)
    /// A person rejected a PSBT: the user, SHA-256 of the file, and the reason.
    case rejected(uid: UInt32, file: Bytes32, reason: String)
    /// Signatures are in the ledger, and nobody got the file with them: the user who approved, the
    /// wallet, SHA-256 of the file as it came, and why.
    case undelivered(uid: UInt32, wallet: VaultID, file: Bytes32, reason: String)

    /// Whether it is the start, at which the whole ledger is checked.
    public var isStart: Bool { if case .started = self { true } else { false } }

    /// The head to compare the ledger with, if this is about one.
    public var witness: LedgerWitness? {
        if case .witnessed(let head) = self { head } else { nil }
    }
}

/// What a worker says of an operation on vaults.
public enum VaultResult: Hashable, Sendable {
    /// The outer layers are whole; this is the count.
    case counted(AttemptCount)
    /// It was done if these changes are made, all of them or none.
    case done(VaultAnswer, [StateChange])
    /// It was refused; the changes are the ledger's.
    case refused(VaultRefusal, [StateChange])
    /// Signatures were made, for a worker without secrets to put into the file once these changes
    /// hold. The broker does not look into them; at most 4 MiB.
    case signed([UInt8], [StateChange])
    /// The public accounts of all wallets, for the network process.
    case paired([PairedAccounts])

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1:
            let failures = try reader.readUInt32()
            let wait = try reader.readUInt32()
            let next = try reader.read(Int(try reader.readUInt16()))
            self = .counted(AttemptCount(failures: failures, wait: wait, next: next))
        case 2: self = .done(try VaultAnswer(from: &reader), try reader.readChanges())
        case 3: self = .refused(try VaultRefusal(from: &reader), try reader.readChanges())
        case 4:
            self = .signed(
                try reader.readSignatures(), try reader.readChanges())
        case 5: self = .paired(try reader.readPaired())
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }

    func encode(into writer: inout Writer) {
        switch self {
        case .paired(let rows):
            writer.write(UInt8(5))
            writer.write(paired: rows)
        case .counted(let count):
            writer.write(UInt8(1))
            writer.write(count.failures)
            writer.write(count.wait)
            writer.write(UInt16(count.next.count))
            writer.write(count.next)
        case .done(let answer, let changes):
            writer.write(UInt8(2))
            answer.encode(into: &writer)
            writer.write(changes: changes)
        case .refused(let refusal, let changes):
            writer.write(UInt8(3))
            refusal.encode(into: &writer)
            writer.write(changes: changes)
        case .signed(let signatures, let changes):
            writer.write(UInt8(4))
            writer.write(UInt32(signatures.count))
            writer.write(signatures)
            writer.write(changes: changes)
        }
    }
}

extension Reader {
    fileprivate mutating func readSignatures() throws(WireError) -> [UInt8] {
        let start = position
        let count = Int(try readUInt32())
        guard count <= Limit.signatures else {
            throw .tooLarge(position: start, found: UInt64(count), allowed: Limit.signatures)
        }
        return try read(count)
    }

    fileprivate mutating func readChanges() throws(WireError) -> [StateChange] {
        let start = position
        let count = try readUInt32()
        // The shortest change takes three bytes, so a count asks for no more memory than came.
        guard Int(count) <= remaining / 3 else {
            throw .tooLarge(position: start, found: UInt64(count), allowed: remaining / 3)
        }
        var changes: [StateChange] = []
        for _ in 0..<count { changes.append(try StateChange(from: &self)) }
        return changes
    }
}

extension Writer {
    fileprivate mutating func write(changes: [StateChange]) {
        write(UInt32(changes.count))
        for change in changes { change.encode(into: &self) }
    }
}
