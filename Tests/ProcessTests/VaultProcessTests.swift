import Foundation
import Glibc
import LinuxIO
import Messages
import StateFiles
import Testing

/// Operations on vaults with the real signer: its filter, its workers, its files.
@Suite("Vaults in the signer's process", .serialized)
struct VaultProcessTests {
    private func signer(in folder: ChildFolder = ChildFolder()) throws -> RunningChild {
        let child = try RunningChild("bulkhead-signer", in: folder)
        try child.begin(as: .signer)
        return child
    }

    private func leftovers(_ child: RunningChild) -> [String] {
        let names = FileManager.default.enumerator(atPath: child.folder + "/state")
        return (names?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".new") || $0 == "journal" }
    }

    private func names(_ console: ConsoleChannel) throws -> [String] {
        guard case .success(.vaults(let rows)) = try console.operate(.list) else {
            throw Missing(what: "a list")
        }
        return rows.map(\.name).sorted()
    }

    private let password = Person.fields([(.password, Person.password)])
    private let wrong = Person.fields([(.password, "Wrong horse 99")])

    @Test("A wallet is created, listed and shown, with either way from password to key")
    func create() throws {
        let child = try signer()
        let console = try child.console()
        for kdf in PasswordKDF.allCases {
            let made = try console.createWallet("savings \(kdf)", kdf: kdf)
            let words = try #require(made.secrets[SecretField.words.rawValue])
            #expect(words.split(separator: " ").count == 12)
            #expect(try console.show(made.id)[SecretField.words.rawValue] == words)
        }
        #expect(try names(console) == ["savings argon2id", "savings pbkdf2"])
        #expect(leftovers(child) == [])
    }

    @Test(
        "Of two consoles that give one name at the same time, one is refused, whatever it looked up before"
    )
    func oneName() throws {
        let child = try signer()
        let consoles = [try child.console(), try child.console()]
        let ids = try ["one", "two"].map { name in
            try consoles[0].createWallet(name, kdf: .pbkdf2).id
        }
        for (console, id) in zip(consoles, ids) {
            try console.hand(.secretInput, try Person.pipe(password))
            try console.send(
                .operation(.rename(id, name: "Savings")), at: Kernel.timeSinceBoot())
        }
        let answers = try consoles.map { try $0.answer() }
        let refusals = answers.compactMap { answer -> VaultRefusal? in
            if case .failure(let refusal) = answer { refusal } else { nil }
        }
        #expect(refusals.count == 1, "\(answers)")
        #expect(ids.contains { refusals == [.nameTaken(by: $0, called: "Savings")] })
        #expect(try names(consoles[0]).filter { $0 == "Savings" }.count == 1)
    }

    @Test("Where memory is short the weaker derivation is offered, and neither taken nor counted")
    func littleMemory() throws {
        let figures = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: figures) }
        func say(_ kibibytes: Int) throws {
            try Data("MemTotal: 1 kB\nMemAvailable: \(kibibytes) kB\n".utf8)
                .write(to: URL(fileURLWithPath: figures))
        }
        try say(1 << 20)
        let child = try RunningChild("bulkhead-signer", memory: figures)
        try child.begin(as: .signer)
        let console = try child.console()
        let made = try console.createWallet("savings", kdf: .argon2id)
        let file = child.folder + "/state/vaults/\(made.id).attempts"
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        // The same file: the descriptor that the signer holds is of it.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: figures))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data("MemAvailable: 90000 kB\n".utf8))
        let refusal = VaultRefusal.littleMemory(needed: 160, free: 87)
        func isRefused(_ body: () throws -> Void) -> Bool {
            do { try body() } catch { return "\(error)".contains(refusal.sentence) }
            return false
        }
        #expect(isRefused { _ = try console.createWallet("second", kdf: .argon2id) })
        #expect(isRefused { _ = try console.show(made.id) })
        #expect(refusal.sentence.contains("pbkdf2"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        _ = try console.createWallet("second", kdf: .pbkdf2)
        #expect(try names(console) == ["savings", "second"])
    }

    @Test("A worker that is killed leaves its attempt counted, and everything else as it was")
    func workerDies() throws {
        let child = try signer()
        let console = try child.console()
        let made = try console.createWallet("savings", kdf: .argon2id)
        let before = try child.children()
        let held = try LinuxIO.Pipe()
        let output = try LinuxIO.Pipe()
        try console.hand(.secretInput, held.reading)
        try console.hand(.output, output.writing)
        try console.send(.operation(.showPhrase(made.id)), at: Kernel.timeSinceBoot())
        // The worker waits for the password; the attempt is counted by then.
        let worker = try child.newChild(besides: before)
        usleep(300_000)
        #expect(kill(try child.newChild(besides: before), SIGKILL) == 0)
        guard case .failure(.workerFailed) = try console.answer() else {
            throw Missing(what: "a failed worker \(worker)")
        }
        try console.hand(.output, try LinuxIO.Pipe().onlyWriting())
        let refused = try console.operate(.showPhrase(made.id), secrets: wrong)
        #expect(refused == .failure(.wrongPassword(failures: 2, wait: 0)))
        #expect(try console.show(made.id)[3] == made.secrets[3])
        #expect(leftovers(child) == [])
    }

    @Test("The fifth wrong password makes wait, and a restart begins the wait anew")
    func waits() throws {
        let first = try signer()
        var console = try first.console()
        let made = try console.createWallet("savings", kdf: .argon2id)
        for failures in 1...5 as ClosedRange<UInt32> {
            let answer = try console.operate(.newKit(made.id), discarding: wrong)
            #expect(
                answer
                    == .failure(.wrongPassword(failures: failures, wait: failures == 5 ? 2 : 0)))
        }
        #expect(kill(first.pid, SIGKILL) == 0)
        _ = try first.ending()
        let second = try signer(in: first.home)
        console = try second.console()
        let answer = try console.operate(.newKit(made.id), discarding: password)
        guard case .failure(.mustWait(1...2)) = answer else { throw Missing(what: "\(answer)") }
        usleep(2_200_000)
        let kit = try console.operate(.newKit(made.id), discarding: password)
        guard case .success = kit else { throw Missing(what: "a new kit: \(kit)") }
        let again = try console.operate(.newKit(made.id), discarding: wrong)
        #expect(again == .failure(.wrongPassword(failures: 1, wait: 0)))
    }

    @Test("A signer that is killed at any moment leaves the old state or the new one")
    func signerDies() throws {
        var child = try signer()
        var console = try child.console()
        let made = try console.createWallet("name 0", kdf: .argon2id)
        var name = "name 0"
        for round in 1...8 {
            try console.hand(.secretInput, try Person.pipe(password))
            try console.send(
                .operation(.rename(made.id, name: "name \(round)")), at: Kernel.timeSinceBoot())
            usleep(UInt32(round * round * 12_000))
            #expect(kill(child.pid, SIGKILL) == 0)
            _ = try child.ending()
            child = try signer(in: child.home)
            console = try child.console()
            let found = try names(console)
            #expect([[name], ["name \(round)"]].contains(found))
            name = found.first ?? ""
            #expect(leftovers(child) == [])
        }
        // As many attempts as were cut off make wait as long as wrong ones.
        for _ in 0..<40 {
            let answer = try console.operate(.rename(made.id, name: "last"), secrets: password)
            guard case .failure(.mustWait(let seconds)) = answer else {
                guard case .success(.done) = answer else { throw Missing(what: "\(answer)") }
                break
            }
            usleep(seconds * 1_000_000)
        }
        #expect(try names(console) == ["last"])
    }

    @Test("A credential takes the place of the file, and another one opens nothing")
    func credential() throws {
        let path = FileManager.default.temporaryDirectory.path + "/credential-\(UUID().uuidString)"
        defer { unlink(path) }
        try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: path))
        var child = try RunningChild("bulkhead-signer", credential: path)
        try child.begin(as: .signer)
        let made = try child.console().createWallet("savings", kdf: .argon2id)
        #expect(!FileManager.default.fileExists(atPath: child.folder + "/state/device.key"))
        #expect(try child.console().show(made.id)[3] == made.secrets[3])
        // Another machine's, and one that is too short.
        for (content, word) in [
            (Data(repeating: 8, count: 32), "bulkhead wallet adopt"), (Data(count: 31), "31"),
        ] {
            #expect(kill(child.pid, SIGKILL) == 0)
            _ = try child.ending()
            try content.write(to: URL(fileURLWithPath: path))
            child = try RunningChild("bulkhead-signer", in: child.home, credential: path)
            try child.begin(as: .signer)
            let answer = try child.console().operate(
                .newKit(made.id), discarding: password)
            guard case .failure(let refusal) = answer else { throw Missing(what: "a refusal") }
            #expect(refusal.sentence.contains(word))
        }
    }

    @Test("A key file that others could have is refused, and the status says why")
    func unsafeKeys() throws {
        let child = try signer()
        let console = try child.console()
        let made = try console.createWallet("savings", kdf: .argon2id)
        let key = child.folder + "/state/device.key"
        let attempts = try Data(
            contentsOf: URL(
                fileURLWithPath: child.folder + "/state/" + StateFile.attempts(made.id).path))
        let kept = try Data(contentsOf: URL(fileURLWithPath: key))
        func restore() throws {
            unlink(key)
            #expect(FileManager.default.createFile(atPath: key, contents: kept))
            #expect(chmod(key, 0o400) == 0)
        }
        let damages: [(String, () -> Void)] =
            [
                ("mode", { chmod(key, 0o440) }), ("mode", { chmod(key, 0o600) }),
                ("bytes", { truncate(key, 31) }),
                (
                    "ordinary",
                    {
                        unlink(key); mkdir(key, 0o700)
                    }
                ),
                ("second name", { link(key, key + ".copy") }),
                (
                    "symbolic",
                    {
                        rename(key, key + ".moved"); symlink(key + ".moved", key)
                    }
                ),
            ] + (geteuid() == 0 ? [("denied", { chown(key, 1, 1) })] : [])
        for (word, damage) in damages {
            damage()
            let answer = try console.operate(.newKit(made.id), discarding: password)
            guard case .failure(.unsafeKey(.deviceKey, let why)) = answer else {
                throw Missing(what: "a refusal for \(word): \(answer)")
            }
            #expect(why.contains(word))
            guard case .status(let status) = try console.ask(.status) else {
                throw Missing(what: "a status")
            }
            #expect(status.problems.contains { $0.contains("device.key") && $0.contains(word) })
            rmdir(key)
            unlink(key + ".copy")
            try restore()
        }
        unlink(key)
        #expect(
            try console.operate(.newKit(made.id), discarding: password)
                == .failure(.missing(.deviceKey)))
        #expect(!FileManager.default.fileExists(atPath: key), "nothing is made in its place")
        try restore()
        // None of it was an attempt.
        #expect(
            try Data(
                contentsOf: URL(
                    fileURLWithPath: child.folder + "/state/"
                        + StateFile.attempts(made.id).path)) == attempts)
        #expect(try console.show(made.id)[3] == made.secrets[3])
    }
}

