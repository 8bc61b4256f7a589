import Messages
import Testing

@Suite("The head of the ledger as a witness")
struct LedgerWitnessTests {
    private func head(ledger: UInt8, counter: UInt64, hash: UInt8 = 0) throws -> LedgerWitness {
        var bytes = [UInt8](repeating: 0, count: LedgerWitness.length)
        bytes[10] = 1
        bytes[11] = ledger
        for place in 0..<8 { bytes[32 + place] = UInt8(truncatingIfNeeded: counter >> (8 * place)) }
        bytes[48] = hash
        return try #require(LedgerWitness(bytes))
    }

    @Test("It has 176 bytes and tells how many entries there are")
    func length() throws {
        #expect(LedgerWitness([UInt8](repeating: 0, count: 175)) == nil)
        #expect(LedgerWitness([UInt8](repeating: 0, count: 177)) == nil)
        #expect(
            try head(ledger: 1, counter: 0x0102_0304_0506_0708).counter == 0x0102_0304_0506_0708)
    }

    @Test("Of one ledger only a newer one replaces it, of another ledger any one")
    func replaces() throws {
        let kept = try head(ledger: 1, counter: 5)
        #expect(try head(ledger: 1, counter: 6).replaces(kept))
        #expect(try !head(ledger: 1, counter: 5, hash: 1).replaces(kept))
        #expect(try !head(ledger: 1, counter: 4).replaces(kept))
        #expect(try head(ledger: 2, counter: 1).replaces(kept))
    }
}
