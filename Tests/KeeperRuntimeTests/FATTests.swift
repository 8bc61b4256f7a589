import Foundation
import Testing

/// A FAT file system in a file, mounted by the kernel or, where that has none, by fusefat.
final class FATDisk {
    /// Where it is mounted.
    let folder: URL
    private let image: URL

    /// It takes root, `mkfs.vfat`, and the file system or `fusefat`.
    static let isPossible =
        geteuid() == 0
        && shell(
            """
            PATH=$PATH:/usr/sbin; command -v mkfs.vfat &&
            { grep -qw vfat /proc/filesystems || { command -v fusefat && test -e /dev/fuse; }; }
            """)

    init(at folder: URL) throws {
        self.folder = folder
        image = URL(filePath: "/tmp/bulkhead-fat-\(UUID().uuidString)")
        let made = Self.shell(
            """
            PATH=$PATH:/usr/sbin; truncate -s 48M \(image.path) && mkfs.vfat \(image.path) &&
            { mount -t vfat -o loop \(image.path) \(folder.path) 2>&1 ||
              fusefat -o rw+,allow_other \(image.path) \(folder.path); } && mountpoint \(folder.path)
            """)
        guard made else { throw TestFailure(description: "no FAT file system") }
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
