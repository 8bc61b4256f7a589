import Foundation
import Wire

/// One file of a format with all that it was made from, as `Tests/SecondImplementation` takes it.
struct FormatCase {
    let name: String
    let format: String
    /// What the file is made from; bytes as hexadecimal digits.
    let inputs: [String: Any]
    /// Keys and parts that come up while it is made.
    var onTheWay: [String: Any] = [:]
    /// The file.
    let bytes: [UInt8]
    /// What a reader finds in it.
    let contents: [String: Any]

    var object: [String: Any] {
        [
            "name": name, "format": format, "inputs": inputs, "on the way": onTheWay,
            "bytes": Hex.encode(bytes), "contents": contents,
        ]
    }
}

/// The program in `Tests/SecondImplementation`.
enum SecondImplementation {
    struct NotInstalled: Error, CustomStringConvertible {
        let description =
            "the second implementation has no Python: run scripts/test, which installs it"
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
    /// Where the vectors of all formats lie.
    static let vectors = tests.appendingPathComponent("Vectors/formats")

    /// Derives the cases of the files again; the exit status and what was printed.
    static func check(_ files: [URL]) throws -> (status: Int32, lines: [String]) {
        let (status, output) = try run(["check"] + files.map(\.path), input: Data())
        return (status, output.split(separator: "\n").map(String.init))
    }

    /// What the program writes from these inputs.
    static func write(_ format: String, _ inputs: [String: Any]) throws -> [UInt8] {
        let answer = try serve(["do": "write", "format": format, "inputs": inputs])
        guard let digits = answer["bytes"] as? String else {
            throw Failure(description: "\(format): \(answer)")
        }
        return try Hex.decode(digits)
    }

    /// What the program finds in a file.
    static func open(
        _ format: String, _ bytes: [UInt8], _ inputs: [String: Any]
    ) throws -> [String: Any] {
        let answer = try serve([
            "do": "open", "format": format, "inputs": inputs, "bytes": Hex.encode(bytes),
        ])
        guard let contents = answer["contents"] as? [String: Any] else {
            throw Failure(description: "\(format): \(answer)")
        }
        return contents
    }

    private static func serve(_ request: [String: Any]) throws -> [String: Any] {
        let line = try JSONSerialization.data(withJSONObject: request) + [UInt8(ascii: "\n")]
        let (status, output) = try run(["serve"], input: line)
        let answer = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        guard status == 0, let answer else { throw Failure(description: output) }
        return answer
    }

    private static func run(
        _ arguments: [String], input: Data
    ) throws -> (status: Int32, output: String) {
        let python = tests.deletingLastPathComponent()
            .appendingPathComponent(".build/python/bin/python3")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw NotInstalled()
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("in-\(UUID())")
        try input.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = python
        process.arguments =
            ["-B", tests.appendingPathComponent("SecondImplementation/main.py").path] + arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: printed, as: UTF8.self))
    }
}

/// The vectors of one file in `Tests/Vectors/formats`.
enum FormatVectors {
    /// Whether the file holds exactly these cases. With BULKHEAD_WRITE_VECTORS=1 it is written
    /// first.
    static func hold(_ cases: [FormatCase], in name: String) throws -> Bool {
        let file = SecondImplementation.vectors.appendingPathComponent(name)
        let objects = cases.map(\.object)
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_VECTORS"] == "1" {
            let data = try JSONSerialization.data(
                withJSONObject: objects,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            try (data + [UInt8(ascii: "\n")]).write(to: file)
        }
        let stored = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        return try sameJSON(stored, objects)
    }
}

/// Whether both have the same JSON text.
func sameJSON(_ left: Any, _ right: Any) throws -> Bool {
    try JSONSerialization.data(withJSONObject: left, options: .sortedKeys)
        == JSONSerialization.data(withJSONObject: right, options: .sortedKeys)
}
