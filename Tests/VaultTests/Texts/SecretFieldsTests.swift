import SecretMemory
import StateFiles
import TestSupport
import Testing

@testable import Vault

@Suite("Fields of a pipe")
struct SecretFieldsTests {
    private static func error(_ bytes: [UInt8]) -> SecretFieldsError? {
        do throws(SecretFieldsError) {
            _ = try SecretFields(secret(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test("fields come back, empty ones too, and others are not there")
    func roundTrip() throws {
        var writer = SecretFieldsWriter()
        writer.write(.password, secret("Passwörd 1"))
        writer.write(.passphrase, SecretBytes(count: 0))
        writer.write(.words, secret([UInt8](repeating: 7, count: 1000)))
        let fields = try SecretFields(writer.finish())
        #expect(fields.tags == [.password, .passphrase, .words])
        #expect(fields.copy(.password)?.text() == "Passwörd 1")
        #expect(fields.copy(.passphrase)?.revealed() == [])
        #expect(fields.copy(.words)?.count == 1000)
        let isThere = fields.copy(.newPassword) != nil
        #expect(!isThere)
    }

    @Test("a kit has the id, the key and the code as they are printed")
    func kit() throws {
        let id = VaultID.fixed("kit")
        let key = VaultSecretKey.random()
        let code = RecoveryCode.random()
        var writer = SecretFieldsWriter()
        writer.write(kitOf: id, secretKey: key, code: code)
        let fields = try SecretFields(writer.finish())
        #expect(fields.copy(.vaultID)?.text() == id.description)
        #expect(fields.copy(.secretKey)?.text() == key.text().text())
        #expect(fields.copy(.recoveryCode)?.text() == code.text().text())
    }

    @Test("unknown tags, repeated ones, cut fields and too many bytes are refused")
    func refused() {
        #expect(Self.error([1, 0, 0, 99, 0, 0]) == .unknownTag(99, position: 3))
        #expect(Self.error([0, 0, 0]) == .unknownTag(0, position: 0))
        #expect(Self.error([1, 0, 0, 1, 0, 0]) == .repeated(.password))
        #expect(Self.error([1, 2, 0, 65]) == .truncated(position: 0))
        #expect(Self.error([1, 0]) == .truncated(position: 0))
        let most = [UInt8(1), 0xFD, 0x1F] + [UInt8](repeating: 65, count: 8189)
        #expect(Self.error(most) == nil)
        #expect(Self.error(most + [2]) == .tooLong(found: 8193, allowed: 8192))
    }

    @Test("nothing traps on whatever comes through a pipe")
    func mutations() {
        var generator = SeededGenerator(seed: 7)
        let bytes: [UInt8] = [1, 3, 0, 65, 66, 67, 3, 0, 0, 9, 2, 0, 1, 2]
        for _ in 0..<5000 { _ = Self.error(generator.mutated(bytes)) }
    }
}
