import Foundation
import Glibc
import LinuxIO
import Messages
import StateFiles
import Testing

/// Large files through the real signer: items in and out, a backup, and its restore on a new card.
@Suite("Large files in the signer's process", .serialized)
struct TransferProcessTests {
    private let password = Person.fields([(.password, Person.password)])

    private func signer(in folder: ChildFolder = ChildFolder()) throws -> RunningChild {
        let child = try RunningChild("bulkhead-signer", in: folder)
        try child.begin(as: .signer)
        return child
    }

    private func open(_ path: String, _ flags: Int32) throws -> FileDescriptor {
        let number = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        try #require(number >= 0)
        return FileDescriptor(owning: number)
    }

    private func bytes(_ count: Int) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
    }

    @Test("An item goes in and comes out byte for byte, and none of it lies open on the disk")
    func items() throws {
        let child = try signer()
        let console = try child.console()
        let made = try console.createWallet("papers", kind: .items, kdf: .argon2id)
        let content = bytes(3_000_000)
        let path = child.folder + "/original"
        try Data(content).write(to: URL(fileURLWithPath: path))
        try console.hand(.input, try open(path, O_RDONLY))
        let added = try console.operate(
            .itemsAdd(made.id),
            secrets: Person.fields([
                (.password, Person.password), (.itemName, "deed.pdf"), (.itemSize, "3000000"),
            ]))
        guard case .success(.itemAdded(let item, bytes: 3_000_000)) = added else {
            throw Missing(what: "an item: \(added)")
        }
        let copy = child.folder + "/copy"
        try console.hand(.output, try open(copy, O_WRONLY | O_CREAT | O_EXCL))
        let got = try console.operate(.itemsGet(made.id, item), secrets: password)
        guard case .success = got else { throw Missing(what: "the item: \(got)") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(content))
        let sealed = try Data(
            contentsOf: URL(
                fileURLWithPath: child.folder + "/state/" + StateFile.item(made.id, item).path))
        #expect(sealed.range(of: Data(content[1000..<1032])) == nil)
        #expect(sealed.count < content.count * 112 / 100 + 4096)

        let removed = try console.operate(.itemsRemove(made.id, item), secrets: password)
        guard case .success = removed else { throw Missing(what: "removal: \(removed)") }
        try console.hand(.output, try open(copy, O_WRONLY))
        #expect(
            try console.operate(.itemsGet(made.id, item), secrets: password)
                == .failure(.noSuchItem(item)))

        let folder = child.folder + "/state/items/\(made.id)"
        #expect(access(folder, F_OK) == 0)
        let deleted = try console.operate(.delete(made.id, name: "papers"), secrets: password)
        guard case .success = deleted else { throw Missing(what: "deletion: \(deleted)") }
        #expect(access(folder, F_OK) != 0, "its folder goes with its last file")
    }

    @Test("A file in the place of a vault's folder of items is told of that vault alone")
    func fileForFolder() throws {
        let child = try signer()
        let console = try child.console()
        let papers = try console.createWallet("papers", kind: .items, kdf: .argon2id)
        let folder = child.folder + "/state/items/\(papers.id)"
        let savings = try console.createWallet("savings", kind: .wallet, kdf: .argon2id)
        try FileManager.default.removeItem(atPath: folder)
        try Data([1]).write(to: URL(fileURLWithPath: folder))
        guard case .success(.vaults(let rows)) = try console.operate(.list) else {
            throw Missing(what: "a list")
        }
        #expect(rows.first { $0.id == savings.id }?.problem.isEmpty == true)
        let problem = try #require(rows.first { $0.id == papers.id }?.problem)
        #expect(problem.contains("items/\(papers.id) is no directory"), "\(problem)")
        let shown = try console.operate(.showPhrase(papers.id), secrets: password)
        guard case .failure = shown else { throw Missing(what: "a refusal") }
    }

    @Test("A backup is restored on a new card with the secret key from the kit")
    func backup() throws {
        let old = try signer()
        var console = try old.console()
        let made = try console.createWallet("savings", kdf: .argon2id)
        let path = old.folder + "/backup"
        try console.hand(.output, try open(path, O_WRONLY | O_CREAT | O_EXCL))
        let backup = try console.operate(.backup(made.id), secrets: password)
        guard case .success(.backedUp(let size, _, _, _)) = backup else {
            throw Missing(what: "a backup: \(backup)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == Int(size))

        let new = try signer()
        console = try new.console()
        let key = try #require(made.secrets[SecretField.secretKey.rawValue])
        let secrets = Person.fields([(.secretKey, key)])
        for request in [VaultRequest.restoreCheck(made.id), .restore(made.id)] {
            try console.hand(.input, try open(path, O_RDONLY))
            let answer = try console.operate(request, secrets: secrets)
            guard case .success(.restored(made.id, let rows, _)) = answer else {
                throw Missing(what: "a restore: \(answer)")
            }
            #expect(rows.contains { $0.effect == .added })
            let isThere = FileManager.default.fileExists(
                atPath: new.folder + "/state/" + StateFile.vault(made.id).path)
            #expect(isThere == (request == .restore(made.id)))
        }
        #expect(try console.show(made.id)[3] == made.secrets[3])
    }

    /// Every file of a signer's state but those of its ledger, which tells of each start.
    private func files(_ child: RunningChild) -> [String: Data] {
        let state = child.folder + "/state/"
        let names = FileManager.default.enumerator(atPath: state)?.allObjects ?? []
        var files: [String: Data] = [:]
        for case let name as String in names where !name.hasPrefix("ledger") {
            files[name] = try? Data(contentsOf: URL(fileURLWithPath: state + name))
        }
        return files
    }

    @Test("A restore that dies half way leaves the card as it was, and is done again")
    func interruptedRestore() throws {
        let old = try signer()
        var console = try old.console()
        let made = try console.createWallet("papers", kind: .items, kdf: .pbkdf2)
        let original = old.folder + "/original"
        try Data(bytes(3_000_000)).write(to: URL(fileURLWithPath: original))
        try console.hand(.input, try open(original, O_RDONLY))
        let item = Person.fields([
            (.password, Person.password), (.itemName, "deed.pdf"), (.itemSize, "3000000"),
        ])
        guard case .success = try console.operate(.itemsAdd(made.id), secrets: item) else {
            throw Missing(what: "an item")
        }
        let path = old.folder + "/backup"
        try console.hand(.output, try open(path, O_WRONLY | O_CREAT | O_EXCL))
        guard case .success = try console.operate(.backup(made.id), secrets: password) else {
            throw Missing(what: "a backup")
        }
        let backup = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))

        var card = try signer()
        console = try card.console()
        _ = try console.createWallet("savings", kdf: .pbkdf2)
        let before = files(card)
        let key = try #require(made.secrets[SecretField.secretKey.rawValue])
        let secrets = Person.fields([(.secretKey, key)])
        let pipe = try LinuxIO.Pipe()
        let writing = pipe.writing
        try console.hand(.secretInput, try Person.pipe(secrets))
        try console.hand(.input, pipe.reading)
        try console.send(.operation(.restore(made.id)), at: Kernel.timeSinceBoot())
        // Once all of this is taken but what a pipe holds, half of the item lies beside the state.
        try backup.prefix(backup.count / 2).withUnsafeBytes { half in
            var rest = half[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                guard case .moved(let count) = try Kernel.write(writing.number, part) else {
                    throw Missing(what: "a reader")
                }
                rest = rest.dropFirst(count)
            }
        }
        #expect(files(card).keys.contains { $0.hasSuffix(".item.new") })
        #expect(kill(card.pid, SIGKILL) == 0)
        _ = try card.ending()
        card = try signer(in: card.home)
        console = try card.console()
        guard case .success(.vaults(let rows)) = try console.operate(.list) else {
            throw Missing(what: "a list")
        }
        #expect(rows.map(\.name) == ["savings"] && rows.map(\.problem) == [""])
        #expect(files(card) == before)

        try console.hand(.input, try open(path, O_RDONLY))
        let again = try console.operate(.restore(made.id), secrets: secrets)
        guard case .success(.restored) = again else { throw Missing(what: "a restore: \(again)") }
        let list = try LinuxIO.Pipe()
        try console.hand(.output, list.writing)
        guard case .success = try console.operate(.itemsList(made.id), secrets: password) else {
            throw Missing(what: "its items")
        }
        let names = String(decoding: try Person.read(list.reading), as: UTF8.self)
        #expect(names.contains("deed.pdf"))
    }

    @Test("Secrets that come byte by byte have their ten seconds in all")
    func dribblingSecrets() throws {
        Kernel.ignoreBrokenPipes()
        let child = try signer()
        let console = try child.console()
        let made = try console.createWallet("papers", kind: .items, kdf: .argon2id)
        let pipe = try LinuxIO.Pipe()
        let writing = pipe.writing
        try console.hand(.secretInput, pipe.reading)
        try console.hand(.input, try Person.pipe([0]))
        let begin = Kernel.timeSinceBoot()
        try console.send(.operation(.restoreCheck(made.id)), at: begin)
        for byte in Person.fields([(.secretKey, "ABCDEFGH")]).prefix(8) {
            _ = try [byte].withUnsafeBytes { try Kernel.write(writing.number, $0) }
            usleep(2_500_000)
            guard Kernel.timeSinceBoot() - begin < .seconds(13) else { break }
        }
        #expect(try console.answer() == .failure(.missingField(.secretKey)))
        #expect(Kernel.timeSinceBoot() - begin < .seconds(18))
    }

    @Test("A backup with one byte changed restores nothing")
    func damagedBackup() throws {
        let child = try signer()
        let console = try child.console()
        let made = try console.createWallet("savings", kdf: .argon2id)
        let path = child.folder + "/backup"
        try console.hand(.output, try open(path, O_WRONLY | O_CREAT | O_EXCL))
        guard case .success = try console.operate(.backup(made.id), secrets: password) else {
            throw Missing(what: "a backup")
        }
        var content = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        content[content.count / 2] ^= 1
        try Data(content).write(to: URL(fileURLWithPath: path))
        let new = try signer()
        let other = try new.console()
        try other.hand(.input, try open(path, O_RDONLY))
        let key = try #require(made.secrets[SecretField.secretKey.rawValue])
        let answer = try other.operate(
            .restore(made.id), secrets: Person.fields([(.secretKey, key)]))
        guard case .failure = answer else { throw Missing(what: "a refusal") }
        let vault = new.folder + "/state/" + StateFile.vault(made.id).path
        #expect(!FileManager.default.fileExists(atPath: vault))
        #expect(!FileManager.default.fileExists(atPath: vault + ".new"))
        #expect(!FileManager.default.fileExists(atPath: new.folder + "/state/device.key"))
    }
}
