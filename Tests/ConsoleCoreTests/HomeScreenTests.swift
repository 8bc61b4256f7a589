import Messages
import Testing

@testable import ConsoleCore

@Suite("Home screen")
struct HomeScreenTests {
    @Test("a restart is shown, once as once", arguments: [(0, nil), (1, "1 TIME"), (2, "2 TIMES")])
    func restarts(_ count: UInt32, _ text: String?) {
        var status = SignerStatus(chain: .regtest)
        status.facts.signerRestarts = count
        let screen = HomeScreen(signer: .value(status), network: nil)
        let line = screen.lines(columns: 80, rows: 24).first { $0.hasPrefix("Signer") }
        #expect(line == "Signer    running for 0 s" + (text.map { ", RESTARTED \($0)" } ?? ""))
    }
}
