import Foundation
import Glibc
import LinuxIO
import Messages
import StateFiles
import Testing

/// Whatever dies on the way from an approval to a signature, no signature escapes, what waits stays
/// whole, and the approval can be repeated.
@Suite("Deaths while signing", .serialized)
struct SigningDeathTests {
    /// Approves without waiting for the answer: the password comes when `secrets` is closed.
    private func begin(
        _ scene: SigningScene, _ entry: ReviewedEntry, _ output: consuming FileDescriptor
    ) throws -> LinuxIO.Pipe {
        let secrets = try LinuxIO.Pipe()
        let copy = dup(secrets.reading.number)
        try scene.console.hand(.secretInput, FileDescriptor(owning: copy))
        try scene.console.hand(.output, output)
        try scene.console.send(
            .operation(.approve(entry.id, scene.approval(entry.summary), wantsTransaction: false)),
            at: Kernel.timeSinceBoot())
        return secrets
    }

    /// Waits for a worker that reads from this pipe: it has the password's end open alone.
    private func worker(_ scene: SigningScene) throws -> Int32 {
        for _ in 0..<2000 {
            if let worker = try scene.workers().last { return worker }
            usleep(1000)
        }
        throw Missing(what: "a worker")
    }

    /// The worker that waits for the password: of all workers it alone sleeps and does not end.
    private func waiter(_ scene: SigningScene) throws -> Int32 {
        var (last, rounds) = (Int32(-1), 0)
        for _ in 0..<2000 {
            let current = try worker(scene)
            let state = try? RunningChild.status(current, "State")
            rounds = current == last && state?.hasPrefix("S") == true ? rounds + 1 : 0
            if rounds == 20 { return current }
            last = current
            usleep(10_000)
        }
        throw Missing(what: "a worker that waits")
    }

    @Test("A signing worker that is killed while it waits for the password")
    func signingWorker() throws {
        let scene = try SigningScene()
        let entry = try scene.submit(CorePSBT.all[0].file).get()
        let output = try LinuxIO.Pipe()
        let secrets = try begin(scene, entry, output.writing)
        kill(try waiter(scene), SIGKILL)
        guard case .failure(.workerFailed) = try scene.console.answer() else {
            throw Missing(what: "a refusal")
        }
        _ = secrets.writing.number
        #expect(try Person.read(output.reading) == [])
        #expect(try scene.pending().map(\.id) == [entry.id])
        let again = try scene.approve(entry.id, scene.approval(entry.summary))
        guard case .success(.signed) = again.answer else { throw Missing(what: "\(again.answer)") }
        #expect(try scene.ledger().contains { $0.contains("ended early") })
    }

    @Test("A merge worker that is killed while its output is full")
    func mergeWorker() throws {
        let scene = try SigningScene()
        let entry = try scene.submit(CorePSBT.all[0].file).get()
        let output = try LinuxIO.Pipe()
        let full = dup(output.writing.number)
        // A pipe takes 64 KiB before somebody reads.
        _ = try [UInt8](repeating: 0, count: 64 << 10).withUnsafeBytes {
            try Kernel.write(full, $0)
        }
        try scene.console.hand(
            .secretInput, Person.pipe(Person.fields([(.password, Person.password)])))
        try scene.console.hand(.output, FileDescriptor(owning: full))
        try scene.console.send(
            .operation(.approve(entry.id, scene.approval(entry.summary), wantsTransaction: false)),
            at: Kernel.timeSinceBoot())
        // The ledger has the approval once the merge begins.
        let head = scene.child.folder + "/state/ledger/entries"
        let before = try FileManager.default.attributesOfItem(atPath: head)[.size] as? Int ?? 0
        for _ in 0..<20_000 {
            let now = try FileManager.default.attributesOfItem(atPath: head)[.size] as? Int ?? 0
            if now > before, try !scene.workers().isEmpty { break }
            usleep(1000)
        }
        kill(try worker(scene), SIGKILL)
        guard case .failure(.workerFailed) = try scene.console.answer() else {
            throw Missing(what: "a refusal")
        }
        #expect(try scene.pending().map(\.id) == [entry.id])
        let told = try undelivered(scene)
        #expect(told.count == 1)
        let again = try scene.approve(entry.id, scene.approval(entry.summary))
        guard case .success(.signed) = again.answer else { throw Missing(what: "\(again.answer)") }
        #expect(try undelivered(scene) == told)
    }

    /// What the ledger says of signatures that nobody got.
    private func undelivered(_ scene: SigningScene) throws -> [String] {
        try scene.ledger().filter { $0.contains("nobody got the signatures") }
    }

    @Test("Workers that are killed at any moment")
    func anyMoment() throws {
        let scene = try SigningScene()
        var entry = try scene.submit(CorePSBT.all[3].file).get()
        var (signed, failed) = (0, 0)
        // A signature ends an entry; then there is another one with the same file.
        for round in 0..<60 where signed == 0 || failed < 4 {
            let output = try LinuxIO.Pipe()
            try scene.console.hand(
                .secretInput, Person.pipe(Person.fields([(.password, Person.password)])))
            try scene.console.hand(.output, output.writing)
            try scene.console.send(
                .operation(
                    .approve(entry.id, scene.approval(entry.summary), wantsTransaction: false)),
                at: Kernel.timeSinceBoot())
            _ = try worker(scene)
            usleep(UInt32(round % 16) * 8000)
            if let worker = try scene.workers().last { kill(worker, SIGKILL) }
            switch try scene.console.answer() {
            case .success:
                signed += 1
                entry = try scene.submit(CorePSBT.all[3].file).get()
            case .failure(.workerFailed), .failure(.mustWait):
                failed += 1
                #expect(try Person.read(output.reading) == [])
                #expect(try scene.pending().map(\.id) == [entry.id])
            case .failure(let refusal): Issue.record("\(refusal)")
            }
        }
        #expect(failed > 0)
        guard case .success(.ledgerHolds) = try scene.console.operate(.ledgerVerify) else {
            throw Missing(what: "a whole ledger")
        }
    }

    @Test("A signer that is killed while it signs")
    func broker() throws {
        let scene = try SigningScene()
        let psbt = CorePSBT.all[0]
        for round in 0..<6 {
            let entry = try scene.submit(psbt.file).get()
            let output = try LinuxIO.Pipe()
            let secrets = try begin(scene, entry, output.writing)
            if round % 2 == 1 {
                let fields = Person.fields([(.password, Person.password)])
                _ = try fields.withUnsafeBytes {
                    try Kernel.write(secrets.writing.number, $0)
                }
            }
            usleep(UInt32(round) * 40_000)
            try scene.restart()
            _ = secrets.writing.number
            let out = try Person.read(output.reading)
            // A fast machine may have been done, and the ledger knows it then.
            let isDone = try scene.ledger().contains { $0.contains("was approved and signed") }
            #expect(out.isEmpty || isDone && round % 2 == 1)
            #expect(try scene.pending() == [])
            guard case .success(.ledgerHolds) = try scene.console.operate(.ledgerVerify) else {
                throw Missing(what: "a whole ledger")
            }
        }
        let entry = try scene.submit(psbt.file).get()
        for _ in 0..<3 {
            switch try scene.approve(entry.id, scene.approval(entry.summary)).answer {
            case .success(.signed): return
            case .failure(.mustWait(let seconds)): sleep(seconds)
            case let other: throw Missing(what: "\(other)")
            }
        }
        Issue.record("not signed")
    }
}
