import Foundation
import Glibc
import LinuxIO
import Messages
import PSBT
import StateFiles
import TestSupport
import Testing

/// From a person's connection at `network.sock` to the signature and back, through both real processes.
@Suite("Over the wall", .serialized)
struct OverTheWallTests {
    typealias Query = FrameChannel<QueryReply, QueryRequest>

    private func id(_ number: UInt64) -> RequestID { RequestID(high: 77, low: number) }

    private func submit(_ query: Query, _ number: UInt64, _ file: [UInt8]) throws {
        try query.send(.submit(id(number), file: file), at: Kernel.timeSinceBoot())
    }

    /// Waits for a state of a request that is none of those on the way.
    private func state(
        _ query: Query, _ number: UInt64, after passing: [RequestState] = [.reviewing]
    ) throws -> RequestState {
        let wanted = id(number)
        return try query.waitFor { reply in
            guard case .answer(wanted, let state) = reply, !passing.contains(state) else {
                return nil
            }
            return state
        }
    }

    private func signed(_ query: Query, _ number: UInt64) throws -> [UInt8] {
        let wanted = id(number)
        return try query.waitFor { if case .signed(wanted, let file) = $0 { file } else { nil } }
    }

    @Test(
        """
        A file waits for a person, is approved, and comes back signed by the way that it went; Bitcoin \
        Core's script engine takes every input
        """)
    func thereAndBack() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let files = try RecordedPSBT.load()
        #expect(files.count == 24)
        var spends: [ScriptEngine.Spend] = []
        for (number, psbt) in files.enumerated() {
            let query = try both.network.query()
            try submit(query, UInt64(number), psbt.file)
            #expect(try state(query, UInt64(number)) == .pending)
            let entry = try #require(both.pending(console).first)
            #expect(entry.origin == .link)
            try both.approve(entry, wallet, console)
            let file = try signed(query, UInt64(number))
            #expect(file.starts(with: Array("cHNidP8".utf8)))
            #expect(file.count > psbt.file.count)
            spends.append(try spend(file, of: psbt))
            try query.send(.collected(id(UInt64(number))), at: Kernel.timeSinceBoot())
        }
        #expect(try both.pending(console, count: 0) == [])
        let (status, lines) = try ScriptEngine.verify(spends)
        #expect(status == 0 && lines.filter { $0.hasPrefix("ok ") }.count == 24, "\(lines)")
        // What was collected is known, and not kept.
        let query = try both.network.query()
        try query.send(.inquiry(id(0)), at: Kernel.timeSinceBoot())
        #expect(try state(query, 0) == .collected)
    }

    /// What a signed file finalises to, which is Core's transaction, and the coins that the file names.
    private func spend(_ signed: [UInt8], of psbt: RecordedPSBT) throws -> ScriptEngine.Spend {
        let transaction = try PSBTFile(signed).psbt.finalized().extracted()
        #expect(transaction.txid.description == psbt.txid)
        return ScriptEngine.Spend(
            name: psbt.txid, transaction: transaction,
            prevouts: try PSBTFile(psbt.file).psbt.inputs.map { try #require($0.utxo.output) })
    }

    @Test("No PSBT of the attack set comes back signed against its verdict")
    func attacks() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let query = try both.network.query()
        var number: UInt64 = 0
        var (stopped, decided) = (0, 0)
        for attack in AttackPSBT.all {
            var found = RequestState.tooFast
            while found == .tooFast {
                usleep(20_000)
                number += 1
                try submit(query, number, attack.file)
                found = try state(query, number)
            }
            switch found {
            case .refused(.stopped, _), .refused(.unreadable, _):
                #expect(attack.verdict == "stopped", "\(attack.name)")
                stopped += 1
            case .pending:
                let entry = try #require(both.pending(console).first)
                let summary = try #require(entry.summary)
                #expect("\(summary.verdict)" == attack.verdict, "\(attack.name)")
                decided += 1
                try decide(
                    entry, summary, wallet, both, console, isSigned: decided % 8 == 1)
                guard decided % 8 != 1 else {
                    #expect(try signed(query, number).count > attack.file.count)
                    continue
                }
                let end = try state(query, number, after: [.reviewing, .pending])
                guard case .refused(.rejected, _) = end else {
                    Issue.record("\(attack.name): \(end)")
                    continue
                }
            case let other: Issue.record("\(attack.name): \(other)")
            }
        }
        #expect(stopped == 99 && decided == 69)
        #expect(try both.pending(console, count: 0) == [])
    }

    /// Finds out that an unaccepted warning keeps it unsigned, and then signs or rejects it.
    private func decide(
        _ entry: PendingEntry, _ summary: ReviewSummary, _ wallet: VaultID,
        _ both: BothProcesses, _ console: ConsoleChannel, isSigned: Bool
    ) throws {
        if summary.verdict == .warned {
            let approval = PSBTApproval(
                file: summary.file, report: summary.report, wallet: wallet, accepted: [])
            let answer = try console.operate(
                .approve(entry.id, approval, wantsTransaction: false),
                secrets: Person.fields([(.password, Person.password)]))
            guard case .failure(.notSigned(.notAccepted, _)) = answer else {
                throw Missing(what: "a refusal: \(answer)")
            }
        }
        if isSigned { return try both.approve(entry, wallet, console) }
        #expect(try console.ask(.reject(entry.id, reason: "no")) == .entryGone(nil))
    }

    /// Where in its life the network process is killed.
    private enum Step: CaseIterable {
        case submitted, waiting, approving, signing, signed
    }

    @Test("The network process is killed at every step of a request, which is signed once")
    func killedAtEveryStep() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let files = try RecordedPSBT.load()
        for (place, step) in Step.allCases.enumerated() {
            let number = UInt64(place)
            let file = files[place].file
            var query = try both.network.query()
            func killNow(at now: Step) throws {
                guard now == step else { return }
                try both.restartNetwork()
                query = try both.network.query()
                try query.send(.inquiry(id(number)), at: Kernel.timeSinceBoot())
            }
            try submit(query, number, file)
            try killNow(at: .submitted)
            if try state(query, number) == .unknown {
                // It died before it had passed the request on; the same id asks again.
                try submit(query, number, file)
                #expect(try state(query, number) == .pending)
            }
            try killNow(at: .waiting)
            let entry = try #require(both.pending(console).first)
            let secrets = try LinuxIO.Pipe().take()
            let summary = try #require(entry.summary)
            let approval = PSBTApproval(
                file: summary.file, report: summary.report, wallet: wallet,
                accepted: Set(summary.warnings))
            try console.hand(.secretInput, FileDescriptor(owning: secrets.reading))
            try console.send(
                .operation(.approve(entry.id, approval, wantsTransaction: false)),
                at: Kernel.timeSinceBoot())
            try killNow(at: .approving)
            let fields = Person.fields([(.password, Person.password)])
            _ = try fields.withUnsafeBytes { try Kernel.write(secrets.writing, $0) }
            close(secrets.writing)
            try killNow(at: .signing)
            guard case .success(.signed) = try console.answer() else {
                throw Missing(what: "a signature")
            }
            try killNow(at: .signed)
            try query.send(.inquiry(id(number)), at: Kernel.timeSinceBoot())
            _ = try spend(try signed(query, number), of: files[place])
            try query.send(.collected(id(number)), at: Kernel.timeSinceBoot())
        }
        #expect(try both.pending(console, count: 0) == [])
        guard
            case .success(.ledger(let rows, _)) = try console.operate(
                .ledgerList(from: 1, count: 256))
        else { throw Missing(what: "the ledger") }
        let told = rows.filter { $0.text.contains("was approved and signed") }
        #expect(told.count == Step.allCases.count)
    }

    @Test(
        "The network process is killed while a request waits, and the signed file comes all the same"
    )
    func networkKilled() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let file = try #require(RecordedPSBT.load().first).file
        try submit(try both.network.query(), 1, file)
        let entry = try #require(both.pending(console).first)
        try both.restartNetwork()
        let query = try both.network.query()
        try query.send(.inquiry(id(1)), at: Kernel.timeSinceBoot())
        #expect(try state(query, 1) == .pending)
        let waiting = try both.pending(console).map(\.id)
        #expect(waiting == [entry.id])
        try both.restartNetwork()
        try both.approve(entry, wallet, console)
        let last = try both.network.query()
        try last.send(.inquiry(id(1)), at: Kernel.timeSinceBoot())
        #expect(try signed(last, 1).count > file.count)
    }

    @Test("The same request twice waits once; the same file under another id is refused")
    func twice() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let file = try #require(RecordedPSBT.load().first).file
        let query = try both.network.query()
        try submit(query, 1, file)
        #expect(try state(query, 1) == .pending)
        try submit(query, 1, file)
        #expect(try state(query, 1) == .pending)
        try submit(query, 2, file)
        guard case .refused(.alreadyWaiting, _) = try state(query, 2) else {
            throw Missing(what: "a refusal")
        }
        let entry = try #require(both.pending(console).first)
        try both.approve(entry, wallet, console)
        let first = try signed(query, 1)
        // Signed once, however often it is asked for.
        try submit(query, 1, file)
        #expect(try signed(query, 1) == first)
        #expect(try both.pending(console, count: 0) == [])
    }

    @Test("A rejection carries its reason back")
    func rejected() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        _ = try both.importWallet(console)
        let query = try both.network.query()
        try submit(query, 1, try #require(RecordedPSBT.load().first).file)
        let entry = try #require(both.pending(console).first)
        _ = try console.ask(.reject(entry.id, reason: "not the agreed amount"))
        let end = try state(query, 1, after: [.reviewing, .pending])
        guard case .refused(.rejected, let why) = end else { throw Missing(what: "\(end)") }
        #expect(why.contains("not the agreed amount"))
    }

    @Test("A signer that is killed has forgotten the request, and the command hears it")
    func signerKilled() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        _ = try both.importWallet(console)
        let query = try both.network.query()
        try submit(query, 1, try #require(RecordedPSBT.load().first).file)
        #expect(try state(query, 1) == .pending)
        try both.restartSigner()
        #expect(try state(query, 1, after: [.pending]) == .unknown)
    }

    @Test("1,000 requests at once are bounded, each is answered, and a console stays usable")
    func flood() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let files = try RecordedPSBT.load().map(\.file)
        let queries = try (0..<10).map { _ in try both.network.query() }
        for number in 0..<1000 {
            // Most are no PSBT; each is another one.
            let file = number < files.count ? files[number] : Array("request \(number)".utf8)
            try submit(queries[number % 10], UInt64(number), file)
        }
        var answered: [UInt64: RequestState] = [:]
        var worst = Duration.zero
        var pings = 0
        let deadline = Kernel.timeSinceBoot() + .seconds(120)
        var buffer = ReadBuffer()
        while answered.count < 1000, Kernel.timeSinceBoot() < deadline {
            let before = Kernel.timeSinceBoot()
            #expect(try console.ask(.ping(nonce: UInt64(pings))) == .pong(nonce: UInt64(pings)))
            worst = max(worst, Kernel.timeSinceBoot() - before)
            pings += 1
            for query in queries {
                if query.wantsToWrite { try query.flush(at: Kernel.timeSinceBoot()) }
                let receipt = query.receive(at: Kernel.timeSinceBoot(), through: &buffer)
                #expect(receipt.end == nil)
                for case .answer(let id, let state) in receipt.messages where state != .reviewing {
                    answered[id.low] = state
                }
            }
            usleep(1000)
        }
        #expect(answered.count == 1000)
        let counts = Dictionary(grouping: answered.values, by: { "\($0)".prefix { $0 != "(" } })
            .mapValues(\.count)
        #expect(answered.values.count { $0 == .pending } <= 32)
        print("1,000 requests: \(counts), \(pings) pings of a console, the worst \(worst)")
        // A person goes on: the first that waits is approved.
        guard case .pending(let rows) = try console.ask(.pending) else {
            throw Missing(what: "rows")
        }
        #expect(rows.count <= 32)
        let entry = try #require(rows.first { $0.summary?.signers == [wallet] })
        try both.approve(entry, wallet, console)
        guard case .status(let status) = try queries[0].ask(.status) else { return }
        #expect(status.linkIsUp)
    }

    @Test("However much one connection asks for, another one finds room beside it")
    func fairness() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        _ = try both.importWallet(console)
        let (greedy, other) = (try both.network.query(), try both.network.query())
        // Every file of the one waits for a person, and none of them goes by itself.
        let large = try #require(
            CorePSBT.all.first { $0.wallet == "wpkh" && $0.case == "one-recipient" })
        for number in 0..<100 {
            let file = try LargePSBT(large).bytes(inputs: 1, filling: 1_000 + number)
            try submit(greedy, UInt64(number), file)
        }
        var answered: [UInt64: RequestState] = [:]
        while answered.count < 100 {
            for case .answer(let id, let state) in try greedy.wait() where state != .reviewing {
                answered[id.low] = state
            }
        }
        let taken = answered.values.count { $0 == .pending }
        #expect(taken == 16 && answered.values.count { $0 == .full } == 84)
        for (number, psbt) in try RecordedPSBT.load().prefix(10).enumerated() {
            try submit(other, UInt64(200 + number), psbt.file)
            let found = try state(other, UInt64(200 + number))
            #expect(found == .pending)
        }
        #expect(try both.pending(console, count: taken + 10).count == taken + 10)
    }

    @Test(
        "Both queues full of the largest files: the broker says so, and goes on signing"
    )
    func bothFull() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let recorded = try #require(
            CorePSBT.all.first { $0.wallet == "wpkh" && $0.case == "one-recipient" })
        // Two of each side fit into what it may hold, and a third does not.
        let files = try (1...3).map {
            try LargePSBT(recorded).bytes(inputs: 1, filling: 16_700_000 + $0)
        }
        // One each, as a command has.
        let queries = try files.map { _ in try both.network.query() }
        for (number, file) in files.enumerated() {
            guard case .entry(let entered) = try console.ask(.submit(file: file)) else {
                throw Missing(what: "an entry")
            }
            #expect((try? entered.get().summary.signers) == (number < 2 ? [wallet] : nil))
            try submit(queries[number], UInt64(number), file)
            let state = try state(queries[number], UInt64(number))
            #expect(state == (number < 2 ? .pending : .full))
        }
        let rows = try both.pending(console, count: 4)
        // Less than all of them and one more on its way, and far from where it would end.
        let most = try RunningChild.status(both.signer.pid, "VmHWM")
        let kibibytes = try #require(most.split(separator: " ").first.flatMap { Int($0) })
        #expect(kibibytes < 160 << 10, "\(most)")
        for (number, row) in rows.filter({ $0.origin == .link }).enumerated() {
            try both.approve(row, wallet, console)
            #expect(try signed(queries[number], UInt64(number)).count > files[number].count)
            try queries[number].send(
                .collected(id(UInt64(number))), at: Kernel.timeSinceBoot())
        }
        for row in rows where row.origin != .link {
            let output = try LinuxIO.Pipe()
            let reader = Collected(output.reading)
            try console.hand(.output, output.writing)
            try both.approve(row, wallet, console)
            #expect(reader.wait().count > files[0].count)
        }
        #expect(try both.pending(console, count: 0) == [])
        // There is room again.
        try submit(queries[2], 3, files[2])
        #expect(try state(queries[2], 3) == .pending)
        try both.stop()
    }
}
