import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import StateFiles
import TestSupport
import Testing
import Wire

/// A PSBT that Bitcoin Core made for a wallet of plain accounts, and its own transaction.
struct CorePSBT: Decodable, Sendable {
    let wallet: String
    let `case`: String
    let unsigned: String
    let fee: UInt64
    let changePosition: Int
    let finalTransaction: String
    let txid: String

    var file: [UInt8] { Array(unsigned.utf8) }

    static let all: [CorePSBT] =
        (try? Fixture.load("psbt/core-regtest.json", as: [CorePSBT].self)
            .filter { ["pkh", "sh-wpkh", "wpkh", "tr"].contains($0.wallet) }) ?? []
}

/// A change to an honest PSBT, as the tests of the review write it down.
struct AttackPSBT: Decodable, Sendable {
    let name: String
    let verdict: String
    let psbt: String

    var file: [UInt8] { (try? Hex.decode(psbt)) ?? [] }

    static let all = (try? Fixture.load("review/attacks.json", as: [AttackPSBT].self)) ?? []
}

/// A real signer with the wallet that the recorded PSBTs are for, and a person at its console.
final class SigningScene {
    private(set) var child: RunningChild
    private(set) var console: ConsoleChannel
    let wallet: VaultID

    static let words = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

    init() throws {
        child = try RunningChild("bulkhead-signer")
        try child.begin(as: .signer)
        console = try child.console()
        let output = try LinuxIO.Pipe()
        try console.hand(.output, output.writing)
        let answer = try console.operate(
            .importWords(NewVault(name: "recorded", kdf: .pbkdf2), hasPassphrase: false),
            secrets: Person.fields([(.newPassword, Person.password), (.words, Self.words)]))
        guard case .success(.made(let id, _, _, _)) = answer else {
            throw Missing(what: "a wallet: \(answer)")
        }
        wallet = id
    }

    func submit(_ file: [UInt8]) throws -> Result<ReviewedEntry, EntryRefusal> {
        guard case .entry(let result) = try console.ask(.submit(file: file)) else {
            throw Missing(what: "an entry")
        }
        return result
    }

    /// What a person says who accepts all that a review warns of.
    func approval(_ summary: ReviewSummary, accepted: Set<String>? = nil) -> PSBTApproval {
        PSBTApproval(
            file: summary.file, report: summary.report, wallet: wallet,
            accepted: accepted ?? Set(summary.warnings))
    }

    /// Approves, and what went to the output.
    func approve(
        _ entry: EntryID, _ approval: PSBTApproval, password: String = Person.password,
        wantsTransaction: Bool = false
    ) throws -> (answer: Result<VaultAnswer, VaultRefusal>, output: [UInt8]) {
        let output = try LinuxIO.Pipe()
        let reader = Collected(output.reading)
        try console.hand(.output, output.writing)
        let answer = try console.operate(
            .approve(entry, approval, wantsTransaction: wantsTransaction),
            secrets: Person.fields([(.password, password)]))
        return (answer, reader.wait())
    }

    func pending(_ console: ConsoleChannel? = nil) throws -> [PendingEntry] {
        guard case .pending(let rows) = try (console ?? self.console).ask(.pending) else {
            throw Missing(what: "rows")
        }
        return rows
    }

    /// The report of an entry.
    func report(_ entry: EntryID, _ form: ReviewForm) throws -> ([UInt8], ReviewedEntry) {
        let output = try LinuxIO.Pipe()
        let reader = Collected(output.reading)
        try console.hand(.output, output.writing)
        guard case .entry(.success(let found)) = try console.ask(.review(entry, form)) else {
            throw Missing(what: "a report")
        }
        return (reader.wait(), found)
    }

    func ledger() throws -> [String] {
        guard
            case .success(.ledger(let rows, _)) = try console.operate(
                .ledgerList(from: 1, count: 256))
        else { throw Missing(what: "the ledger") }
        return rows.map(\.text)
    }

    /// The workers that run now, the newest last.
    func workers() throws -> [Int32] { Array(try child.children().dropFirst()) }

    /// The signer is gone, and another one begins on what it left.
    func restart() throws {
        kill(child.pid, SIGKILL)
        _ = try child.ending()
        child = try RunningChild("bulkhead-signer", in: child.home)
        try child.begin(as: .signer)
        console = try child.console()
    }
}

/// Reads a pipe on a thread of its own, for what is longer than a pipe holds.
final class Collected: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var bytes: [UInt8] = []

    init(_ pipe: consuming FileDescriptor) {
        let number = pipe.take()
        Thread.detachNewThread { [self] in
            let owned = FileDescriptor(owning: number)
            bytes = (try? Person.read(owned)) ?? []
            done.signal()
        }
    }

    func wait() -> [UInt8] {
        done.wait()
        return bytes
    }
}
