import Bitcoin
import Foundation
import Glibc
import Hashing
import LinuxIO
import LocalSockets
import Messages
import PSBT
import StateFiles
import TestSupport
import Testing
import Wire

/// From the socket to the signature with the real signer: its filter, its workers, its files.
@Suite("Signing in the signer's process", .serialized)
struct SigningProcessTests {
    @Test(
        """
        Each recorded PSBT of a plain account becomes Bitcoin Core's transaction, and its script \
        engine takes every input
        """)
    func recorded() throws {
        #expect(CorePSBT.all.count == 24)
        let scene = try SigningScene()
        var spends: [ScriptEngine.Spend] = []
        for psbt in CorePSBT.all {
            let entry = try scene.submit(psbt.file).get()
            let summary = entry.summary
            #expect(summary.file == SHA256.hash(psbt.file))
            #expect(summary.fee == psbt.fee)
            if psbt.case == "one-recipient" { #expect(summary.returns == 1) }
            #expect(psbt.changePosition < 0 || summary.returns >= 1)
            #expect(summary.signers == [scene.wallet])
            try compare(try scene.report(entry.id, .json).0, with: psbt)
            let (answer, output) = try scene.approve(
                entry.id, scene.approval(summary), wantsTransaction: true)
            guard case .success(.signed(let signed)) = answer else {
                Issue.record("\(psbt.wallet) \(psbt.case): \(answer)")
                continue
            }
            #expect(signed.txid?.reversed.description == psbt.txid)
            #expect(output.count == Int(signed.fileBytes) + Int(signed.transactionBytes))
            #expect(output.starts(with: Array("cHNidP8".utf8)), "in the form it came in")
            let transaction = String(
                decoding: output.dropFirst(Int(signed.fileBytes)), as: UTF8.self)
            if psbt.wallet != "tr" { #expect(transaction == psbt.finalTransaction) }
            spends.append(
                try spend(
                    transaction, of: psbt.file,
                    signed: Array(output.prefix(Int(signed.fileBytes)))))
        }
        let (status, lines) = try ScriptEngine.verify(spends)
        #expect(status == 0, "\(lines)")
        #expect(lines.filter { $0.hasPrefix("ok ") }.count == 24)
        #expect(try scene.pending() == [])
        let told = try scene.ledger().filter { $0.contains("was approved and signed") }
        #expect(told.count == 24)
    }

    /// What `review --json` prints.
    private struct Report: Decodable {
        struct Facts: Decodable {
            let feeSat: UInt64?
        }
        struct Output: Decodable {
            let amountSat: UInt64
            let script: String
            let role: String
        }
        let transaction: Facts
        let outputs: [Output]
    }

    /// The report has the fee, the change and the recipients that Core recorded.
    private func compare(_ json: [UInt8], with psbt: CorePSBT) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let report = try decoder.decode(Report.self, from: Data(json))
        #expect(report.transaction.feeSat == psbt.fee)
        let paid = try Transaction(Hex.decode(psbt.finalTransaction)).outputs
        #expect(report.outputs.map(\.amountSat) == paid.map(\.value.sats))
        #expect(report.outputs.map(\.script) == paid.map { Hex.encode($0.scriptPubKey.bytes) })
        let change = report.outputs.indices.filter { report.outputs[$0].role == "change" }
        #expect(change == (psbt.changePosition < 0 ? [] : [psbt.changePosition]))
    }

    /// What the processes gave out, with the coins that the PSBT as it was sent names: the transaction,
    /// which is also what the signed file finalises to.
    private func spend(
        _ hex: String, of file: [UInt8], signed: [UInt8]
    ) throws -> ScriptEngine.Spend {
        let transaction = try Transaction(Hex.decode(hex))
        #expect(try PSBTFile(signed).psbt.finalized().extracted() == transaction)
        return ScriptEngine.Spend(
            name: transaction.txid.description, transaction: transaction,
            prevouts: try PSBTFile(file).psbt.inputs.map { try #require($0.utxo.output) })
    }

    @Test("No PSBT of the attack set is signed against its verdict")
    func attacks() throws {
        #expect(AttackPSBT.all.count == 168)
        let scene = try SigningScene()
        var counts: [String: Int] = [:]
        var signed = 0
        for attack in AttackPSBT.all {
            counts[try outcome(of: attack, scene, &signed), default: 0] += 1
        }
        #expect(counts["stopped", default: 0] + counts["unreadable", default: 0] == 99)
        #expect(counts["refused", default: 0] + counts["signed", default: 0] == 69)
        #expect(counts["signed"] == 12)
    }

    /// What became of it. Of those that a person may sign every sixth is signed, for each takes a
    /// derivation from the password.
    private func outcome(
        of attack: AttackPSBT, _ scene: SigningScene, _ signable: inout Int
    ) throws -> String {
        let entry: ReviewedEntry
        switch try scene.submit(attack.file) {
        case .success(let found): entry = found
        case .failure(let refusal):
            guard case .unreadable = refusal else { throw refusal }
            #expect(attack.verdict == "stopped", "\(attack.name)")
            return "unreadable"
        }
        let summary = entry.summary
        #expect("\(summary.verdict)" == attack.verdict, "\(attack.name)")
        let all = Set(summary.warnings + summary.stops)
        let approval = scene.approval(summary, accepted: all)
        if summary.verdict == .stopped {
            let (answer, output) = try scene.approve(entry.id, approval)
            #expect(output == [], "\(attack.name)")
            guard case .failure(.notSigned(.stopped, _)) = answer else {
                Issue.record("\(attack.name): \(answer)")
                return "wrong"
            }
            _ = try scene.console.ask(.withdraw(entry.id))
            return "stopped"
        }
        if summary.verdict == .warned {
            let (answer, output) = try scene.approve(
                entry.id, scene.approval(summary, accepted: []))
            #expect(output == [], "\(attack.name)")
            guard case .failure(.notSigned(.notAccepted, _)) = answer else {
                Issue.record("\(attack.name): \(answer)")
                return "wrong"
            }
        }
        signable += 1
        guard signable % 6 == 1 else {
            _ = try scene.console.ask(.withdraw(entry.id))
            return "refused"
        }
        let (answer, output) = try scene.approve(entry.id, approval)
        guard case .success(.signed(let signed)) = answer else {
            Issue.record("\(attack.name): \(answer)")
            return "wrong"
        }
        #expect(output.count == Int(signed.fileBytes))
        return "signed"
    }

    @Test("Another file, another report and an unknown wallet are refused, and no attempt counts")
    func differences() throws {
        let scene = try SigningScene()
        let attempts = scene.child.folder + "/state/vaults/\(scene.wallet).attempts"
        let before = try Data(contentsOf: URL(fileURLWithPath: attempts))
        let entry = try scene.submit(CorePSBT.all[0].file).get()
        let good = scene.approval(entry.summary)
        var (file, report) = (good, good)
        file.file = SHA256.hash([1])
        report.report = SHA256.hash([1])
        for (wrong, fault) in [(file, SigningFault.otherFile), (report, .otherReport)] {
            let (answer, output) = try scene.approve(entry.id, wrong)
            #expect(output == [])
            guard case .failure(.notSigned(fault, _)) = answer else {
                Issue.record("\(answer)")
                continue
            }
        }
        var other = good
        other.wallet = try #require(VaultID(Array(repeating: UInt8(3), count: 16)))
        #expect(
            try scene.approve(entry.id, other).answer == .failure(.noSuchVault(other.wallet)))
        #expect(try Data(contentsOf: URL(fileURLWithPath: attempts)) == before)
        let (answer, output) = try scene.approve(entry.id, good, password: "Wrong horse 99")
        #expect(answer == .failure(.wrongPassword(failures: 1, wait: 0)))
        #expect(output == [])
        #expect(try scene.pending().map(\.id) == [entry.id])
        #expect(try scene.approve(entry.id, good).answer.get() != .done(remarks: []))
    }

    @Test("A report is written in either form, and its digest is the one that is approved")
    func reports() throws {
        let scene = try SigningScene()
        let entry = try scene.submit(CorePSBT.all[0].file).get()
        let (json, first) = try scene.report(entry.id, .json)
        #expect(first == entry)
        #expect(SHA256.hash(json) == entry.summary.report)
        let (text, second) = try scene.report(entry.id, .text(columns: 60))
        #expect(second == entry)
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines.count > 10)
        #expect(lines.allSatisfy { $0.count <= 60 })
    }

    @Test("A request of the link waits, is approved at a console and comes back, on any link")
    func overTheLink() throws {
        let scene = try SigningScene()
        let link = try FrameChannel<LinkReply, LinkRequest>(try scene.child.takeLink())
        try link.send(.hello, at: Kernel.timeSinceBoot())
        let id = RequestID(high: 1, low: 2)
        let psbt = CorePSBT.all[1]
        try link.send(.request(id, payload: psbt.file), at: Kernel.timeSinceBoot())
        #expect(try state(of: id, on: link, until: .pending))
        let row = try #require(try scene.pending().first)
        #expect(row.origin == .link)
        let summary = try #require(row.summary)
        let answer = try scene.console.operate(
            .approve(row.id, scene.approval(summary), wantsTransaction: false),
            secrets: Person.fields([(.password, Person.password)]))
        guard case .success(.signed(let signed)) = answer else {
            throw Missing(what: "a signature: \(answer)")
        }
        let file = try signedFile(of: id, on: link)
        #expect(file.count == Int(signed.fileBytes))
        let pair = try LocalSocket.pair()
        let next = try FrameChannel<LinkReply, LinkRequest>(pair.first)
        try scene.child.order(.newLink(generation: 1), passing: pair.second)
        try next.send(.hello, at: Kernel.timeSinceBoot())
        try next.send(.request(id, payload: psbt.file), at: Kernel.timeSinceBoot())
        #expect(try signedFile(of: id, on: next) == file)
        try next.send(.collected(id), at: Kernel.timeSinceBoot())
        try next.send(.inquiry(id), at: Kernel.timeSinceBoot())
        #expect(try state(of: id, on: next, until: .collected))
    }

    private func state(
        of id: RequestID, on link: FrameChannel<LinkReply, LinkRequest>, until wanted: RequestState
    ) throws -> Bool {
        for _ in 0..<50 {
            for case .answer(id, let state) in try link.wait() {
                if state == wanted { return true }
                if state.isFinal, state != .signed { return false }
            }
        }
        return false
    }

    private func signedFile(
        of id: RequestID, on link: FrameChannel<LinkReply, LinkRequest>
    ) throws -> [UInt8] {
        for _ in 0..<50 {
            for case .signed(id, let file) in try link.wait() { return file }
        }
        throw Missing(what: "a signed file")
    }

    @Test("A rejection reaches whoever asked, with its reason, and the ledger")
    func rejection() throws {
        let scene = try SigningScene()
        let link = try FrameChannel<LinkReply, LinkRequest>(try scene.child.takeLink())
        try link.send(.hello, at: Kernel.timeSinceBoot())
        let id = RequestID(high: 1, low: 3)
        try link.send(
            .request(id, payload: CorePSBT.all[2].file), at: Kernel.timeSinceBoot())
        #expect(try state(of: id, on: link, until: .pending))
        let row = try #require(try scene.pending().first)
        let gone = try scene.console.ask(.reject(row.id, reason: "not ours"))
        #expect(gone == .entryGone(nil))
        let told = RequestState.refused(.rejected, "It was rejected at the console: not ours")
        #expect(try state(of: id, on: link, until: told))
        let entry = try scene.ledger().last { $0.contains("rejected") }
        #expect(entry?.contains("not ours") == true)
    }
}
