import Glibc
import Testing

@testable import KeeperRuntime

@Suite("Output of a child")
struct LogTests {
    private func lines(_ text: String, at now: Duration = .zero) -> [String] {
        var output = ChildOutput()
        return output.take(Array(text.utf8), at: now) + output.finish(at: now)
    }

    @Test("bytes become lines however they are cut, and a last line needs no end")
    func cutting() {
        #expect(lines("a\nbc\n\nd") == ["a", "bc", "", "d"])
        var output = ChildOutput()
        #expect(output.take(Array("a".utf8), at: .zero).isEmpty)
        #expect(output.take(Array("b\nc".utf8), at: .zero) == ["ab"])
        #expect(output.finish(at: .zero) == ["c"])
        #expect(output.finish(at: .zero).isEmpty)
    }

    @Test("a long line is cut and says so")
    func longLine() {
        let long = String(repeating: "x", count: ChildOutput.longestLine)
        #expect(lines(long + "\n") == [long])
        #expect(lines(long + "yy\nz\n") == [long + "…", "z"])
    }

    @Test("more lines than a burst are dropped and counted, and come again after a while")
    func dropping() {
        var output = ChildOutput()
        let many = Array(String(repeating: "x\n", count: ChildOutput.burst + 7).utf8)
        #expect(output.take(many, at: .seconds(1)).count == ChildOutput.burst)
        #expect(output.take(Array("y\n".utf8), at: .seconds(10)).isEmpty)
        #expect(output.admit("by the control channel", at: .seconds(10)).isEmpty)
        let later = output.take(Array("z\n".utf8), at: .seconds(11))
        #expect(later == ["(9 lines dropped)", "z"])
        #expect(output.finish(at: .seconds(12)).isEmpty)
    }
}

@Suite("Log")
struct JournalTests {
    @Test("a stream is the journal's only if it is the one that the environment names")
    func stream() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var found = stat()
        try #require(fstat(ends[1], &found) == 0)
        let name = "\(found.st_dev):\(found.st_ino)"
        #expect(Log.isJournal(ends[1], stream: name))
        for other in [nil, "", "8:1", "\(found.st_dev):\(found.st_ino + 1)", name + ":1"] {
            #expect(!Log.isJournal(ends[1], stream: other))
        }
        #expect(!Log.isJournal(-1, stream: name))
    }
}
