import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import StateFiles
import TestSupport
import Testing

/// A PSBT that Bitcoin Core made for a wallet of plain accounts, and what Core made of it.
struct RecordedPSBT: Decodable, Sendable {
    let wallet: String
    let unsigned: String
    let signed: [String: String]
    let txid: String

    var file: [UInt8] { Array(unsigned.utf8) }

    /// The words of the wallet.
    static let words = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

    static func load() throws -> [RecordedPSBT] {
        try Fixture.load("psbt/core-regtest.json", as: [RecordedPSBT].self)
            .filter { ["pkh", "sh-wpkh", "wpkh", "tr"].contains($0.wallet) }
    }
}

/// The real signer and the real network process with a link between them, and the test as the keeper.
final class BothProcesses {
    private(set) var signer: RunningChild
    private(set) var network: RunningChild
    private var generation: UInt64 = 0

    /// Starts both in these folders, or in fresh ones.
    init(
        signerFolder: ChildFolder = ChildFolder(), networkFolder: ChildFolder = ChildFolder()
    ) throws {
        let pair = try LocalSocket.pair()
        signer = try RunningChild("bulkhead-signer", link: pair.first, in: signerFolder)
        network = try RunningChild("bulkhead-network", link: pair.second, in: networkFolder)
        try signer.begin(as: .signer)
        try network.begin(as: .network)
    }

    /// Ends both; what they kept stays where it is until this value is gone.
    func stop() throws {
        for child in [signer, network] {
            try child.order(.stop)
            #expect(try child.ending() == .exited(0))
        }
    }

    /// The network process is killed and another one begins on what it left.
    func restartNetwork() throws {
        #expect(kill(network.pid, SIGKILL) == 0)
        _ = try network.ending()
        generation += 1
        let pair = try LocalSocket.pair()
        try signer.order(.newLink(generation: generation), passing: pair.first)
        network = try RunningChild("bulkhead-network", link: pair.second, in: network.home)
        try network.begin(as: .network)
    }

    /// The signer is killed, and another one begins that knows nothing.
    func restartSigner() throws {
        #expect(kill(signer.pid, SIGKILL) == 0)
        _ = try signer.ending()
        generation += 1
        let pair = try LocalSocket.pair()
        try network.order(.newLink(generation: generation), passing: pair.second)
        signer = try RunningChild("bulkhead-signer", link: pair.first)
        try signer.begin(as: .signer)
    }

    /// Makes the wallet in the signer that the recorded PSBTs are for.
    func importWallet(_ console: ConsoleChannel) throws -> VaultID {
        let output = try LinuxIO.Pipe()
        try console.hand(.output, output.writing)
        let answer = try console.operate(
            .importWords(NewVault(name: "recorded", kdf: .pbkdf2), hasPassphrase: false),
            secrets: Person.fields([(.newPassword, Person.password), (.words, RecordedPSBT.words)]))
        guard case .success(.made(let id, _, _, _)) = answer else {
            throw Missing(what: "a wallet: \(answer)")
        }
        return id
    }

    /// Waits until so many requests wait for a person.
    func pending(_ console: ConsoleChannel, count: Int = 1) throws -> [PendingEntry] {
        try until {
            guard case .pending(let rows) = try console.ask(.pending) else { return nil }
            return rows.count == count && rows.allSatisfy { $0.summary != nil } ? rows : nil
        }
    }

    /// Approves what waits, as a person who accepts all warnings; the console gets no file.
    func approve(_ entry: PendingEntry, _ wallet: VaultID, _ console: ConsoleChannel) throws {
        let summary = try #require(entry.summary)
        let approval = PSBTApproval(
            file: summary.file, report: summary.report, wallet: wallet,
            accepted: Set(summary.warnings))
        let answer = try console.operate(
            .approve(entry.id, approval, wantsTransaction: false),
            secrets: Person.fields([(.password, Person.password)]))
        guard case .success = answer else { throw Missing(what: "a signature: \(answer)") }
    }

    /// Waits until the signer's status says so.
    func signerStatus(
        where isSo: (SignerStatus) -> Bool
    ) throws -> SignerStatus {
        let console = try signer.console()
        return try until {
            guard case .status(let status) = try console.ask(.status) else { return nil }
            return isSo(status) ? status : nil
        }
    }

    /// Waits until the ledger has more entries than these, and gives their number.
    func entries(beyond few: UInt64) throws -> UInt64 {
        try signerStatus { $0.ledgerEntries.map { $0 > few } == true }.ledgerEntries ?? 0
    }

    /// Waits until the network process's status says so.
    func networkStatus(
        where isSo: (NetworkStatus) -> Bool
    ) throws -> NetworkStatus {
        let query = try network.query()
        return try until {
            guard case .status(let status) = try query.ask(.status) else { return nil }
            return isSo(status) ? status : nil
        }
    }

    private func until<Value>(_ body: () throws -> Value?) throws -> Value {
        var found: Value?
        try RunningChild.until("a status as it should be", within: .seconds(60)) {
            found = try body()
            return found != nil
        }
        return try #require(found)
    }
}
