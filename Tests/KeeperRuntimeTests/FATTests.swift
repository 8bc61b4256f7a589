import Foundation
import TestSupport
import Testing

/// A FAT file system in a file, mounted by the kernel or, where that has none, by fusefat.
final class FATDisk: Sendable {
    /// Where it is mounted.
    let folder: URL
    private let image: URL
    /// The process that serves it; 0 where the kernel does.
    private let server: pid_t

    /// It takes root, `mkfs.vfat`, and the file system or `fusefat`.
    static let isPossible =
        geteuid() == 0
        && shell(
            """
            PATH=$PATH:/usr/sbin; command -v mkfs.vfat &&
            { grep -qw vfat /proc/filesystems || { command -v fusefat && test -e /dev/fuse; }; }
            """)

    static let canBePulled = isPossible && shell("command -v fusefat && test -e /dev/fuse")

    /// - Parameter canBePulled: Whether `pull` is going to be called, which takes fusefat.
    init(at folder: URL, canBePulled: Bool = false) throws {
        self.folder = folder
        image = URL(filePath: "/tmp/bulkhead-fat-\(UUID().uuidString)")
        let made = Self.shell(
            """
            PATH=$PATH:/usr/sbin; truncate -s 48M \(image.path) && mkfs.vfat \(image.path) &&
            { \(canBePulled ? "false" : "mount -t vfat -o loop \(image.path) \(folder.path)") ||
              fusefat -o rw+,allow_other \(image.path) \(folder.path); } && mountpoint \(folder.path)
            """)
        guard made else { throw TestFailure(description: "no FAT file system") }
        let image = image.path
        server = Self.processes().first { $0.arguments.contains(image) }?.pid ?? 0
    }

    /// Takes it away in the middle of whatever goes on, as somebody does who pulls a stick: from now on
    /// every call fails.
    func pull() { kill(server, SIGKILL) }

