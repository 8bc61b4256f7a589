public import Bitcoin
public import StateFiles
import Wire

/// What a vault is for.
public enum VaultKind: UInt8, Hashable, Sendable, CaseIterable {
    /// A recovery phrase or an extended private key.
    case wallet
    /// Documents and notes.
    case items
}

/// What never changes about a vault. It is no secret, and every layer of the file authenticates all
/// of its 64 bytes.
public struct VaultHeader: Hashable, Sendable {
    /// What the vault is for.
    public let kind: VaultKind
    /// The network whose keys it holds, or of the instance it was made on.
    public let network: Network
    /// The vault's name in file names and on the kit.
    public let id: VaultID
    /// Seconds since 1970, as the clock of the machine had it.
    public let createdAt: UInt64
    /// Tells whether a secret key is that of this vault.
    let keyCheck: [UInt8]

    /// The bytes it takes.
    public static let byteCount = 64
    static let magic = FilePrefix.magic("BHVAULT")
    private static let reserved = 52..<byteCount

    /// The header of a new vault.
    init(
        kind: VaultKind, network: Network, id: VaultID, createdAt: UInt64,
        secretKey: borrowing VaultSecretKey
    ) {
        self.kind = kind
        self.network = network
        self.id = id
        self.createdAt = createdAt
        keyCheck = secretKey.keyCheck(for: id)
    }

    /// Reads the first 64 bytes of a vault file.
    ///
    /// - Throws: `notThisKind`, `newerVersion`, `wrongSize`, `malformed`.
    public init(_ file: [UInt8]) throws(VaultError) {
        try FilePrefix.checkStart(of: file, magic: VaultHeader.magic, .vault)
        guard file.count >= VaultHeader.byteCount else {
            throw .wrongSize(.vault, found: file.count, allowed: VaultFile.sizes)
        }
        guard let kind = VaultKind(rawValue: file[10]) else {
            throw .malformed(.vault, position: 10)
        }
        guard let network = Network(vaultNumber: file[11]) else {
            throw .malformed(.vault, position: 11)
        }
        guard let id = VaultID(Array(file[12..<28])) else { throw .malformed(.vault, position: 12) }
        if let position = VaultHeader.reserved.first(where: { file[$0] != 0 }) {
            throw .malformed(.vault, position: position)
        }
        self.kind = kind
        self.network = network
        self.id = id
        createdAt = file[28..<36].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        keyCheck = Array(file[36..<52])
    }

    /// The 64 bytes.
    public var bytes: [UInt8] {
        var writer = Writer(capacity: VaultHeader.byteCount)
        writer.write(VaultHeader.magic)
        writer.write(FilePrefix.version)
        writer.write(kind.rawValue)
        writer.write(network.vaultNumber)
        writer.write(id.bytes)
        writer.write(createdAt)
        writer.write(keyCheck)
        writer.write([UInt8](repeating: 0, count: VaultHeader.reserved.count))
        return writer.bytes
    }
}

extension Network {
    /// The network's number in files.
    var vaultNumber: UInt8 {
        switch self {
        case .mainnet: 0
        case .testnet3: 1
        case .testnet4: 2
        case .signet: 3
        case .regtest: 4
        }
    }

    /// Nil for a number that no network has.
    init?(vaultNumber: UInt8) {
        let match = Network.allCases.first { $0.vaultNumber == vaultNumber }
        guard let match else { return nil }
        self = match
    }
}
