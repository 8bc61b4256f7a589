import Foundation
import Testing

@testable import ConsoleRuntime

@Suite("What becomes an item")
struct ItemSourceTests {
    @Test("an input whose reads do not block is taken to its end, not to its first pause")
    func pauses() throws {
        let pipe = Pipe()
        let reading = pipe.fileHandleForReading.fileDescriptor
        try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
        let parts = ["the first ", "and after a pause ", "the rest"]
        let writer = Thread {
            for part in parts {
                usleep(50_000)
                try? pipe.fileHandleForWriting.write(contentsOf: Data(part.utf8))
            }
            usleep(50_000)
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        let source = try ItemSource(reading: reading)
        #expect(Data(source.bytes) == Data(parts.joined().utf8))
    }

    @Test("an input that cannot be read is refused instead of being taken for a shorter one")
    func unreadable() throws {
        let folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(folder >= 0)
        defer { close(folder) }
        do {
            _ = try ItemSource(reading: folder)
            Issue.record("a folder was read")
        } catch {
            #expect(error.exitCode == .input && error.sentence.contains("standard input"))
        }
    }

    @Test("a file is the same under its own name only, and only as long as nobody changes it")
    func sameFile() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "item-source-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (file, link) = (folder + "/file", folder + "/link")
        try Data("content".utf8).write(to: URL(filePath: file))
        try #require(symlink(file, link) == 0)
        for path in [file, link] {
            let source = try ItemSource(path)
            #expect(source.isStill(at: file) && !source.isStill(at: link))
        }
        let source = try ItemSource(file)
        try #require(truncate(file, 3) == 0)
        #expect(!source.isStill(at: file))
    }

    @Test("a file that the kernel makes up is refused: its size says nothing of what it holds")
    func madeUp() throws {
        do {
            // It is said to be empty.
            _ = try ItemSource("/proc/version")
            Issue.record("it was taken for empty")
        } catch {
            #expect(error.exitCode == .input && error.sentence.contains("copy it into one"))
        }
    }
}
