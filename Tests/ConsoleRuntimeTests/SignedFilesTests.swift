import ConsoleCore
import Foundation
import PSBT
import Testing
import Wire

@testable import ConsoleRuntime

@Suite("Files to sign, and signed ones")
struct SignedFilesTests {
    private func sentence(_ body: () throws(CommandEnd) -> Void) -> String {
        do throws(CommandEnd) {
            try body()
            return ""
        } catch {
            return error.sentence
        }
    }

    // MARK: Reading

    @Test("a file is read as it is, up to the limit and no further", arguments: [0, 1, 999, 1000])
    func read(_ count: Int) throws {
        try withFolder { folder in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            try Data(bytes).write(to: URL(filePath: folder + "a"))
            let content = try PSBTSource.content(folder + "a", limit: 1000)
            #expect(content == PSBTContent(bytes: bytes, text: nil))
        }
    }

    @Test(
        "text that is too large becomes what it stands for, and an answer becomes the same text",
        arguments: [70_000, 98_304, 100_001])
    func largeText(_ count: Int) throws {
        let bytes = PSBT.magic + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let (hex, base64) = (Hex.encode(bytes), Base64.encode(bytes))
        func lines(_ text: String, _ ending: String) -> String {
            let all = Array(text.utf8)
            return stride(from: 0, to: all.count, by: 76).map {
                String(decoding: all[$0..<min($0 + 76, all.count)], as: UTF8.self)
            }.joined(separator: ending)
        }
        let texts: [(String, PSBTFile.Encoding)] = [
            (hex, .hex), (hex.uppercased() + "\n", .hex), ("\u{FEFF}" + lines(hex, "\r\n"), .hex),
            (base64, .base64), (lines(base64, "\n") + "\n", .base64),
        ]
        try withFolder { folder in
            for (text, encoding) in texts {
                try Data(text.utf8).write(to: URL(filePath: folder + "a"))
                let content = try PSBTSource.content(folder + "a", limit: bytes.count)
                #expect(content == PSBTContent(bytes: bytes, text: encoding))
                let out = open(folder + "out", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
                try PSBTContent.write(bytes[...], as: content.text, to: out)
                close(out)
                let written = try String(contentsOfFile: folder + "out", encoding: .utf8)
                #expect(written == (encoding == .hex ? hex : base64))
                // One byte less room, and nothing is read.
                let said = sentence { () throws(CommandEnd) in
                    _ = try PSBTSource.content(folder + "a", limit: bytes.count - 1)
                }
                #expect(said.contains("stands for more than \(bytes.count - 1) bytes"), "\(said)")
            }
        }
    }

    @Test("large text with anything else in it is refused, and so is a large file that is no text")
    func damagedText() throws {
        let bytes = PSBT.magic + [UInt8](repeating: 9, count: 100_001)
        let (hex, base64) = (Hex.encode(bytes), Base64.encode(bytes))
        let middle = 60_000
        func changed(_ text: String, _ character: String) -> String {
            String(text.prefix(middle)) + character + String(text.dropFirst(middle + 1))
        }
        let texts: [(String, String)] = [
            (changed(hex, "g"), "begins like a PSBT in hex"),
            (hex + "0", "begins like a PSBT in hex"),
            (changed(base64, "="), "begins like a PSBT in base64"),
            (base64 + base64, "begins like a PSBT in base64"),
            (String(base64.dropLast()), "begins like a PSBT in base64"),
            (String(repeating: "x", count: 200_000), "at most 1000 are read"),
            (String(repeating: " ", count: 200_000), "at most 1000 are read"),
        ]
        try withFolder { folder in
            for (text, found) in texts {
                try Data(text.utf8).write(to: URL(filePath: folder + "a"))
                let limit = found.hasPrefix("at") ? 1000 : 100_006
                let said = sentence { () throws(CommandEnd) in
                    _ = try PSBTSource.content(folder + "a", limit: limit)
                }
                #expect(said.contains(found), "\(said)")
            }
        }
    }

    @Test("what is too large, is no file or is not there is told before anything is read")
    func refused() throws {
        try withFolder { folder in
            _ = FileManager.default.createFile(atPath: folder + "large", contents: nil)
            #expect(truncate(folder + "large", 1 << 40) == 0)
            #expect(mkfifo(folder + "fifo", 0o600) == 0)
            for (name, text) in [
                ("large", "at most 16777216 are read"),
                ("fifo", "it is no ordinary file but a pipe"),
                ("", "no ordinary file"), ("none", "no such file"),
            ] {
                let said = sentence { () throws(CommandEnd) in
                    _ = try PSBTSource.content(folder + name)
                }
                #expect(said.lowercased().contains(text), "\(said)")
            }
            // Some of these are never at their end: a read of /proc/kmsg waits for the kernel's next word.
            let said = sentence { () throws(CommandEnd) in
                _ = try PSBTSource.content("/proc/version")
            }
            #expect(said.contains("the kernel makes up"), "\(said)")
        }
    }

    // MARK: Writing

    private func make(_ folder: String, withFinal: Bool = true) throws(CommandEnd) -> SignedFiles {
        try SignedFiles(SignedFileNames(folder + "a.psbt"), withFinal: withFinal)
    }

    private func write(_ files: SignedFiles) throws {
        try files.write([1, 2, 3][...], transaction: [4][...])
    }

    @Test(
        "the name says whether signatures are missing, and nothing else appears",
        arguments: [
            ("s\nt\n", ["a-final.txn", "a-signed.psbt"]), ("s\n", ["a-signed.psbt"]),
            ("p\n", ["a-part.psbt"]), ("", []), ("x", []),
        ])
    func commit(_ report: String, _ expected: [String]) throws {
        try withFolder { folder in
            let files = try make(folder)
            #expect(names(folder).allSatisfy { $0.hasPrefix(".") })
            try write(files)
            let (paths, problem) = files.commit(Array(report.utf8))
            #expect(problem == nil && Set(paths) == Set(expected.map { folder + $0 }))
            #expect(names(folder) == expected)
            for name in expected where name.hasSuffix("psbt") {
                #expect(try Data(contentsOf: URL(filePath: folder + name)) == Data([1, 2, 3]))
            }
        }
    }

    @Test("a file whose name was taken meanwhile is told, and the others are there")
    func takenMeanwhile() throws {
        try withFolder { folder in
            let files = try make(folder)
            try write(files)
            try Data([9]).write(to: URL(filePath: folder + "a-signed.psbt"))
            let (paths, problem) = files.commit(Array("s\nt\nj{}\n".utf8))
            #expect(paths == [folder + "a-final.txn"])
            #expect(problem?.description == "\(folder)a-signed.psbt: is there already")
            #expect(try Data(contentsOf: URL(filePath: folder + "a-signed.psbt")) == Data([9]))
        }
    }

    @Test("the answer for programs is found in a report, wherever it stands")
    func answer() {
        #expect(SignedFiles.answer(in: Array("s\nt\nj{\"a\":1}\n!5\n".utf8)) == "{\"a\":1}")
        #expect(SignedFiles.answer(in: Array("s\nt\n".utf8)) == nil)
    }

    @Test(
        "a name that is taken is told before anything is asked",
        arguments: ["a-signed.psbt", "a-part.psbt", "a-final.txn"])
    func taken(_ name: String) throws {
        try withFolder { folder in
            try Data([9]).write(to: URL(filePath: folder + name))
            let said = sentence { () throws(CommandEnd) in _ = try make(folder) }
            #expect(said.contains(name) && said.contains("nothing is overwritten"), "\(said)")
            #expect(names(folder) == [name])
            // A link that leads nowhere has the name, too.
            unlink(folder + name)
            try #require(symlink("none", folder + name) == 0)
            let linked = sentence { () throws(CommandEnd) in _ = try make(folder) }
            #expect(linked == said)
        }
    }

    @Test("a name that no file can have is told before anything is asked")
    func tooLong() throws {
        try withFolder { folder in
            let path = folder + String(repeating: "a", count: 244)
            let said = sentence { () throws(CommandEnd) in
                _ = try SignedFiles(SignedFileNames(path), withFinal: false)
            }
            #expect(said.contains("256 bytes") && said.contains("shorter"), "\(said)")
            #expect(names(folder).isEmpty)
            let words = try CommandLineWords(["submit", path])
            let sent = sentence { () throws(CommandEnd) in
                _ = try SubmitJob(words, CommandOptions(words))
            }
            #expect(sent.contains("256 bytes"), "\(sent)")
        }
    }

    @Test("a name that somebody takes meanwhile is not overwritten")
    func race() throws {
        try withFolder { folder in
            let files = try make(folder, withFinal: false)
            try write(files)
            try Data([9]).write(to: URL(filePath: folder + "a-signed.psbt"))
            let (paths, problem) = files.commit(Array("s\n".utf8))
            #expect(paths.isEmpty && problem != nil)
            #expect(names(folder) == ["a-signed.psbt"])
            #expect(try Data(contentsOf: URL(filePath: folder + "a-signed.psbt")) == Data([9]))
        }
    }

    @Test("a medium that vanishes leaves no half file, and the command knows")
    func vanished() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "usb", withIntermediateDirectories: false)
            let files = try make(folder + "usb/")
            try write(files)
            #expect(rename(folder + "usb", folder + "gone") == 0)
            let (paths, problem) = files.commit(Array("s\nt\n".utf8))
            #expect(paths.isEmpty && problem != nil)
            #expect(names(folder) == ["gone"])
            #expect(names(folder + "gone").allSatisfy { $0.hasPrefix(".") })
        }
    }
}
