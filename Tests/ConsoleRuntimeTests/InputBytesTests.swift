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
            #expect(long == "\(path) is longer than \(count - 1) bytes")
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
}
