import Foundation
import Testing

/// What `bulkhead-drill` printed and how it ended.
private struct DrillRun {
    let output: String
    let status: Int32

    init(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("bulkhead-drill")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}

@Suite(
    "The breach drill",
    .enabled(if: ProcessInfo.processInfo.environment["BULKHEAD_WITHOUT_WALL"] != "1"))
struct DrillTests {
    @Test("in its short form ends as docs/drill.md says, with all walls on and with none")
    func shortForm() throws {
        let run = try DrillRun(["--short"])
        #expect(run.status == 0, "\(run.output)")
        // Four places, each with everything on and with everything off.
        let counts = run.output.split(separator: "\n").filter { $0.contains(" reached, ") }
        #expect(counts.count == 8, "\(run.output)")
    }

    @Test("finds the other side prompt and whole whichever process dies at any moment")
    func deaths() throws {
        let run = try DrillRun(["--deaths", "10", "--short"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("deaths: 10 of each child,"), "\(run.output)")
        #expect(run.output.contains("deaths: 10 of the keeper,"), "\(run.output)")
    }

    @Test("finds both processes alive, prompt and small whatever frames are sent at them")
    func frames() throws {
        let run = try DrillRun(["--frames", "--short"])
        #expect(run.status == 0, "\(run.output)")
        let rows = run.output.split(separator: "\n").filter { $0.contains("as expected |") }
        #expect(rows.count == 60, "\(run.output)")
    }
}

@Suite("docs/drill.md")
struct DrillDocumentsTests {
    /// `BULKHEAD_WRITE_DOCS=1` (scripts/docs) writes the file instead of comparing it.
    @Test("is what the drill expects")
    func document() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/drill.md")
        let run = try DrillRun(["--table"])
        #expect(run.status == 0)
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_DOCS"] != nil {
            try run.output.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == run.output, "run scripts/docs")
    }
}
