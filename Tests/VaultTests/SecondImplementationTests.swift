import Foundation
import Signing
import StateFiles
import Testing
import Wire

@testable import Vault

@Suite("Second implementation")
struct SecondImplementationTests {
    @Test("derives every vector from the page of formats")
    func vectors() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: SecondImplementation.vectors, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
        let cases = try files.map { file in
            let rows = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            return (rows as? [Any])?.count ?? 0
        }
        let (status, lines) = try SecondImplementation.check(files)
        #expect(status == 0, "\(lines)")
        #expect(lines.filter { $0.hasPrefix("ok ") }.count == cases.reduce(0, +))
        #expect(cases.reduce(0, +) >= 18)
    }

    @Test("opens vaults that were written here, and the other way round", arguments: 0..<3)
    func vaults(kind: Int) throws {
        var inputs = VaultInputs.fresh()
        switch kind {
        case 0:
            inputs.entropy = RandomSource.kernel.bytes(count: 32)
            inputs.passphrase = "ﬁve ǅ 7"
            inputs.birthday = .max >> 1
        case 1:
            inputs.extendedKey = FormatVectorTests.masterKey
            inputs.cost = .pbkdf2
        default: inputs.password = "Пароль и 7 слов"
        }
        let written = try inputs.create().file.bytes
        let read = try SecondImplementation.open("vault", written, inputs.object)
        #expect(try sameJSON(read, inputs.contents))

        let theirs = try VaultFile(SecondImplementation.write("vault", inputs.object))
        #expect(theirs.bytes == written)
        let vault = try theirs.checkOuter(inputs.key)
        let byPassword = try vault.open(password: secret(inputs.password))
        let byCode = try vault.open(code: inputs.code)
        let found = try contents(of: vault, byPassword)
        #expect(try sameJSON(found, inputs.contents))
        let again = try contents(of: vault, byCode)
        #expect(try sameJSON(again, inputs.contents))
    }

    @Test("opens small files that were written here, and the other way round")
    func smallFiles() throws {
        var values: [String: [UInt8]] = [:]
        func fresh(_ name: String, _ count: Int) -> [UInt8] {
            let value = values[name] ?? RandomSource.kernel.bytes(count: count)
            values[name] = value
            return value
        }
        var wallet = VaultInputs.fresh()
        wallet.entropy = RandomSource.kernel.bytes(count: 24)
        let record = AttemptsRecord(failures: 7, waitSeconds: 8)
        let cases = [
            try SmallFiles.secretKey(from: fresh), SmallFiles.attempts(record, from: fresh),
            try SmallFiles.name("Für später", from: fresh),
            try SmallFiles.index(wallet, from: fresh),
        ]
        for one in cases {
            let read = try SecondImplementation.open(one.format, one.bytes, one.inputs)
            #expect(try sameJSON(read, one.contents), "\(one.format)")
            #expect(try SecondImplementation.write(one.format, one.inputs) == one.bytes)
        }
        let id = SmallFiles.id
        let device = try DeviceKey(secret(fresh("device key", 32)))
        let indexKey = try IndexKey(secret(fresh("index key", 32)))
        let theirs = try cases.map { try SecondImplementation.write($0.format, $0.inputs) }
        let key = try VaultSecretKey(sealed: theirs[0], for: id, under: device)
        #expect(key.bytes.revealed() == values["secret key"])
        #expect(try AttemptsRecord(sealed: theirs[1], for: id, under: device) == record)
        #expect(try VaultName(sealed: theirs[2], for: id, under: indexKey).text == "Für später")
        let index = try PublicIndex(sealed: theirs[3], for: id, under: indexKey)
        let again = try PublicIndex(of: wallet.body(), on: .mainnet, SigningContext())
        #expect(index == again)
    }

    @Test("reads texts of the kit that were written here, and the other way round")
    func kit() throws {
        for _ in 0..<20 {
            let code = RecoveryCode.random()
            let bytes = code.bytes.revealed()
            let inputs: [String: Any] = ["kind": "recovery code", "bytes": Hex.encode(bytes)]
            let read = try SecondImplementation.open("kit text", code.text().revealed(), inputs)
            #expect(try sameJSON(read, ["bytes": Hex.encode(bytes)]))
            let text = try SecondImplementation.write("kit text", inputs)
            #expect(try RecoveryCode(text: secret(text)).bytes.revealed() == bytes)
        }
    }

    @Test("refuses what was changed")
    func refusals() throws {
        let one = try SmallFiles.secretKey(from: fixedBytes)
        var changed = one.bytes
        changed[40] ^= 1
        #expect(throws: SecondImplementation.Failure.self) {
            try SecondImplementation.open(one.format, changed, one.inputs)
        }
        var values = FormatVectorTests.vaults()[1].1
        values.cost = .pbkdf2
        var vault = try values.create().file.bytes
        vault[100] ^= 1
        #expect(throws: SecondImplementation.Failure.self) {
            try SecondImplementation.open("vault", vault, values.object)
        }
    }
}
