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

    @Test("what cannot be seen is no part of a name, and neither are spaces at its ends")
    func refused() {
        let refused: [(String, VaultNameError)] = [
            ("0123456789abcdef0123456789abcdef", .looksLikeID),
            ("", .empty), (" a", .spaceAtEnd), ("a ", .spaceAtEnd),
            ("a\tb", .invisible(place: 2)), ("a\u{202E}b", .invisible(place: 2)),
            ("a\u{200B}", .invisible(place: 2)), ("\u{1B}[1m", .invisible(place: 1)),
            ("a\u{85}", .invisible(place: 2)), ("a\u{2028}b", .invisible(place: 2)),
            ("a\u{A0}b", .invisible(place: 2)), ("\u{E000}", .invisible(place: 1)),
            (String(repeating: "a", count: 65), .tooLong(found: 65, allowed: 64)),
        ]
        for (text, error) in refused {
            #expect(throws: error, "\(error)") { try VaultName(text) }
        }
    }
}
