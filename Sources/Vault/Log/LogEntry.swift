import Hashing
import SecretMemory
public import Wire

/// One entry of a log as it stands in the file.
///
/// `length (4) || counter (8) || time (8) || scope (16) || previous hash (32) || nonce (24) ||
/// sealed record || tag (16)`. The record is `length (2) || bytes || zeros` to a multiple of 64.
public struct LogEntry: Hashable, Sendable {
    /// The bytes before the sealed record.
    static let clearLength = 92
    /// The step that records are padded to.
    static let step = 64
    /// No log gets this long; it keeps sums of counters from overflowing.
    private static let maximumCounter: UInt64 = 1 << 48
    /// The longest record.
    public static let maximumRecord = (16 << 10) - 2
    static let lengths =
        (clearLength + step + 16)...(clearLength + maximumRecord + 2 + 16)

    /// Its number, from 1.
    public let counter: UInt64
    /// Seconds since 1970 by the clock of the machine, which nothing vouches for.
    public let time: UInt64
    /// Whom it is about.
    public let scope: LogScope
    /// SHA-256 of the entry before; zeros in the first.
    public let previous: Bytes32
    /// All of its bytes.
    public let bytes: [UInt8]

    /// Seals a record.
    ///
    /// - Precondition: at most `maximumRecord` bytes.
    init(
        _ record: [UInt8], counter: UInt64, time: UInt64, scope: LogScope, previous: Bytes32,
        key: borrowing LogKey, using random: RandomSource
    ) {
        precondition(record.count <= Self.maximumRecord)
        let padded = (record.count + 2 + Self.step - 1) / Self.step * Self.step
        let nonce = random.bytes(count: XChaCha20Poly1305.nonceCount)
        var writer = Writer(capacity: Self.clearLength + padded + 16)
        writer.write(UInt32(Self.clearLength + padded + 16))
        writer.write(counter)
        writer.write(time)
        writer.write(scope.bytes)
        writer.write(previous)
        writer.write(nonce)
        let associated = Self.associatedData(key.name, clear: writer.bytes)
        writer.write(UInt16(record.count))
        writer.write(record)
        writer.write([UInt8](repeating: 0, count: padded - 2 - record.count + 16))
        var bytes = writer.bytes
        let entryKey = key.entryKey(scope, nonce: nonce)
        bytes.withUnsafeMutableBytes { bytes in
            let sealed = UnsafeMutableRawBufferPointer(rebasing: bytes[Self.clearLength...])
            XChaCha20Poly1305.seal(
                UnsafeRawBufferPointer(rebasing: sealed[..<padded]), key: entryKey, nonce: nonce,
                associatedData: associated, into: sealed)
        }
        self.counter = counter
        self.time = time
        self.scope = scope
        self.previous = previous
        self.bytes = bytes
    }

    /// Reads the frame of an entry; its content is not checked yet. Nil if it is none.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        guard Self.lengths.contains(bytes.count),
            (bytes.count - Self.clearLength - 16) % Self.step == 0,
            let length = try? reader.readUInt32(), length == UInt32(bytes.count),
            let counter = try? reader.readUInt64(), counter >= 1, counter <= Self.maximumCounter,
            let time = try? reader.readUInt64(),
            let scope = (try? reader.read(16)).flatMap({ LogScope($0) }),
            let previous = try? reader.readBytes32()
        else { return nil }
        self.counter = counter
        self.time = time
        self.scope = scope
        self.previous = previous
        self.bytes = bytes
    }

    /// SHA-256 of its bytes.
    public var hash: Bytes32 { SHA256.hash(bytes) }

    /// What the key is made from, and the nonce of the seal.
    var nonce: [UInt8] { Array(bytes[68..<Self.clearLength]) }

    /// The record; nil if anything of the entry was changed.
    ///
    /// - Precondition: `keys` covers its scope.
    public func open(with keys: borrowing some LogEntryKeys & ~Copyable) -> [UInt8]? {
        open(keys.name, with: keys.entryKey(scope, nonce: nonce))
    }

    func open(_ name: LogName, with key: borrowing SecretBytes) -> [UInt8]? {
        let associated = Self.associatedData(name, clear: Array(bytes[..<Self.clearLength]))
        var record = Array(bytes[Self.clearLength...])
        let isAuthentic = record.withUnsafeMutableBytes { sealed in
            XChaCha20Poly1305.open(
                UnsafeRawBufferPointer(sealed), key: key, nonce: nonce, associatedData: associated,
                into: UnsafeMutableRawBufferPointer(rebasing: sealed[..<(sealed.count - 16)]))
        }
        guard isAuthentic else { return nil }
        let count = Int(record[0]) | Int(record[1]) << 8
        let text = record[2..<(record.count - 16)]
        guard count <= text.count, text.dropFirst(count).allSatisfy({ $0 == 0 }),
            count + 2 + Self.step > text.count + 2
        else { return nil }
        return Array(text.prefix(count))
    }

    private static func associatedData(_ name: LogName, clear: [UInt8]) -> [UInt8] {
        DomainLabel("log/entry").associatedData(name.bytes + clear)
    }
}
