import ConsoleCore
import Foundation
import Testing

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
            #expect(try PSBTSource.read(folder + "a", limit: 1000) == bytes)
        }
    }

    @Test("what is too large, is no file or is not there is told before anything is read")
    func refused() throws {
        try withFolder { folder in
            FileManager.default.createFile(atPath: folder + "large", contents: nil)
            #expect(truncate(folder + "large", 1 << 40) == 0)
            #expect(mkfifo(folder + "fifo", 0o600) == 0)
            for (name, text) in [
                ("large", "at most 16777216 are read"), ("fifo", "no ordinary file"),
                ("", "no ordinary file"), ("none", "no such file"),
            ] {
                let said = sentence { () throws(CommandEnd) in
                    _ = try PSBTSource.read(folder + name)
                }
                #expect(said.lowercased().contains(text), "\(said)")
            }
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
            let (paths, isWhole) = files.commit(Array(report.utf8))
            #expect(isWhole && Set(paths) == Set(expected.map { folder + $0 }))
            #expect(names(folder) == expected)
            for name in expected where name.hasSuffix("psbt") {
                #expect(try Data(contentsOf: URL(filePath: folder + name)) == Data([1, 2, 3]))
            }
        }
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
            let (paths, isWhole) = files.commit(Array("s\n".utf8))
            #expect(paths.isEmpty && !isWhole)
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
            let (paths, isWhole) = files.commit(Array("s\nt\n".utf8))
            #expect(paths.isEmpty && !isWhole)
            #expect(names(folder) == ["gone"])
            #expect(names(folder + "gone").allSatisfy { $0.hasPrefix(".") })
        }
    }
}
