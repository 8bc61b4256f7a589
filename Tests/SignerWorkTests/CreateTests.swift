import Messages
import StateFiles
import Testing
import Vault

@Suite("New wallets")
struct CreateTests {
    @Test("a new wallet has all its files, a kit, and words that open it")
    func create() throws {
        let machine = TestMachine()
        let id = try machine.create(words: 24)
        #expect(
            Set(machine.state.keys) == [
                .deviceKey, .indexKey, .secretKey(id), .vault(id), .name(id), .attempts(id),
                .index(id), .ledgerKey, .ledgerHead, .ledgerEntries,
            ])
        #expect(machine.output[.vaultID] == id.description)
        #expect(machine.output[.secretKey]?.isEmpty == false)
        #expect(machine.output[.recoveryCode]?.isEmpty == false)
        let words = try #require(machine.output[.words])
        #expect(words.split(separator: " ").count == 24)
        #expect(try machine.words(id) == words)
    }
}
