import Foundation
import Testing

@Suite("Commands on items", .serialized, .enabled(if: isWallTested))
struct ItemCommandsTests {
    private static let password = "Correct-Horse-1"

    private func commands() throws -> VaultCommands {
        let commands = try VaultCommands()
        let made = try commands.run("items create Papers --kit kit.pdf", answers: [Self.password])
        try #require(made.status == 0, "\(made)")
        return commands
    }

    private func write(_ data: Data, _ name: String, _ commands: VaultCommands) throws {
        try data.write(to: commands.files.appending(path: name))
    }

    @Test("a file goes in and comes out as it was, by name and by id, and is gone when removed")
    func file() throws {
        let commands = try commands()
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try write(content, "letter.bin", commands)
        let added = try commands.run("items add letter.bin", answers: [Self.password])
        #expect(added.status == 0, "\(added)")
        let id = try #require(added.json["item"] as? String)
        let list = try commands.run("items list", answers: [Self.password])
        let items = try #require(list.json["items"] as? [[String: Any]])
        #expect(items.count == 1 && items[0]["name"] as? String == "letter.bin")
        #expect(items[0]["size"] as? Int == content.count)
        for (item, target) in [("letter.bin", "by-name"), (id, "by-id")] {
            let got = try commands.run("items get \(item) \(target)", answers: [Self.password])
            #expect(got.status == 0, "\(got)")
            #expect(try Data(contentsOf: commands.files.appending(path: target)) == content)
        }
        let piped = try commands.run(
            "items get letter.bin -", answers: [Self.password], isJSON: false)
        #expect(piped.status == 0 && piped.output == String(decoding: content, as: UTF8.self))
        #expect(try commands.run("items get \(id) by-id", answers: [Self.password]).status == 10)
        let full = try commands.run(
            "items get letter.bin -", answers: [Self.password], isJSON: false,
            outputFile: "/dev/full")
        #expect(full.status == 15 && full.errors.contains("standard output"), "\(full)")
        let nowhere = try commands.run(
            "items get letter.bin -", answers: [Self.password], isJSON: false,
            outputFile: "/dev/null")
        #expect(nowhere.status == 0, "\(nowhere)")
        #expect(try commands.run("items remove letter.bin", answers: [Self.password]).status == 0)
        let gone = try commands.run("items get \(id) other", answers: [Self.password])
        #expect(gone.code == "no-such-item" && !commands.exists("other"), "\(gone)")
        #expect(
            try commands.run("items get letter.bin other", answers: [Self.password]).status == 10)
    }

    @Test("a file larger than the memory that a worker may take goes in and comes out")
    func large() throws {
        let commands = try commands()
        // A worker has 384 MiB. Holes in the file spare the disk.
        let count = UInt64(400 << 20)
        try write(Data("begin".utf8), "film.bin", commands)
        let film = try FileHandle(forUpdating: commands.files.appending(path: "film.bin"))
        try film.truncate(atOffset: count - 3)
        try film.seekToEnd()
        try film.write(contentsOf: Data("end".utf8))
        try film.close()
        let added = try commands.run("items add film.bin", answers: [Self.password])
        #expect(added.status == 0, "\(added)")
        let got = try commands.run("items get film.bin out.bin", answers: [Self.password])
        #expect(got.status == 0, "\(got)")
        let out = try FileHandle(forReadingFrom: commands.files.appending(path: "out.bin"))
        #expect(try out.read(upToCount: 6) == Data("begin\0".utf8))
        #expect(try out.seekToEnd() == count)
        try out.seek(toOffset: count - 4)
        #expect(try out.readToEnd() == Data("\0end".utf8))
        let signer = try #require(commands.keeper.pid("signer"))
        let most = KeeperUnderTest.status(signer, "VmHWM")?.split(separator: " ").first
        #expect(try #require(most.flatMap { Int($0) }) < 64 << 10, "of the broker, in KiB")
    }

    /// The first of the two children of `items add`, once both are there.
    private func filter(of command: pid_t) throws -> pid_t {
        let path = "/proc/\(command)/task/\(command)/children"
        for _ in 0..<500 {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let children = text.split(separator: " ").compactMap { pid_t($0) }
            if children.count == 2 { return children[0] }
            usleep(20_000)
        }
        throw CocoaError(.fileReadUnknown)
    }

    @Test(
        "a file whose reader is killed, or that shrinks while it is read, is not sealed and stays")
    func deadFilter() throws {
        let commands = try commands()
        let file = commands.files.appending(path: "big.bin")
        try write(Data(repeating: 0x5A, count: 3_000_000), "big.bin", commands)
        for shrinks in [false, true] {
            // Until the password comes, nobody reads what the filter passes on: a pipe holds 64 KiB.
            let added = try commands.run(
                "items add big.bin --remove-original", answers: [Self.password]
            ) { command in
                let filter = try filter(of: command)
                if shrinks {
                    try #require(truncate(file.path, 1_000_000) == 0)
                } else {
                    try #require(kill(filter, SIGKILL) == 0)
                }
            }
            #expect(added.status == 10 && added.code == "bad-input", "\(added)")
            #expect(commands.exists("big.bin"))
            let list = try commands.run("items list", answers: [Self.password])
            #expect((list.json["items"] as? [Any])?.isEmpty == true, "\(list)")
        }
        let added = try commands.run(
            "items add big.bin --remove-original", answers: [Self.password])
        #expect(added.status == 0 && added.json["bytes"] as? Int == 1_000_000, "\(added)")
        #expect(!commands.exists("big.bin"))
    }

    @Test("--remove-original refuses a symbolic link before anything is sealed")
    func link() throws {
        let commands = try commands()
        try write(Data("a note".utf8), "note.txt", commands)
        let link = commands.files.appending(path: "link.txt").path
        try #require(symlink("note.txt", link) == 0)
        let refused = try commands.run(
            "items add link.txt --remove-original", answers: [Self.password])
        #expect(refused.status == 10 && refused.errors.contains("is a link"), "\(refused)")
        #expect(commands.exists("note.txt") && commands.exists("link.txt"))
        let list = try commands.run("items list", answers: [Self.password])
        #expect((list.json["items"] as? [Any])?.isEmpty == true, "\(list)")
        let added = try commands.run("items add link.txt", answers: [Self.password])
        #expect(added.status == 0 && !added.errors.contains("original"), "\(added)")
    }

    @Test("a picture loses its place before it is sealed, and one that cannot is refused")
    func picture() throws {
        let commands = try commands()
        let comment = Data([0xFF, 0xFE, 0x00, 0x0B]) + Data("Reykjavik".utf8)
        let picture =
            Data([0xFF, 0xD8]) + comment
            + Data([0xFF, 0xDA, 0x00, 0x08, 1, 1, 0, 0, 63, 0, 0x12, 0x34, 0xFF, 0xD9])
        try write(picture, "photo.jpg", commands)
        let added = try commands.run(
            "items add photo.jpg --remove-original", answers: [Self.password])
        #expect(added.status == 0 && added.errors.contains("left out"), "\(added)")
        #expect(!commands.exists("photo.jpg"))
        #expect(
            try commands.run("items get photo.jpg back.jpg", answers: [Self.password]).status == 0)
        let back = try Data(contentsOf: commands.files.appending(path: "back.jpg"))
        #expect(back.range(of: Data("Reykjavik".utf8)) == nil && back.count < picture.count)

        try write(Data("RIFF\0\0\0\0AVI LIST".utf8), "film.avi", commands)
        let film = try commands.run("items add film.avi", answers: [Self.password])
        #expect(film.status == 9 && film.errors.contains("Export it anew"), "\(film)")
        #expect(commands.exists("film.avi"))
        let list = try commands.run("items list", answers: [Self.password])
        #expect((list.json["items"] as? [Any])?.count == 1)
    }

    @Test("an empty file and a file of many chunks are sealed; a folder is refused")
    func sizes() throws {
        let commands = try commands()
        for size in [0, 1, 65536, 2_000_001] {
            let content = Data(repeating: 0x5A, count: size)
            try write(content, "f\(size)", commands)
            let added = try commands.run("items add f\(size)", answers: [Self.password])
            #expect(added.status == 0, "\(added)")
            #expect(
                try commands.run("items get f\(size) g\(size)", answers: [Self.password]).status
                    == 0)
            #expect(try Data(contentsOf: commands.files.appending(path: "g\(size)")) == content)
        }
        let folder = try commands.run("items add .", answers: [Self.password])
        #expect(folder.status == 10 && folder.errors.contains("ordinary file"), "\(folder)")
    }
}
