import Foundation
import Testing

/// Compiles each file of `Tests/MustNotCompile` twice: with `LEAK` it must fail with the error that
/// its first line names, without it must compile, so that nothing but the leak is refused.
@Suite("Leaks that must not compile")
struct MustNotCompileTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "MustNotCompile")
    static let modules = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Modules")
    /// The module maps of the C libraries that the modules were built with.
    static let bridges = ["CLibcrypto", "CSecp256k1", "CSodium"].flatMap { name in
        let map = folder.appending(path: "../../Sources/\(name)/module.modulemap").standardized
        return ["-Xcc", "-fmodule-map-file=" + map.path]
    }
    static let fixtures =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".swift") }.sorted() ?? []

    @Test("there is a file for every way a secret could get out")
    func count() {
        #expect(Self.fixtures.count == 23)
    }

    @Test("the compiler refuses the leak and nothing else", arguments: fixtures)
    func leak(fixture: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: fixture), encoding: .utf8)
        let firstLine = try #require(text.split(separator: "\n").first)
        let expected = try #require(firstLine.firstMatch(of: #/^// error: (.+)$/#)).1
        let errors = try compile(fixture, ["-D", "LEAK"])
        #expect(errors.contains { $0.contains(expected) }, "\(errors)")
        #expect(try compile(fixture, []) == [])
    }

    /// The errors of a compilation up to the checks of ownership, which follow the types'.
    private func compile(_ fixture: String, _ flags: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-swift-version", "6", "-I", Self.modules.path] + Self.bridges + flags + [
                "-emit-sil", "-o", "/dev/null", Self.folder.appending(path: fixture).path,
            ]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let errors = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.contains("error: ") }
        #expect(errors.isEmpty == (process.terminationStatus == 0))
        return errors
    }
}
