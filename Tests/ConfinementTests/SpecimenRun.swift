import Foundation

/// Runs `wall-specimen`, which confines itself and says what is left.
struct SpecimenRun {
    let lines: [String]
    /// The exit status; 128 plus the signal if one ended it.
    let status: Int32

    init(_ arguments: [String], extraDescriptors: Bool = false) throws {
        let process = Process()
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("wall-specimen")
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        status =
            process.terminationStatus
            + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    }
}

/// A directory that is gone with its owner.
final class Scratch {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("bulkhead-wall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    func file(_ name: String, holding text: String = "canary") throws -> String {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
        return path + "/" + name
    }

    func directory(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path + "/" + name, withIntermediateDirectories: true)
        return path + "/" + name
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
