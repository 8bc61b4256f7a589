import Foundation
import Hashing
import Messages
import PSBT
import SecretMemory
import SigningWork
import StateFiles
import TestSupport
import Testing
import Vault
import Wire

@testable import SignerWork

/// What happens to a PSBT inside the workers.
@Suite("The stages of a signature", .serialized)
struct SigningStagesTests {
    private struct Recorded: Decodable {
        let wallet: String
        let unsigned: String
        let txid: String
    }

    private static let recorded =
        (try? Fixture.load("psbt/core-regtest.json", as: [Recorded].self)
            .filter { $0.wallet == "wpkh" }) ?? []

    /// A machine with the wallet that the recorded PSBTs are for.
    private static let machine = Result<(TestMachine, VaultID), any Error> {
        var machine = TestMachine()
        machine.chain = .regtest
        let words = [String](repeating: "abandon", count: 11).joined(separator: " ") + " about"
        let answer = try machine.ask(
            .importWords(NewVault(name: "recorded", kdf: .pbkdf2), hasPassphrase: false),
            [.newPassword: TestMachine.password, .words: words])
        guard case .made(let id, _, _, _) = answer else { throw VaultRefusal.busy }
        return (machine, id)
    }

    private let machine: TestMachine
    private let wallet: VaultID
    private let psbt: [UInt8]

    init() throws {
        (machine, wallet) = try Self.machine.get()
        psbt = Array(try #require(Self.recorded.first).unsigned.utf8)
    }

    private func ports(_ password: String? = TestMachine.password) -> TestPorts {
        TestPorts(machine.state, feeding: [], password.map { [.password: $0] }, nil)
    }

    private func approval(_ psbt: [UInt8]) throws -> PSBTApproval {
        let summary = try machine.review(psbt).get()
        return PSBTApproval(
            file: summary.file, report: summary.report, wallet: wallet,
            accepted: Set(summary.warnings))
    }

    private func request(_ approval: PSBTApproval) -> VaultRequest {
        .approve(EntryID(1), approval, wantsTransaction: true)
    }

    private func signatures(_ psbt: [UInt8]) throws -> [UInt8] {
        let result = machine.approve(
            .carryOut, request(try approval(psbt)), psbt: psbt, ports())
        guard case .signed(let signatures, _) = result else { throw VaultRefusal.busy }
        return signatures
    }

    @Test("A review knows the wallet, and a file that is none is refused with the reason")
    func review() throws {
        let summary = try machine.review(psbt).get()
        #expect(summary.signers == [wallet])
        #expect(summary.verdict != .stopped)
        #expect(summary.file == SHA256.hash(psbt))
        let ports = ports()
        #expect(try machine.review(psbt, .json, ports).get() == summary)
        #expect(SHA256.hash(ports.written) == summary.report)
        guard case .failure(.unreadable(let why)) = machine.review([1, 2, 3]) else {
            Issue.record("it was read")
            return
        }
        #expect(!why.isEmpty)
        let short = self.ports()
        short.outputLimit = 10
        #expect(machine.review(psbt, .text(columns: 80), short) == .failure(.outputFailed))
    }

    @Test("Without the index key, or with an index that does not verify, no wallet can sign")
    func unknownWallets() throws {
        var other = machine
        other.state[.indexKey] = nil
        #expect(try other.review(psbt).get().signers == [])
        var damaged = machine
        damaged.state[.index(wallet)]?[200] ^= 1
        let summary = try damaged.review(psbt).get()
        #expect(summary.signers == [])
        #expect(summary.verdict == .stopped)
    }

    @Test("What differs from the approval is refused before a key or a password is read")
    func differences() throws {
        let good = try approval(psbt)
        var wrong: [(PSBTApproval, SigningFault, VaultRefusal?)] = []
        var (file, report) = (good, good)
        file.file = SHA256.hash([1])
        report.report = SHA256.hash([1])
        wrong.append((file, .otherFile, nil))
        wrong.append((report, .otherReport, nil))
        for (approval, fault, _) in wrong {
            for stage in [WorkOrder.Stage.check, .carryOut] {
                let ports = ports()
                let result = machine.approve(stage, request(approval), psbt: psbt, ports)
                guard case .refused(.notSigned(fault, _), let changes) = result else {
                    Issue.record("\(result)")
                    continue
                }
                #expect(changes.isEmpty)
                #expect(!ports.hasReadSecrets)
            }
        }
        // Another file under the same approval: what the broker holds is what is hashed.
        let other = Array(Self.recorded[1].unsigned.utf8)
        let ports = ports()
        let result = machine.approve(.carryOut, request(good), psbt: other, ports)
        guard case .refused(.notSigned(.otherFile, _), _) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(!ports.hasReadSecrets)
    }

    @Test("An index that changed since the approval changes the report, and nothing is signed")
    func otherWallets() throws {
        let good = try approval(psbt)
        var other = machine
        other.state[.index(wallet)]?[200] ^= 1
        let ports = ports()
        let result = other.approve(.carryOut, request(good), psbt: psbt, ports)
        guard case .refused(.notSigned(.otherReport, _), _) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(!ports.hasReadSecrets)
    }

    @Test("A wrong password signs nothing, and a right one begins the count anew beside the entry")
    func passwords() throws {
        let request = request(try approval(psbt))
        let refused = machine.approve(.carryOut, request, psbt: psbt, ports("Wrong horse 1"))
        guard case .refused(.wrongPassword, _) = refused else {
            Issue.record("\(refused)")
            return
        }
        let signed = machine.approve(.carryOut, request, psbt: psbt, ports())
        guard case .signed(let signatures, let changes) = signed else {
            Issue.record("\(signed)")
            return
        }
        #expect(try SignatureList.decode(signatures).isEmpty == false)
        #expect(
            Set(changes.map(\.file)) == [.attempts(wallet), .ledgerEntries, .ledgerHead])
    }

