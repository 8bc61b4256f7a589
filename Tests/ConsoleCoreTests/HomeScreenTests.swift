import Messages
import StateFiles
import Testing

@testable import ConsoleCore

/// What screens are tried with.
enum Sample {
    static func id(_ byte: UInt8) -> VaultID {
        guard let id = VaultID([UInt8](repeating: byte, count: 16)) else {
            preconditionFailure("16 bytes")
        }
        return id
    }

    static func vault(
        _ byte: UInt8, _ name: String, _ kind: VaultKind = .wallet, problem: String = ""
    ) -> VaultRow {
        VaultRow(
            id: id(byte), kind: kind, chain: .regtest, createdAt: 1_796_000_000, name: name,
            problem: problem)
    }

    static func status(_ role: InstanceRole = .home) -> SignerStatus {
        var status = SignerStatus(chain: .regtest)
        status.uptimeSeconds = 200
        status.ledgerEntries = 12
        status.witness = .differs
        status.facts.role = role
        return status
    }

    static func home() -> HomeScreen {
        var screen = HomeScreen(signer: .value(status()))
        screen.network = .numbers(NetworkNumbers(NetworkStatus(chain: .regtest)))
        screen.requests = [
            .init(id: 3, text: "pays 0.00300000 BTC"), .init(id: 4, text: "evil\u{1b}[2J\nline"),
        ]
        screen.vaults = [vault(1, "Savings"), vault(2, "Papers", .items, problem: "it is gone")]
        return screen
    }
}

@Suite("Home screen")
struct HomeScreenTests {
    private func line(_ screen: HomeScreen, _ start: String) -> String? {
        screen.lines(columns: 80, rows: 24).first { $0.hasPrefix(start) }
    }

    @Test("a restart is shown, once as once", arguments: [(0, nil), (1, "1 TIME"), (2, "2 TIMES")])
    func restarts(_ count: UInt32, _ text: String?) {
        var status = SignerStatus(chain: .regtest)
        status.facts.signerRestarts = count
        let screen = HomeScreen(signer: .value(status))
        let expected = "Signer    running for 0 s" + (text.map { ", RESTARTED \($0)" } ?? "")
        #expect(line(screen, "Signer") == expected)
    }

    @Test(
        "two vaults of one name, and one without a name, are told apart by the start of their ids")
    func twins() {
        var screen = Sample.home()
        screen.vaults = [
            Sample.vault(1, "Savings"), Sample.vault(2, "savings"), Sample.vault(3, "Papers"),
            Sample.vault(4, ""),
        ]
        let lines = screen.lines(columns: 80, rows: 24)
        for row in [
            "Savings (01010101)  wallet", "savings (02020202)  wallet",
            "Papers              wallet", "? (04040404)        wallet",
        ] {
            #expect(lines.contains { $0.contains("  " + row) }, "\(row): \(lines)")
        }
    }

    @Test("an offline appliance misses no network process, another is asked before it is missed")
    func network() {
        func network(_ role: InstanceRole, _ answer: NetworkAnswer) -> String? {
            line(HomeScreen(signer: .value(Sample.status(role)), network: answer), "Network")
        }
        #expect(network(.home, .asking) == "Network   asking")
        #expect(network(.home, .silent) == "Network   not connected")
        for answer in [NetworkAnswer.asking, .silent] {
            #expect(network(.offline, answer) == "Network   none: this appliance is offline")
        }
    }

    @Test("what the network helper writes is read back, and nothing else is")
    func records() throws {
        var status = NetworkStatus(chain: .regtest)
        status.uptimeSeconds = 1 << 40
        status.linkIsUp = true
        status.roundTripNanoseconds = 12_345_678
        let numbers = NetworkNumbers(status)
        #expect(NetworkAnswer(record: numbers.record) == .numbers(numbers))
        #expect(NetworkAnswer(record: NetworkAnswer.silence) == .silent)
        #expect(NetworkAnswer(record: []) == nil)
        #expect(NetworkAnswer(record: NetworkAnswer.silence + [0xFF]) == nil)
    }

    @Test("it shows both sides, the ledger, what waits, and the vaults; text from outside as codes")
    func kept() throws {
        try expectKept(Sample.home().lines(columns: 80, rows: 24), "home")
        var small = Sample.home()
        small.vaults = (1...40).map { Sample.vault($0, "Wallet \($0)") }
        for _ in 0..<30 { _ = small.take(.down) }
        let lines = small.lines(columns: 80, rows: 24)
        #expect(lines.contains { $0.hasPrefix("> Wallet 29") }, "the chosen row is on the screen")
        #expect(lines.count == 24)
    }

    @Test("a ledger that was not read yet has no number")
    func ledger() {
        var status = Sample.status()
        for (count, shown) in [(nil, "not read yet"), (0, "0 entries"), (1, "1 entry")]
            as [(UInt64?, String)]
        {
            status.ledgerEntries = count
            let ledger = line(HomeScreen(signer: .value(status)), "Ledger")
            #expect(ledger?.hasPrefix("Ledger    " + shown) == true)
        }
    }

    @Test("a signer that does not answer leaves two keys")
    func problem() throws {
        let screen = HomeScreen(signer: .problem("nobody listens"), network: .silent)
        try expectKept(screen.lines(columns: 80, rows: 24), "home-without-signer")
    }

    @Test("arrows choose, and Enter opens what is chosen")
    func keys() {
        var screen = Sample.home()
        #expect(screen.take(.enter) == .request(3))
        #expect(screen.take(.up) == .more)
        for _ in 0..<2 { _ = screen.take(.down) }
        #expect(screen.take(.enter) == .vault(Sample.vault(1, "Savings")))
        for _ in 0..<9 { _ = screen.take(.down) }
        #expect(
            screen.take(.enter) == .vault(Sample.vault(2, "Papers", .items, problem: "it is gone")))
        #expect(screen.take(.home) == .more && screen.take(.enter) == .request(3))
        #expect(screen.take(.pageDown) == .more && screen.take(.pageUp) == .more)
        #expect(screen.take(.enter) == .request(3))
        #expect(screen.take(.end) == .more)
        #expect(
            screen.take(.enter) == .vault(Sample.vault(2, "Papers", .items, problem: "it is gone")))
        #expect(screen.take(.character("q")) == .quit)
        #expect(screen.take(.cancel) == .quit)
        #expect(screen.take(.character("r")) == .refresh)
        #expect(screen.take(.character("l")) == .run(.ledger))
        #expect(screen.take(.character("x")) == .more)
        screen.requests = nil
        screen.vaults = []
        #expect(screen.take(.enter) == .more)
    }
}
