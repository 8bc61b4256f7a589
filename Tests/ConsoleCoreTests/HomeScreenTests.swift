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

    @Test("an offline appliance misses no network process")
    func offline() {
        func line(_ role: InstanceRole) -> String? {
            var status = SignerStatus(chain: .regtest)
            status.facts.role = role
            let screen = HomeScreen(signer: .value(status), network: nil)
            return screen.lines(columns: 80, rows: 24).first { $0.hasPrefix("Network") }
        }
        #expect(line(.home) == "Network   not connected")
        #expect(line(.offline) == "Network   none: this appliance is offline")
    }
}
