import Foundation
import Glibc
import Hashing
import KeyTree
import LinuxIO
import LocalSockets
import Messages
import SecretMemory
import StateFiles
import TestSupport
import Testing
import Wire

/// After operations, nothing secret is left in a process that lives on, in a file or in the log.
@Suite(
    "Secrets in memory", .serialized,
    .enabled(if: geteuid() == 0, "only root may read the memory of processes that are not dumpable")
)
struct MemoryTests {
    /// Keeper, signer and network process, as root starts them, with users of their own.
    private final class Appliance {
        let folder = "/tmp/bulkhead-memory-\(UUID().uuidString)"
        private let keeper = Process()
        var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

        init() throws {
            try FileManager.default.createDirectory(
                atPath: folder + "/state", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            chmod(folder, 0o755)
            _ = FileManager.default.createFile(atPath: folder + "/log", contents: nil)
            keeper.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("bulkheadd")
            keeper.arguments = [
                "--network", "regtest", "--state-directory", folder + "/state",
                "--runtime-directory", folder + "/run", "--signer-user", "daemon",
                "--network-user", "nobody", "--group", "nogroup",
            ]
            keeper.standardInput = FileHandle.nullDevice
            keeper.standardOutput = FileHandle.nullDevice
            keeper.standardError = FileHandle(forWritingAtPath: folder + "/log")
            mkdir(folder + "/run", 0o755)
            try keeper.run()
            for _ in 0..<600 where !log.contains("ready on") { usleep(50_000) }
            guard log.contains("ready on") else { throw Missing(what: "the appliance: \(log)") }
        }

        deinit {
            keeper.terminate()
            keeper.waitUntilExit()
            try? FileManager.default.removeItem(atPath: folder)
        }

        func console() throws -> ConsoleChannel {
            let channel = try ConsoleChannel(LocalSocket.connect(to: folder + "/run/signer.sock"))
            #expect(try channel.ask(.hello) == .welcome(.regtest))
            return channel
        }

        /// Every process of it: the keeper and all that descend from it.
        func processes() throws -> [Int32] {
            var found = [keeper.processIdentifier]
            var next = 0
            while next < found.count {
                let pid = found[next]
                let children = (try? ProcessFile.text(of: pid, "task/\(pid)/children")) ?? ""
                found += children.split(separator: " ").compactMap { Int32($0) }
                next += 1
            }
            return found
        }

        /// Every file that was written, and the log.
        func files() throws -> [String: Data] {
            let names = FileManager.default.enumerator(atPath: folder)
            var files: [String: Data] = [:]
            for case let name as String in names ?? .init() {
                files[name] = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            }
            return files
        }
    }

    /// Where one of the needles lies in what a process may read and write.
    private func search(_ pid: Int32, _ needles: [String: Data]) throws -> [String] {
        let longest = needles.values.map(\.count).max() ?? 0
        var found: [String] = []
        let count = try ProcessMemory.scan(of: pid, overlap: longest) { piece, region in
            for (name, needle) in needles
            where ProcessMemory.occurrences(of: needle, in: piece) > 0 {
                found.append("\(name) in \(region)")
            }
        }
        guard count > 100_000 else { throw Missing(what: "the memory of \(pid)") }
        return found
    }

    /// What the words come to (BIP39, BIP32): entropy, seed, master private key.
    private func derived(_ words: String) throws -> [String: Data] {
        let text = Array(words.utf8)
        let phrase = try Mnemonic(text: SecretBytes(count: text.count) { $0.copyBytes(from: text) })
        let seed = try phrase.seed(passphrase: SecretBytes(count: 0)).withUnsafeBytes { Data($0) }
        var mac = HMACSHA512()
        Array("Bitcoin seed".utf8).withUnsafeBytes { mac.setKey($0) }
        seed.withUnsafeBytes { mac.update($0) }
        var master = [UInt8](repeating: 0, count: 64)
        master.withUnsafeMutableBytes { mac.finalize(into: $0) }
        return [
            "entropy": phrase.entropy().withUnsafeBytes { Data($0) }, "seed": seed,
            "master key": Data(master.prefix(32)),
        ]
    }

