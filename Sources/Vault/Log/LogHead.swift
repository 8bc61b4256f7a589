public import Wire

/// The signed end of a log: how many entries it has, how long they are and the last one's hash.
///
/// `magic (8) || version (2) || kind (1) || id (16) || zeros (5) || counter (8) || length (8) ||
/// last hash (32) || public key (32) || signature (64)`, 176 bytes. A copy kept elsewhere is a
/// witness: with it the newest entries cannot be taken away unseen.
public struct LogHead: Hashable, Sendable {
    /// The bytes of every head.
    public static let length = 176
    private static let signedLength = 112
    private static let magic = Array("BHLOGEND".utf8)
    private static let version: UInt16 = 1

    /// Which log.
    public let name: LogName
    /// How many entries there are; the newest one's number.
    public let counter: UInt64
    /// How many bytes all entries have.
    public let entriesLength: UInt64
    /// SHA-256 of the newest entry.
    public let lastHash: Bytes32
    /// What the signature is checked with.
    public let publicKey: Bytes32
    private let signature: [UInt8]

    /// Signs a head.
    init(
        counter: UInt64, entriesLength: UInt64, lastHash: Bytes32, key: borrowing LogKey
    ) {
        name = key.name
        self.counter = counter
        self.entriesLength = entriesLength
        self.lastHash = lastHash
        publicKey = key.publicKey
        let signed = Self.signedBytes(name, counter, entriesLength, lastHash, publicKey)
        signature = key.sign(DomainLabel("log/head").associatedData(signed))
    }

    /// Reads a head and checks its signature with the key that it names. Whether that key is the
    /// log's own, the caller decides.
    ///
    /// - Throws: `headDamaged`, `unknownVersion`.
    public init(_ bytes: [UInt8]) throws(LogProblem) {
        guard bytes.count == Self.length, Array(bytes[..<8]) == Self.magic else {
            throw .headDamaged
        }
        let version = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
        guard version == Self.version else { throw .unknownVersion(version) }
        guard let name = LogName(bytes[10..<27]), bytes[27..<32].allSatisfy({ $0 == 0 }),
            let lastHash = Bytes32(bytes[48..<80]), let publicKey = Bytes32(bytes[80..<112])
        else { throw .headDamaged }
        self.name = name
        counter = Self.integer(bytes[32..<40])
        entriesLength = Self.integer(bytes[40..<48])
        self.lastHash = lastHash
        self.publicKey = publicKey
        signature = Array(bytes[Self.signedLength...])
        let message = DomainLabel("log/head").associatedData(Array(bytes[..<Self.signedLength]))
        guard Ed25519.verify(signature, of: message, by: publicKey) else { throw .headDamaged }
    }

    /// The 176 bytes.
    public var bytes: [UInt8] {
        Self.signedBytes(name, counter, entriesLength, lastHash, publicKey) + signature
    }

    private static func signedBytes(
        _ name: LogName, _ counter: UInt64, _ entriesLength: UInt64, _ lastHash: Bytes32,
        _ publicKey: Bytes32
    ) -> [UInt8] {
        var writer = Writer(capacity: length)
        writer.write(magic)
        writer.write(version)
        writer.write(name.bytes)
        writer.write([UInt8](repeating: 0, count: 5))
        writer.write(counter)
        writer.write(entriesLength)
        writer.write(lastHash)
        writer.write(publicKey)
        return writer.bytes
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
