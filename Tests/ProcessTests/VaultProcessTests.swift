import Foundation
import Glibc
import LinuxIO
import Messages
import StateFiles
import Testing

/// Operations on vaults with the real signer: its filter, its workers, its files.
@Suite("Vaults in the signer's process", .serialized)
struct VaultProcessTests {
    private func signer(in folder: String? = nil) throws -> RunningChild {
        let child = try RunningChild("bulkhead-signer", in: folder)
        try child.begin(as: .signer)
        return child
    }

    private func files(_ child: RunningChild) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: child.folder + "/state")
        return (names?.compactMap { $0 as? String } ?? []).sorted()
    }

    @Test("A wallet is created, listed and shown, with either way from password to key")
    func create() throws {
        let child = try signer()
        let console = try child.console()
        for kdf in PasswordKDF.allCases {
            let made = try console.createWallet("savings \(kdf)", kdf: kdf)
            let words = try #require(made.secrets[SecretField.words.rawValue])
            #expect(words.split(separator: " ").count == 12)

            let output = try LinuxIO.Pipe()
            try console.hand(.output, output.writing)
            let shown = try console.operate(
                .showPhrase(made.id), secrets: Person.fields([(.password, Person.password)]))
            guard case .success = shown else { throw Missing(what: "words: \(shown)") }
            let again = Person.fields(in: try Person.read(output.reading))
            #expect(again[SecretField.words.rawValue] == words)
        }
        guard case .success(.vaults(let rows)) = try console.operate(.list) else {
            throw Missing(what: "a list")
        }
        #expect(Set(rows.map(\.name)) == ["savings argon2id", "savings pbkdf2"])
        #expect(try !files(child).contains { $0.hasSuffix(".new") || $0 == "journal" })
    }
}