extension FrameChannel where Incoming == ConsoleReply, Outgoing == ConsoleRequest {
    /// What `showPhrase` gives out.
    func show(_ id: VaultID) throws -> [UInt8: String] {
        let output = try LinuxIO.Pipe()
        try hand(.output, output.writing)
        let answer = try operate(
            .showPhrase(id), secrets: Person.fields([(.password, Person.password)]))
        guard case .success = answer else { throw Missing(what: "words: \(answer)") }
        return Person.fields(in: try Person.read(output.reading))
    }

    /// As `operate`, with an output that nobody looks at.
    func operate(
        _ request: VaultRequest, discarding secrets: [UInt8]
    ) throws -> Result<VaultAnswer, VaultRefusal> {
        let pipe = try LinuxIO.Pipe()
        try hand(.output, pipe.writing)
        let answer = try operate(request, secrets: secrets)
        guard case .success = answer else { return answer }
        _ = try Person.read(pipe.reading)
        return answer
    }
}

extension RunningChild {
    /// A process that it has started and that was not there before.
    func newChild(besides before: [Int32]) throws -> Int32 {
        for _ in 0..<2000 {
            if let child = try children().first(where: { !before.contains($0) }) { return child }
            usleep(2000)
        }
        throw Missing(what: "a worker")
    }
}
