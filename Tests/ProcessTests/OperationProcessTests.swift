import LinuxIO
import Messages
import StateFiles
import Testing

/// A person's days with a wallet, through the real processes.
@Suite("A wallet's days in the signer's process", .serialized)
struct OperationProcessTests {
    private let next = "Another horse 10"

    /// Asks with a pipe for output; the answer and what came out.
    private func ask(
        _ console: ConsoleChannel, _ request: VaultRequest, _ fields: [(SecretField, String)]
    ) throws -> (answer: VaultAnswer, secrets: [UInt8: String]) {
        let output = try LinuxIO.Pipe()
        try console.hand(.output, output.writing)
        let answer = try console.operate(request, secrets: Person.fields(fields)).get()
        return (answer, Person.fields(in: try Person.read(output.reading)))
    }

    private func refusal(
        _ console: ConsoleChannel, _ request: VaultRequest, _ fields: [(SecretField, String)]
    ) throws -> VaultRefusal? {
        let result = try console.operate(request, secrets: Person.fields(fields))
        guard case .failure(let refusal) = result else { return nil }
        return refusal
    }

    @Test("Words come in, password and name change, a new kit opens, and the wallet is deleted")
    func days() throws {
        let child = try RunningChild("bulkhead-signer")
        try child.begin(as: .signer)
        let console = try child.console()
        let words = [String](repeating: "abandon", count: 11).joined(separator: " ") + " about"
        let new = NewVault(name: "Old", birthday: 1_500_000_000)
        let imported = try ask(
            console, .importWords(new, hasPassphrase: false),
            [(.newPassword, Person.password), (.words, words)])
        guard case .made(let id, "73c5da0a", let rows, _) = imported.answer else {
            throw Missing(what: "the wallet: \(imported.answer)")
        }
        #expect(rows.count == 215)
        #expect(try console.operate(.index(id)) == .success(.index(fingerprint: "73c5da0a", rows)))
        #expect(
            try refusal(
                console, .changePassword(id, .argon2id),
                [(.password, next), (.newPassword, next)])
                == .wrongPassword(failures: 1, wait: 0))
        #expect(
            try refusal(
                console, .changePassword(id, .argon2id),
                [(.password, Person.password), (.newPassword, next)]) == nil)
        #expect(
            try refusal(console, .rename(id, name: "Cold & old"), [(.password, next)]) == nil)
        let kit = try ask(console, .newKit(id), [(.password, next)]).secrets
        let first = imported.secrets[SecretField.recoveryCode.rawValue] ?? ""
        let second = kit[SecretField.recoveryCode.rawValue] ?? ""
        #expect(
            try refusal(
                console, .openWithCode(id, .argon2id),
                [(.recoveryCode, first), (.newPassword, Person.password)]) == .wrongCode)
        #expect(
            try refusal(
                console, .openWithCode(id, .argon2id),
                [(.recoveryCode, second), (.newPassword, Person.password)]) == nil)
        let shown = try ask(console, .showPhrase(id), [(.password, Person.password)])
        #expect(shown.secrets == [SecretField.words.rawValue: words])
        guard case .success(.vaults(let list)) = try console.operate(.list) else { return }
        #expect(list.map(\.name) == ["Cold & old"])
        #expect(list.map(\.problem) == [""])
        #expect(
            try refusal(
                console, .delete(id, name: "Cold & old"), [(.password, Person.password)]) == nil)
        #expect(try console.operate(.list) == .success(.vaults([])))
        guard case .success(.ledgerHolds(let entries, _, _)) = try console.operate(.ledgerVerify)
        else {
            Issue.record("the ledger does not hold")
            return
        }
        // Nine things that were done or tried; a start of the signer may be among the entries.
        #expect(entries >= 9)
    }
}
