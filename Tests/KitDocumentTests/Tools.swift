import Foundation
import SecretMemory
import Testing

/// Programs of Debian that read what we wrote: poppler's and zbar's.
enum Tools {
    /// Runs a program on files of a folder of its own and gives its standard output.
    static func run(_ command: String, _ arguments: [String], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(command) \(arguments)")
        return String(decoding: data, as: UTF8.self)
    }

    /// A folder that is gone after `body`.
    static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = URL(filePath: "/tmp/bulkhead-kit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// The texts of all QR codes in a picture.
    static func codes(in picture: String, at folder: URL) throws -> [String] {
        let found = try run("zbarimg", ["--quiet", "--raw", picture], in: folder)
        return found.split(separator: "\n").map(String.init).sorted()
    }
}

extension SecretBytes {
    borrowing func copied() -> [UInt8] { withUnsafeBytes { Array($0) } }
}

func secret(_ text: String) -> SecretBytes {
    SecretBytes(count: text.utf8.count) { $0.copyBytes(from: text.utf8) }
}