    private static func processes() -> [(pid: pid_t, arguments: [String])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let pid = pid_t(name), let text = try? ProcessFile.text(of: pid, "cmdline") else {
                return nil
            }
            return (pid, text.split(separator: "\0").map(String.init))
        }
    }

    /// What is on it when it is put in again, by name.
    func contentAfterwards() throws -> [String: Data] {
        let again = folder.path + "-again"
        let made = Self.shell(
            """
            umount -l \(folder.path); mkdir \(again) && fusefat -o ro \(image.path) \(again) &&
            mountpoint \(again)
            """)
        guard made else { throw TestFailure(description: "the stick cannot be put in again") }
        defer { _ = Self.shell("umount -l \(again) && rmdir \(again)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: again)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(filePath: again + "/" + $0)))
            })
    }

    deinit {
        _ = Self.shell("umount -l \(folder.path); rm -f \(image.path)")
    }

    private static func shell(_ line: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        // Foundation waits for all who have its descriptors, and fusefat stays.
        let alone =
            #"for fd in /proc/self/fd/*; do n=${fd##*/}; [ $n -lt 3 ] || eval "exec $n>&-"; done"#
        process.arguments = ["-c", alone + "\n" + line]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

@Suite(
    "A file system without owners, modes and links (FAT)", .serialized,
    .enabled(if: isWallTested && FATDisk.isPossible))
struct FATTests {
    private static let password = "Correct-Horse-1"

    @Test("a kit, a backup and a ledger's text are written there whole, and restored from there")
    func output() throws {
        let commands = try VaultCommands()
        let stick = commands.files.appending(path: "stick")
        try FileManager.default.createDirectory(at: stick, withIntermediateDirectories: false)
        let disk = try FATDisk(at: stick)
        func names() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: disk.folder.path)) ?? [])
                .sorted()
        }
        let made = try commands.run(
            "wallet create Savings --words 12 --kit stick/kit.txt --phrase-fd 3",
            answers: [Self.password])
        #expect(made.status == 0, "\(made)")
        #expect(names() == ["kit.txt"])
        // What a killed command left there goes with the next file.
        let left = disk.folder.appending(path: ".kit.pdf.1a2b.bulkhead")
        try Data("secret".utf8).write(to: left)
        let backup = try commands.run("backup stick/a.backup", answers: [Self.password])
        #expect(backup.status == 0, "\(backup)")
        #expect(names() == ["a.backup", "kit.txt"])
        let again = try commands.run("backup stick/a.backup", answers: [Self.password])
        #expect(again.status == 10 && again.errors.contains("--force"), "\(again)")
        let forced = try commands.run("backup stick/a.backup --force", answers: [Self.password])
        #expect(forced.status == 0, "\(forced)")
        let refused = try commands.run("backup stick/b.backup", answers: ["Wrong-Horse-1"])
        #expect(refused.status == 9)
        #expect(try commands.run("ledger export stick/ledger.txt").status == 0)
        #expect(names() == ["a.backup", "kit.txt", "ledger.txt"])
        let key = try commands.code("Secret key", in: "stick/kit.txt")
        let check = try commands.run("restore stick/a.backup --check", answers: [key])
        #expect(check.status == 0, "\(check)")
    }

    /// A recorded PSBT with a field of 15 MB in it, so that writing takes its time.
    private func large() throws -> Data {
        let recorded = try RecordedPSBT.first(of: "wpkh")
        var file = try #require(Data(base64Encoded: recorded.unsigned))
        let length: [UInt8] =
            [0xFE] + withUnsafeBytes(of: UInt32(15_000_000).littleEndian, Array.init)
        let field = Data([1, 0xF0] + length) + Data(repeating: 7, count: 15_000_000)
        file.insert(contentsOf: field, at: 5)
        return file
    }

    @Test(
        "a stick that is pulled while a signed file is written has all of it or nothing",
        .enabled(if: FATDisk.canBePulled), arguments: [1, 3_000_000, 14_000_000])
    func pulled(after bytes: Int) throws {
        let commands = try VaultCommands()
        let words = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"
        let made = try commands.run(
            "wallet import Savings --kit kit.txt", answers: [words, Self.password])
        try #require(made.status == 0, "\(made)")
        try large().write(to: commands.files.appending(path: "a.psbt"))
        let stick = commands.files.appending(path: "stick")
        try FileManager.default.createDirectory(at: stick, withIntermediateDirectories: false)
        let disk = try FATDisk(at: stick, canBePulled: true)
        let sign = "sign a.psbt --yes-if-no-warnings"
        let whole = try commands.run(sign, answers: [Self.password])
        #expect(whole.status == 0, "\(whole)")
        let expected = try Data(contentsOf: commands.files.appending(path: "a-signed.psbt"))
        let signed = try commands.run(sign + " --out stick", answers: [Self.password]) { _ in
            Thread.detachNewThread {
                while Self.largest(in: stick) < bytes { usleep(200) }
                disk.pull()
            }
        }
        let left = try disk.contentAfterwards().filter { !$0.key.hasPrefix(".") }
        // A machine that did not let the thread run in time had it whole.
        if signed.status == 0 {
            #expect(left == ["a-signed.psbt": expected])
        } else {
            #expect(left.isEmpty, "\(left.keys)")
            #expect(signed.errors.contains("stick/"), "\(signed)")
        }
    }

    /// The size of the largest file there, which is written.
    private static func largest(in folder: URL) -> Int {
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).map { file in
            var facts = stat()
            return stat(file.path, &facts) == 0 ? Int(facts.st_size) : 0
        }.max() ?? 0
    }

    @Test("the signer's directory there is refused in a sentence, and no key is made")
    func state() throws {
        let commands = try VaultCommands()
        try commands.stop()
        let signer = commands.keeper.state.appending(path: "signer")
        let disk = try FATDisk(at: signer)
        let sentence = try refusal(commands)
        #expect(sentence.contains("must belong to user"), "\(sentence)")
        // What helps, and not what cannot.
        #expect(sentence.contains("keep the state on ext4"), "\(sentence)")
        #expect(!sentence.contains(": chown"), "\(sentence)")
        #expect(
            !FileManager.default.fileExists(
                atPath: disk.folder.appending(path: "device.key").path))
    }

    /// What is said instead of making a wallet: by the keeper at its start, or by the signer.
    private func refusal(_ commands: VaultCommands) throws -> String {
        let keeper = commands.keeper
        try keeper.launch(keeper.usualFlags + ["--network", "regtest", "--role", "offline"])
        try keeper.wait("a keeper that is ready or gone") {
            keeper.said.contains("ready on ") || !keeper.process.isRunning
        }
        guard keeper.process.isRunning else { return keeper.said }
        let made = try commands.run(
            "wallet create Savings --words 12 --kit kit.txt --phrase-fd 3",
            answers: [Self.password])
        #expect(made.status != 0, "\(made)")
        #expect(commands.names.isEmpty)
        return made.output + made.errors
    }
}
