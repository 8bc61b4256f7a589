import Bitcoin
import Foundation
import KeyTree
import SecretMemory
import Signing
import StateFiles
import Wire

@testable import Vault

/// All that a vault file is made from, for vectors and for what is exchanged with the second
/// implementation.
struct VaultInputs {
    var network = Network.mainnet
    var createdAt: UInt64 = 1_750_000_000
    var password = "Correct horse 7"
    var cost = PasswordCost.standard
    var entropy: [UInt8] = []
    var passphrase = ""
    var extendedKey = ""
    var birthday: UInt64?
    let id: VaultID
    /// The values that would be random, in the order in which they are drawn.
    let random: [(name: String, bytes: [UInt8])]
    let secretKey: [UInt8]
    let recoveryCode: [UInt8]

    private static let drawn = [
        ("master key", 32), ("password salt", 32), ("password inner nonce", 12),
        ("password outer nonce", 12), ("recovery salt", 32), ("recovery inner nonce", 12),
        ("recovery outer nonce", 12), ("body inner nonce", 12), ("body outer nonce", 12),
    ]

    /// Values from `bytes`, which gets a name and a length.
    init(from bytes: (String, Int) -> [UInt8]) {
        id = VaultID(bytes("id", 16)) ?? .fixed("unused")
        secretKey = bytes("secret key", 32)
        recoveryCode = bytes("recovery code", 20)
        random = VaultInputs.drawn.map { ($0.0, bytes($0.0, $0.1)) }
    }

    /// The same values in every run.
    static func fixed(_ name: String) -> VaultInputs {
        VaultInputs { fixedBytes("\(name) \($0)", count: $1) }
    }

    /// Other values in each run.
    static func fresh() -> VaultInputs {
        VaultInputs { RandomSource.kernel.bytes(count: $1) }
    }

    var key: VaultSecretKey { VaultSecretKey(secret(secretKey)) }
    var code: RecoveryCode { RecoveryCode(secret(recoveryCode)) }

    func body() throws -> VaultBody {
        if !entropy.isEmpty {
            return try VaultBody(
                Mnemonic(entropy: secret(entropy)), passphrase: secret(passphrase),
                birthday: birthday)
        }
        guard !extendedKey.isEmpty else { return .items() }
        return try VaultBody(
            ExtendedPrivateKey(text: secret(extendedKey), SigningContext()), birthday: birthday)
    }

    func create() throws -> NewVault {
        try VaultFile.create(
            id: id, network: network, createdAt: createdAt, body: body(),
            password: secret(password), cost: cost, code: code, secretKey: key,
            using: .scripted(random.map(\.bytes)))
    }

    // MARK: For the second implementation

    var object: [String: Any] {
        let (derivation, first, second): (String, UInt32, UInt32) =
            switch cost {
            case .argon2id(let passes, let memoryKiB): ("argon2id", passes, memoryKiB)
            case .pbkdf2(let iterations): ("pbkdf2", iterations, 0)
            }
        var object = contents
        object["id"] = id.description
        object["secret key"] = Hex.encode(secretKey)
        object["recovery code"] = Hex.encode(recoveryCode)
        object["password"] = password
        object["derivation"] = derivation
        object["cost"] = Int(first)
        object["memory"] = Int(second)
        for (name, bytes) in random { object[name] = Hex.encode(bytes) }
        return object
    }

    var contents: [String: Any] {
        [
            "kind": entropy.isEmpty && extendedKey.isEmpty ? "items" : "wallet",
            "network": network.rawValue, "created at": Int(createdAt),
            "entropy": Hex.encode(entropy), "passphrase": passphrase, "extended key": extendedKey,
            "birthday": birthday.map { Int($0) as Any } ?? NSNull(),
        ]
    }

    /// The keys and parts that come up, by the functions that the vault itself uses.
    func onTheWay(_ file: VaultFile) throws -> [String: Any] {
        let salt = file.passwordSlot.salt
        let stretched = try cost.stretch(secret(password), salt: salt)
        let master = secret(random[0].bytes)
        let code = secret(recoveryCode)
        func key(_ material: borrowing SecretBytes, _ label: DomainLabel, _ salt: [UInt8]) -> Any {
            Hex.encode(material.key(for: label, salt: salt).revealed())
        }
        let secretKey = secret(secretKey)
        return [
            "header": Hex.encode(file.header.bytes),
            "stretched password": Hex.encode(stretched.revealed()),
            "password inner key": key(stretched.joined(with: secretKey), .passwordSlotInner, salt),
            "password outer key": key(secretKey, .passwordSlotOuter, id.bytes),
            "password slot": Hex.encode(file.passwordSlot.bytes),
            "recovery inner key": key(
                code.joined(with: secretKey), .recoverySlotInner, file.recoverySlot.salt),
            "recovery outer key": key(secretKey, .recoverySlotOuter, id.bytes),
            "recovery slot": Hex.encode(file.recoverySlot.bytes),
            "body inner key": key(master, .bodyInner, id.bytes),
            "body outer key": key(secretKey, .bodyOuter, id.bytes),
        ]
    }

    func formatCase(_ name: String) throws -> FormatCase {
        let file = try create().file
        return FormatCase(
            name: name, format: "vault", inputs: object, onTheWay: try onTheWay(file),
            bytes: file.bytes, contents: contents)
    }
}

/// What a vault file says that it holds, in the form of `VaultInputs.contents`.
func contents(of vault: borrowing CheckedVault, _ masterKey: borrowing MasterKey) throws
    -> [String: Any]
{
    let header = vault.file.header
    let body = try vault.body(masterKey)
    var entropy: [UInt8] = []
    if let phrase = body.phrase() { entropy = phrase.entropy().revealed() }
    return [
        "kind": header.kind == .items ? "items" : "wallet", "network": header.network.rawValue,
        "created at": Int(header.createdAt), "entropy": Hex.encode(entropy),
        "passphrase": body.withPassphrase { String(decoding: $0, as: UTF8.self) },
        "extended key": body.withExtendedKeyText { String(decoding: $0, as: UTF8.self) },
        "birthday": body.birthday.map { Int($0) as Any } ?? NSNull(),
    ]
}
