import Foundation
import Testing

@testable import ConsoleRuntime

@Suite("Bytes of files and descriptors")
struct InputBytesTests {
    private func end(_ body: () throws(CommandEnd) -> [UInt8]) -> String {
        do throws(CommandEnd) { return "\(try body().count) bytes" } catch {
            return error.sentence
        }
    }

    @Test("all is read up to the limit, and one byte more is refused", arguments: [0, 1, 70_000])
    func limits(_ count: Int) throws {
        try withFolder { folder in
            let path = folder + "a"
            try Data(repeating: 7, count: count).write(to: URL(filePath: path))
            #expect(
                try InputBytes.read(path, limit: count) == [UInt8](repeating: 7, count: count))
            guard count > 0 else { return }
            let long = end { () throws(CommandEnd) in
                try InputBytes.read(path, limit: count - 1)
            }
            #expect(long == "\(path): it is longer than \(count - 1) bytes")
        }
    }

    @Test("what cannot be read is named, and a descriptor stays open")
    func problems() throws {
        try withFolder { folder in
            let missing = end { () throws(CommandEnd) in
                try InputBytes.read(folder + "none", limit: 9)
            }
            #expect(missing.hasPrefix(folder + "none: "))
            let number = open(folder, O_RDONLY)
            let directory = end { () throws(CommandEnd) in
                try InputBytes.read(number, "descriptor 9", limit: 9)
            }
            #expect(directory.hasPrefix("descriptor 9: "))
            #expect(close(number) == 0)
        }
    }

    @Test(
        "a pipe that nobody writes into is given up, and says so; so is one whose writer falls silent"
    )
    func silence() throws {
        try withFolder { folder in
            let path = folder + "fifo"
            try #require(mkfifo(path, 0o600) == 0)
            let said = end { () throws(CommandEnd) in
                try InputBytes.read(path, limit: 9, patience: .zero)
            }
            #expect(
                said
                    == "\(path): nothing came for 0 seconds: nobody writes into this pipe, or not yet"
            )
            let both = open(path, O_RDWR)
            defer { close(both) }
            try #require(write(both, "abc", 3) == 3)
            let silent = end { () throws(CommandEnd) in
                try InputBytes.read(path, limit: 9, patience: .zero)
            }
            #expect(silent.contains("nothing came for 0 seconds"))
        }
    }

    @Test(
        "what comes through a pipe is read to its end, however late it begins and wherever it pauses"
    )
    func pauses() throws {
        try withFolder { folder in
            let path = folder + "fifo"
            try #require(mkfifo(path, 0o600) == 0)
            let writer = Thread {
                usleep(50_000)
                let file = open(path, O_WRONLY)
                for part in ["the first ", "and after a pause ", "the rest"] {
                    usleep(50_000)
                    _ = write(file, part, part.utf8.count)
                }
                usleep(50_000)
                close(file)
            }
            writer.start()
            let bytes = try InputBytes.read(path, limit: 99, patience: .seconds(60))
            #expect(
                String(decoding: bytes, as: UTF8.self) == "the first and after a pause the rest")
        }
    }

    @Test("a pipe whose writer is gone still has what was written, as a shell hands it over")
    func finishedWriter() throws {
        let pipe = Foundation.Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("whole".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        let bytes = try InputBytes.read(path, limit: 99, patience: .seconds(60))
        #expect(String(decoding: bytes, as: UTF8.self) == "whole")
    }

    @Test("an input that does not block is waited for, and not taken for one that ended")
    func notBlocking() throws {
        let pipe = Foundation.Pipe()
        let reading = pipe.fileHandleForReading.fileDescriptor
        try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
        let writer = Thread {
            usleep(50_000)
            try? pipe.fileHandleForWriting.write(contentsOf: Data("late".utf8))
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        let bytes = try InputBytes.read(reading, "standard input", limit: 99)
        #expect(String(decoding: bytes, as: UTF8.self) == "late")
    }
}