    /// The bytes of a kit's text, whose groups of five end with a check character (docs/formats.md).
    private func bytes(ofKit text: String) -> Data {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let characters = text.filter { $0 != "-" }.enumerated().filter { $0.offset % 5 != 4 }
        let bits = characters.flatMap { _, character in
            let value = alphabet.firstIndex(of: character) ?? 0
            return (0..<5).map { value >> (4 - $0) & 1 }
        }
        return Data(
            (0..<bits.count / 8).map { byte in
                bits[byte * 8..<byte * 8 + 8].reduce(0) { $0 << 1 | UInt8($1) }
            })
    }

    @Test("Words, password, kit and keys are in no process, file or log; a live worker shows them")
    func scan() throws {
        let appliance = try Appliance()
        let console = try appliance.console()
        let made = try console.createWallet("savings", kdf: .argon2id)
        let words = try #require(made.secrets[SecretField.words.rawValue])
        #expect(try console.show(made.id)[SecretField.words.rawValue] == words)
        _ = try console.operate(
            .showPhrase(made.id), discarding: Person.fields([(.password, "Wrong horse 99")]))
        var needles: [String: Data] = [
            "words": Data(words.utf8), "password": Data(Person.password.utf8),
            "wrong password": Data("Wrong horse 99".utf8),
            "first words": Data(words.split(separator: " ").prefix(4).joined(separator: " ").utf8),
        ]
        for field in [SecretField.recoveryCode, .secretKey] {
            let text = try #require(made.secrets[field.rawValue])
            needles["\(field)"] = Data(text.utf8)
            needles["bytes of \(field)"] = bytes(ofKit: text)
        }
        needles.merge(try derived(words)) { first, _ in first }
        #expect(needles["bytes of secretKey"]?.count == 32 && needles["seed"]?.count == 64)
        #expect(needles.values.allSatisfy { $0.count >= 12 })
        // The raw keys, each of which lies in its own file and nowhere else.
        for key in [StateFile.deviceKey, .indexKey] {
            needles["\(key)"] = try Data(
                contentsOf: URL(fileURLWithPath: appliance.folder + "/state/signer/" + key.path))
        }
        let processes = try appliance.processes()
        #expect(processes.count >= 3)
        for pid in processes {
            #expect(try search(pid, needles) == [], "process \(pid)")
        }
        for (name, content) in try appliance.files() {
            for (what, needle) in needles where content.range(of: needle) != nil {
                #expect(name.hasSuffix(what), "\(what) is in \(name)")
            }
        }
        try control(appliance, console, made.id, before: processes)
    }

    /// The scan finds what is there: a worker that holds a password while it waits for the rest.
    private func control(
        _ appliance: Appliance, _ console: ConsoleChannel, _ id: VaultID, before: [Int32]
    ) throws {
        let pipe = try LinuxIO.Pipe()
        let writing = pipe.writing
        try console.hand(.secretInput, pipe.reading)
        try console.hand(.output, try LinuxIO.Pipe().onlyWriting())
        try console.send(.operation(.showPhrase(id)), at: Kernel.timeSinceBoot())
        let part = Person.fields([(.password, "Planted horse 77")])
        _ = try part.withUnsafeBytes { try Kernel.write(writing.number, $0) }
        let needle = ["planted": Data("Planted horse 77".utf8)]
        for _ in 0..<100 {
            let workers = try appliance.processes().filter { !before.contains($0) }
            let found = workers.flatMap { (try? search($0, needle)) ?? [] }
            if !found.isEmpty { return }
            usleep(50_000)
        }
        _ = writing.number
        Issue.record("the scan does not find what a worker holds")
    }
}
