import SecretMemory
public import StateFiles
public import Wire

/// The file `ledger/key`: the root of a ledger's keys, or one scope's key, sealed under the device
/// key.
///
/// `magic (8) || version (2) || kind (1) || zeros (5) || ledger (16) || scope (16) ||
/// public key (32) || nonce (12) || sealed key (32) || tag (16)`, 140 bytes.
public struct LedgerKeyFile: Hashable, Sendable {
    /// The bytes of every key file.
    public static let length = 140
    private static let clearLength = 80
    private static let magic = Array("BHLEDKEY".utf8)
    private static let version: UInt16 = 1

    /// Which ledger.
    public let ledger: LedgerID
    /// Whose entries the key opens; nil for all of them, and then it appends as well.
    public let scope: LogScope?
    /// What the head's signature is checked with.
    public let publicKey: Bytes32
    /// All of its bytes.
    public let bytes: [UInt8]

    /// Seals the key of this machine's ledger.
    ///
    /// - Precondition: the log is a ledger.
    public init(
        sealing key: borrowing LogKey, under device: borrowing DeviceKey,
        using random: RandomSource = .kernel
    ) {
        let publicKey = key.publicKey
        let name = key.name
        self = key.withRoot { root in
            LedgerKeyFile(name, nil, publicKey, secret: root, under: device, using: random)
        }
    }

    /// Seals the key of one scope of a ledger that came with a backup.
    ///
    /// - Precondition: the log is a ledger.
    public init(
        sealing key: borrowing LogScopeKey, publicKey: Bytes32, under device: borrowing DeviceKey,
        using random: RandomSource = .kernel
    ) {
        let (name, scope) = (key.name, key.scope)
        self = key.withSecret { secret in
            LedgerKeyFile(name, scope, publicKey, secret: secret, under: device, using: random)
        }
    }

    private init(
        _ name: LogName, _ scope: LogScope?, _ publicKey: Bytes32, secret: borrowing SecretBytes,
        under device: borrowing DeviceKey, using random: RandomSource
    ) {
        guard case .ledger(let id) = name else { preconditionFailure("the log is no ledger") }
        var writer = Writer(capacity: Self.length)
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(UInt8(scope == nil ? 1 : 2))
        writer.write([UInt8](repeating: 0, count: 5))
        id.encode(into: &writer)
        writer.write(scope?.bytes ?? LogScope.machine.bytes)
        writer.write(publicKey)
        let clear = writer.bytes
        ledger = id
        self.scope = scope
        self.publicKey = publicKey
        let sealed = AES256GCM.seal(
            secret, key: device.key(for: DomainLabel("ledger-key"), salt: id.bytes),
            associatedData: DomainLabel("ledger-key").associatedData(clear), using: random)
        bytes = clear + sealed
    }

    /// Reads what stands in the clear.
    ///
    /// - Throws: `keyDamaged` when it is no such file, `unknownVersion`.
    public init(_ bytes: [UInt8]) throws(LogProblem) {
        guard bytes.count == Self.length, Array(bytes[..<8]) == Self.magic else {
            throw .keyDamaged
        }
        let version = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
        guard version == Self.version else { throw .unknownVersion(version) }
        guard bytes[11..<16].allSatisfy({ $0 == 0 }), let ledger = LedgerID(bytes[16..<32]),
            let scope = LogScope(bytes[32..<48]), let publicKey = Bytes32(bytes[48..<80])
        else { throw .keyDamaged }
        switch bytes[10] {
        case 1 where scope == .machine: self.scope = nil
        case 2: self.scope = scope
        default: throw .keyDamaged
        }
        self.ledger = ledger
        self.publicKey = publicKey
        self.bytes = bytes
    }

    /// Opens the key of a whole ledger.
    ///
    /// - Throws: `keyDamaged`, also when the device key is another one or the file holds one
    ///   scope's key.
    public func openLedger(under device: borrowing DeviceKey) throws(LogProblem) -> LogKey {
        guard scope == nil else { throw .keyDamaged }
        let key = LogKey(.ledger(ledger), root: try secret(under: device))
        guard key.publicKey == publicKey else { throw .keyDamaged }
        return key
    }

    /// Opens the key of one scope.
    ///
    /// - Throws: `keyDamaged`, also when the device key is another one or the file holds the key of
    ///   a whole ledger.
    public func openScope(under device: borrowing DeviceKey) throws(LogProblem) -> LogScopeKey {
        guard let scope else { throw .keyDamaged }
        return LogScopeKey(.ledger(ledger), scope, secret: try secret(under: device))
    }

    private func secret(under device: borrowing DeviceKey) throws(LogProblem) -> SecretBytes {
        let secret = AES256GCM.open(
            Array(bytes[Self.clearLength...]),
            key: device.key(for: DomainLabel("ledger-key"), salt: ledger.bytes),
            associatedData: DomainLabel("ledger-key").associatedData(
                Array(bytes[..<Self.clearLength])))
        guard let secret, secret.count == 32 else { throw .keyDamaged }
        return secret
    }
}

extension LogKey {
    /// The key of a new ledger.
    public static func newLedger(using random: RandomSource = .kernel) -> LogKey {
        guard let id = LedgerID(random.bytes(count: LedgerID.length)) else {
            preconditionFailure("an id has \(LedgerID.length) bytes")
        }
        return LogKey(.ledger(id), root: random.secret(count: 32))
    }

    /// Appends what happened behind `head`, or as the first entries of a new ledger.
    ///
    /// - Throws: `headDamaged` or `anotherLog` when the head is not this key's.
    public borrowing func append(
        _ records: [LedgerRecord], time: UInt64, after head: LogHead?,
        using random: RandomSource = .kernel
    ) throws(LogProblem) -> LogAppend {
        try append(records.map(\.logRecord), time: time, after: head, using: random)
    }
}
