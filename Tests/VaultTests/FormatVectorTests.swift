import Accounts
import Bitcoin
import Foundation
import SecretMemory
import Signing
import StateFiles
import Testing
import Wire

@testable import Vault

/// Vectors that our own code wrote from fixed values; the second implementation derives them again.
@Suite("Vectors of the formats")
struct FormatVectorTests {
    static let masterKey =
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3"
        + "TGtRBeJgk33yuGBxrMPHi"

    static func vaults() -> [(String, VaultInputs)] {
        var phrase = VaultInputs.fixed("phrase")
        phrase.entropy = fixedBytes("phrase entropy", count: 32)
        phrase.passphrase = "Zwölf Boxkämpfer"
        phrase.birthday = 1_700_000_000
        var short = VaultInputs.fixed("short")
        short.network = .signet
        short.entropy = fixedBytes("short entropy", count: 16)
        short.password = "Пароль и 7 слов"
        short.cost = .pbkdf2
        var imported = VaultInputs.fixed("imported")
        imported.extendedKey = masterKey
        imported.cost = .argon2id(passes: 2, memoryKiB: 64 << 10)
        imported.birthday = 0
        var items = VaultInputs.fixed("items")
        items.network = .regtest
        items.cost = .pbkdf2(iterations: 650_001)
        return [
            ("phrase, Argon2id", phrase), ("short phrase, PBKDF2", short),
            ("extended key, Argon2id", imported), ("items, PBKDF2", items),
        ]
    }

    @Test("vault files are what they were when the vectors were written")
    func vaultFiles() throws {
        let cases = try Self.vaults().map { try $0.1.formatCase($0.0) }
        #expect(cases.count == 4)
        #expect(try FormatVectors.hold(cases, in: "vault.json"))
    }

    @Test("small files are what they were when the vectors were written")
    func smallFiles() throws {
        let cases = try SmallFiles.cases()
        #expect(cases.count == 8)
        #expect(try FormatVectors.hold(cases, in: "small-files.json"))
    }

    @Test("texts of the kit and fields of a pipe are what they were when the vectors were written")
    func kit() throws {
        let cases = try KitTexts.cases()
        #expect(cases.count == 6)
        #expect(try FormatVectors.hold(cases, in: "kit.json"))
    }
}

/// Cases of the formats that are sealed under the keys of a machine.
enum SmallFiles {
    static let id = VaultID.fixed("small files")

    static func cases() throws -> [FormatCase] {
        let records = [
            AttemptsRecord.none, AttemptsRecord(failures: 5, waitSeconds: 2),
            AttemptsRecord(failures: .max, waitSeconds: 3600),
        ]
        return [try secretKey(from: fixedBytes)]
            + records.map { attempts($0, from: fixedBytes) }
            + (try ["Savings", "Ersparnisse für Zoë ☂"].map { try name($0, from: fixedBytes) })
            + (try [FormatVectorTests.vaults()[0].1, FormatVectorTests.vaults()[2].1].map {
                try index($0, from: fixedBytes)
            })
    }

    static func secretKey(from bytes: (String, Int) -> [UInt8]) throws -> FormatCase {
        let device = bytes("device key", 32)
        let key = bytes("secret key", 32)
        let nonce = bytes("secret key nonce", 12)
        let file = VaultSecretKey(secret(key)).sealed(
            for: id, under: try DeviceKey(secret(device)), using: .scripted([nonce]))
        let sealingKey = try DeviceKey(secret(device)).key(for: .secretKey, salt: id.bytes)
        return FormatCase(
            name: "secret key", format: "secret key",
            inputs: [
                "id": id.description, "device key": Hex.encode(device),
                "secret key": Hex.encode(key), "nonce": Hex.encode(nonce),
            ], onTheWay: ["sealing key": Hex.encode(sealingKey.revealed())],
            bytes: file, contents: ["secret key": Hex.encode(key)])
    }

    static func attempts(
        _ record: AttemptsRecord, from bytes: (String, Int) -> [UInt8]
    ) -> FormatCase {
        let device = bytes("device key", 32)
        let nonce = bytes("attempts nonce \(record.failures)", 12)
        guard let key = try? DeviceKey(secret(device)) else { preconditionFailure("32 bytes") }
        let contents = ["failures": Int(record.failures), "wait": Int(record.waitSeconds)]
        let inputs: [String: Any] = [
            "id": id.description, "device key": Hex.encode(device), "nonce": Hex.encode(nonce),
        ]
        return FormatCase(
            name: "\(record.failures) failed passwords", format: "attempts",
            inputs: inputs.merging(contents) { $1 },
            onTheWay: [
                "sealing key": Hex.encode(key.key(for: .attempts, salt: id.bytes).revealed())
            ],
            bytes: record.sealed(for: id, under: key, using: .scripted([nonce])),
            contents: contents)
    }

