import StateFiles
import Testing

@testable import Vault

@Suite("Names of vaults")
struct VaultNameTests {
    @Test("names of 1 to 64 visible characters come back from their file")
    func names() throws {
        let id = VaultID.fixed("name")
        let key = try IndexKey(secret(fixedBytes("index", count: 32)))
        let names = [
            "a", "Savings", "Für später, nicht jetzt", "年金", "☂",
            String(repeating: "𝔸", count: 64),
        ]
        for text in names {
            let file = try VaultName(text).sealed(for: id, under: key)
            #expect(VaultName.sizes.contains(file.count))
            #expect(try VaultName(sealed: file, for: id, under: key).text == text)
            #expect(throws: VaultError.damaged(.name)) {
                try VaultName(sealed: file, for: id, under: .random())
            }
        }
    }

    @Test("a name that is refused today and was given before is read as it is")
    func kept() throws {
        let id = VaultID.fixed("name")
        let key = try IndexKey(secret(fixedBytes("index", count: 32)))
        for text in ["1", "..", "-a", "x/y", "number:7"] {
            #expect(throws: GivenNameError.self) { try VaultName(text) }
            let file = try VaultName(kept: text).sealed(for: id, under: key)
            #expect(try VaultName(sealed: file, for: id, under: key).text == text)
        }
    }
}
