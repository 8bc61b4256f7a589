import Testing
import Wire

@Suite("Numbers and what they count")
struct CountedTests {
    @Test("one is one, and all else several")
    func counts() {
        #expect((0...2).map { counted($0, "wallet") } == ["0 wallets", "1 wallet", "2 wallets"])
        #expect(counted(UInt64(1), "entry", "entries") == "1 entry")
        #expect(counted(UInt8(7), "entry", "entries") == "7 entries")
    }
}