    static func name(_ text: String, from bytes: (String, Int) -> [UInt8]) throws -> FormatCase {
        let index = bytes("index key", 32)
        let key = secret(index).key(for: .name, salt: id.bytes)
        return FormatCase(
            name: "name of \(text.utf8.count) bytes", format: "name",
            inputs: ["id": id.description, "index key": Hex.encode(index), "name": text],
            onTheWay: ["code key": Hex.encode(key.revealed())],
            bytes: try VaultName(text).sealed(for: id, under: IndexKey(secret(index))),
            contents: ["name": text])
    }

    static func index(
        _ inputs: VaultInputs, from bytes: (String, Int) -> [UInt8]
    ) throws -> FormatCase {
        let indexKey = bytes("index key", 32)
        guard let index = try PublicIndex(of: inputs.body(), on: inputs.network, SigningContext())
        else { preconditionFailure("a wallet has an index") }
        let key = secret(indexKey).key(for: .index, salt: id.bytes)
        let contents = contents(of: index)
        let named = ["id": id.description, "index key": Hex.encode(indexKey)]
        return FormatCase(
            name: "index with \(index.solana.count) Solana keys", format: "index",
            inputs: contents.merging(named) { $1 },
            onTheWay: ["code key": Hex.encode(key.revealed())],
            bytes: index.sealed(for: id, under: try IndexKey(secret(indexKey))),
            contents: contents)
    }

    static func contents(of index: PublicIndex) -> [String: Any] {
        [
            "network": index.network.rawValue, "fingerprint": index.masterFingerprint.description,
            "birthday": index.birthday.map { $0 as Any } ?? NSNull(),
            "accounts": AccountPath.allCases.map { index.accounts[$0]?.description ?? "" },
            "evm addresses": index.evmAddresses.map { "0x" + Hex.encode($0.bytes.array) },
            "tron addresses": index.tronAddresses.map(\.description),
            "solana": SolanaPath.allCases.compactMap { index.solana[$0]?.description },
        ]
    }
}

/// Cases of what a person types and is shown.
enum KitTexts {
    static func cases() throws -> [FormatCase] {
        let code = fixedBytes("kit code", count: 20)
        let key = fixedBytes("kit key", count: 32)
        let fields: [(SecretFields.Tag, [UInt8])] = [
            (.password, Array("Correct horse 7".utf8)), (.words, []), (.vaultID, code),
        ]
        return [
            text("recovery code", code, RecoveryCode(secret(code)).text().revealed()),
            text("secret key", key, VaultSecretKey(secret(key)).text().revealed()),
            text(
                "recovery code", [UInt8](repeating: 0xFF, count: 20),
                RecoveryCode(secret([UInt8](repeating: 0xFF, count: 20))).text().revealed()),
            text(
                "secret key", [UInt8](repeating: 0, count: 32),
                VaultSecretKey(SecretBytes(count: 32)).text().revealed()),
            pipe(fields), pipe([]),
        ]
    }

    static func text(_ kind: String, _ bytes: [UInt8], _ text: [UInt8]) -> FormatCase {
        FormatCase(
            name: "\(kind) \(Hex.encode(bytes.prefix(2)))", format: "kit text",
            inputs: ["kind": kind, "bytes": Hex.encode(bytes)], bytes: text,
            contents: ["bytes": Hex.encode(bytes)])
    }

    static func pipe(_ fields: [(SecretFields.Tag, [UInt8])]) -> FormatCase {
        var writer = SecretFieldsWriter()
        for (tag, value) in fields { writer.write(tag, secret(value)) }
        let listed = fields.map { [name(of: $0.0), Hex.encode($0.1)] }
        return FormatCase(
            name: "pipe with \(fields.count) fields", format: "pipe fields",
            inputs: ["fields": listed], bytes: writer.finish().revealed(),
            contents: ["fields": listed])
    }

    static func name(of tag: SecretFields.Tag) -> String {
        switch tag {
        case .password: "password"
        case .newPassword: "new password"
        case .words: "words"
        case .passphrase: "passphrase"
        case .dice: "dice"
        case .xprv: "extended key"
        case .recoveryCode: "recovery code"
        case .secretKey: "secret key"
        case .vaultID: "vault id"
        case .itemName: "item name"
        case .suggestions: "suggestions"
        case .kernelEntropy: "kernel entropy"
        case .itemType: "item type"
        case .itemDate: "item date"
        case .itemSize: "item size"
        }
    }
}
