public import Accounts
public import Bitcoin
import SecretMemory
public import StateFiles
import Wire

extension DomainLabel {
    static let index = DomainLabel("index")
}

/// What a wallet shows without its password: public keys and addresses, in `index/ID.index`,
/// authenticated under the index key for this one vault.
public struct PublicIndex: Hashable, Sendable {
    /// The network of the Bitcoin accounts.
    public let network: Network
    /// Names the wallet in PSBTs and descriptors.
    public let masterFingerprint: Fingerprint
    /// When the first of its addresses can have been used, in seconds since 1970; nil when nobody
    /// knows.
    public let birthday: UInt64?
    /// The extended public key of each account.
    public let accounts: [AccountPath: ExtendedPublicKey]
    /// Addresses 0 to 99 of the EVM account.
    public let evmAddresses: [EVMAddress]
    /// Addresses 0 to 99 of the TRON account.
    public let tronAddresses: [TRONAddress]
    /// The Solana public key of each path; empty for a wallet of an extended key, which has no seed.
    public let solana: [SolanaPath: SolanaAddress]

    /// How many addresses of each kind there are.
    public static let addressCount: UInt32 = 100

    init(
        network: Network, masterFingerprint: Fingerprint, birthday: UInt64?,
        accounts: [AccountPath: ExtendedPublicKey], evmAddresses: [EVMAddress],
        tronAddresses: [TRONAddress], solana: [SolanaPath: SolanaAddress]
    ) {
        self.network = network
        self.masterFingerprint = masterFingerprint
        self.birthday = birthday
        self.accounts = accounts
        self.evmAddresses = evmAddresses
        self.tronAddresses = tronAddresses
        self.solana = solana
    }

    // MARK: The file

    private static let prefix = FilePrefix(.index, name: "BHINDEX")
    private static let codeCount = 32
    /// Network, fingerprint, birthday, accounts and both lists of addresses.
    private static let basicCount =
        1 + 4 + 9 + AccountPath.allCases.count * ExtendedPublicKey.byteCount + 2 * 20
        * Int(addressCount)
    private static let solanaCount = SolanaPath.allCases.count * 32
    /// The lengths that the file can have: without Solana and with it.
    public static let sizes =
        FilePrefix.count + basicCount + 1 + codeCount...FilePrefix.count + basicCount + 1
        + solanaCount + codeCount

    /// The bytes of `index/ID.index`.
    public func sealed(for id: VaultID, under index: borrowing IndexKey) -> [UInt8] {
        let file = PublicIndex.prefix.bytes(for: id) + payload
        return file + index.code(for: file, label: .index, salt: id.bytes).publicCopy()
    }

    /// Reads `index/ID.index`. Whatever it throws, the index counts as missing and is rebuilt with
    /// the password.
    ///
    /// - Throws: what is wrong with the file; `damaged` also when the index key is another.
    public init(
        sealed file: [UInt8], for id: VaultID, under index: borrowing IndexKey
    ) throws(VaultError) {
        let rest = try PublicIndex.prefix.check(file, count: PublicIndex.sizes, for: id)
        let signed = Array(file[..<(file.count - PublicIndex.codeCount)])
        let isAuthentic = file[signed.count...].withUnsafeBytes {
            index.code(for: signed, label: .index, salt: id.bytes).isEqual(to: $0)
        }
        guard isAuthentic else { throw .damaged(.index) }
        let payload = Array(rest.dropLast(PublicIndex.codeCount))
        guard let index = try? PublicIndex(payload: payload) else {
            throw .malformed(.index, position: FilePrefix.count)
        }
        self = index
    }

    // MARK: The payload

    /// What the file holds between its prefix and its code, as a backup carries it.
    public var payload: [UInt8] {
        var writer = Writer(capacity: PublicIndex.sizes.upperBound)
        writer.write(network.vaultNumber)
        writer.write(masterFingerprint.bytes)
        writer.write(UInt8(birthday == nil ? 0 : 1))
        writer.write(birthday ?? 0)
        for path in AccountPath.allCases { writer.write(accounts[path]?.serialized ?? []) }
        for address in evmAddresses { writer.write(address.bytes.array) }
        for address in tronAddresses { writer.write(address.bytes.array) }
        writer.write(UInt8(solana.count))
        for path in SolanaPath.allCases { writer.write(solana[path]?.publicKey.array ?? []) }
        return writer.bytes
    }

    /// Reads a payload whose authenticity was checked.
    public init(payload: [UInt8]) throws {
        var reader = Reader(payload)
        let position = reader.position
        let number = try reader.readUInt8()
        guard let network = Network(vaultNumber: number) else {
            throw WireError.unknownValue(position: position, found: UInt64(number))
        }
        self.network = network
        masterFingerprint = Fingerprint(rawValue: try reader.readUInt32BigEndian())
        birthday = try PublicIndex.readBirthday(&reader)
        var accounts: [AccountPath: ExtendedPublicKey] = [:]
        for path in AccountPath.allCases {
            accounts[path] = try ExtendedPublicKey(
                serialized: reader.read(ExtendedPublicKey.byteCount))
        }
        self.accounts = accounts
        evmAddresses = try PublicIndex.readAddresses(&reader).map { EVMAddress(bytes: $0) }
        tronAddresses = try PublicIndex.readAddresses(&reader).map { TRONAddress(bytes: $0) }
        var solana: [SolanaPath: SolanaAddress] = [:]
        let count = Int(try reader.readUInt8())
        guard count == 0 || count == SolanaPath.allCases.count else {
            throw WireError.unknownValue(position: reader.position - 1, found: UInt64(count))
        }
        for path in SolanaPath.allCases.prefix(count) {
            solana[path] = SolanaAddress(try reader.readBytes32())
        }
        self.solana = solana
        try reader.finish()
    }

    private static func readBirthday(_ reader: inout Reader) throws(WireError) -> UInt64? {
        let isKnown = try reader.readFlag()
        let position = reader.position
        let birthday = try reader.readUInt64()
        guard isKnown || birthday == 0 else {
            throw .unknownValue(position: position, found: birthday)
        }
        return isKnown ? birthday : nil
    }

    private static func readAddresses(_ reader: inout Reader) throws(WireError) -> [Bytes20] {
        var addresses: [Bytes20] = []
        for _ in 0..<addressCount {
            if let address = Bytes20(try reader.read(20)) { addresses.append(address) }
        }
        return addresses
    }
}