    @Test("The merged file is complete, goes where it is wanted, and takes no key")
    func merge() throws {
        let signatures = try signatures(psbt)
        let request = request(try approval(psbt))
        for isForLink in [false, true] {
            let ports = ports(nil)
            let result = machine.approve(
                .merge(signatures), request, psbt: psbt, ports, isForLink: isForLink)
            guard case .done(.signed(let answer), let changes) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(changes.isEmpty)
            #expect(answer.txid?.reversed.description == Self.recorded.first?.txid)
            let file = Array(ports.written.prefix(Int(answer.fileBytes)))
            #expect(ports.given == (isForLink ? file : []))
            #expect(!ports.hasReadSecrets)
        }
    }

    @Test("What a worker that was taken over returns does not get into the file")
    func hostileSignatures() throws {
        let signatures = try signatures(psbt)
        let request = request(try approval(psbt))
        let records = try SignatureList.decode(signatures)
        var forged = signatures
        forged[forged.count - 20] ^= 1
        let foreign = try self.signatures(Array(Self.recorded[1].unsigned.utf8))
        let moved = records.map { SignatureRecord(input: 99, kind: $0.kind, value: $0.value) }
        let twice = try #require(SignatureList.encode(records + records))
        let hostile: [[UInt8]] = [
            [], [0, 0, 0, 0], forged, foreign, try #require(SignatureList.encode(moved)), twice,
            Array(signatures.dropLast()), signatures + [0],
            [0xFF, 0xFF, 0xFF, 0xFF] + signatures.dropFirst(4),
        ]
        for wrong in hostile {
            let ports = ports(nil)
            let result = machine.approve(
                .merge(wrong), request, psbt: psbt, ports, isForLink: true)
            guard case .refused(.notSigned, let changes) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(changes.isEmpty)
            #expect(ports.given.isEmpty)
            #expect(ports.written.isEmpty)
        }
        #expect(hostile.count == 9)
    }

    @Test("For the network process a lost output is a remark; for a console it is a refusal")
    func outputs() throws {
        let signatures = try signatures(psbt)
        let request = request(try approval(psbt))
        for isForLink in [false, true] {
            let ports = ports(nil)
            ports.outputLimit = 5
            let result = machine.approve(
                .merge(signatures), request, psbt: psbt, ports, isForLink: isForLink)
            switch result {
            case .done(.signed(let answer), _):
                #expect(isForLink)
                #expect(answer.remarks.count == 1)
            case .refused(let refusal, _):
                #expect(!isForLink)
                #expect(refusal == .outputFailed)
            default: Issue.record("\(result)")
            }
        }
    }

    @Test("Nothing of the index key is left when a review looks at the PSBT")
    func keyIsGone() throws {
        var random = SystemRandomNumberGenerator()
        let masked = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        let ports = MaskedPorts(masked)
        let index = try sealed(under: ports)
        var files = machine.state.filter { $0.key == .vault(wallet) }
        files[.index(wallet)] = index
        let order = ReviewOrder(psbt: psbt, chain: .regtest, files: files, hasIndexKey: true)
        let summary = try ReviewWork.perform(order, through: ports).get()
        #expect(summary.signers == [wallet], "the key was used")
        #expect(ports.countAtEnd == 0)
        // The scan finds what is there.
        let live = masked.map { $0 ^ MemoryScan.mask }
        let found = try MemoryScan.count(masked)
        #expect(found >= 1)
        #expect(live.count == 32)
    }

    private func sealed(under ports: MaskedPorts) throws -> [UInt8] {
        guard let file = machine.state[.index(wallet)], let old = machine.state[.indexKey] else {
            throw VaultRefusal.busy
        }
        let key = try IndexKey(SecretBytes(count: 32) { $0.copyBytes(from: old) })
        let index = try PublicIndex(sealed: file, for: wallet, under: key)
        return index.sealed(for: wallet, under: try IndexKey(try ports.readIndexKey()))
    }
}

/// Ports that hold an index key masked, and look for it in memory when nothing should be left of it.
private final class MaskedPorts: WorkPorts {
    private let masked: [UInt8]
    /// How often the key lay in memory when its descriptor was closed.
    private(set) var countAtEnd: Int?

    init(_ masked: [UInt8]) { self.masked = masked }

    func readIndexKey() throws(PortFailure) -> SecretBytes {
        SecretBytes(count: 32) { buffer in
            for place in 0..<32 { buffer[place] = masked[place] ^ MemoryScan.mask }
        }
    }

    func closeIndexKey() { countAtEnd = try? MemoryScan.count(masked) }

    func readDeviceKey() throws(PortFailure) -> SecretBytes { throw .notThere }
    func writeNewKey(_ file: StateFile, _ key: borrowing SecretBytes) throws(PortFailure) {
        throw .notThere
    }
    func readSecrets() throws(PortFailure) -> SecretBytes { throw .notThere }
    func writeOutput(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) { throw .notThere }
    func giveFile(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) { throw .notThere }
    var hasWritten: Bool { false }
    func readInput(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        throw .notThere
    }
    func nextFedFile() throws(PortFailure) -> (file: StateFile, size: UInt64)? { nil }
    func readFed(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int { 0 }
    func beginStaged(_ file: StateFile) throws(PortFailure) { throw .notThere }
    func writeStaged(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) { throw .notThere }
    func endStaged() throws(PortFailure) { throw .notThere }
}
