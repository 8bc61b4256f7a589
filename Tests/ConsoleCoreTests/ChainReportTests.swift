import ConsoleCore
import Testing

@Suite("What the light client's answers say")
struct ChainReportTests {
    @Test("an address is told as not given out by this watched wallet, and no more")
    func address() {
        #expect(
            ChainReport.address("bcrt1q", index: 4).lines == [
                "bcrt1q", "index 4; this watched wallet had not given it out",
            ])
    }
}
