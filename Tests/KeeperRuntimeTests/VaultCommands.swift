import Foundation
import Testing

/// Commands on vaults as a script gives them, against an appliance, by default a signer that runs alone.
final class VaultCommands {
    let keeper: KeeperUnderTest
    /// Where the person's files are.
    let files: URL
    static let program = KeeperUnderTest.products.appending(path: "bulkhead")

    private let role: String
    private let settings: [String]

    /// - Parameter settings: More flags of the keeper.
    init(
        _ starter: Starter = Starter.available[0], role: String = "offline",
        settings: [String] = []
    ) throws {
        self.role = role
        self.settings = settings
        keeper = try KeeperUnderTest(starter, programs: KeeperUnderTest.products)
        files = keeper.folder.appending(path: "person")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
        try start()
    }

    func start() throws {
        try keeper.start(["--network", "regtest", "--role", role] + settings)
    }

    /// Ends the signer and everything else.
    func stop() throws {
        kill(keeper.process.processIdentifier, SIGTERM)
        _ = try keeper.end()
    }

    struct Result {
        let status: Int32
        let output: String
        let errors: String
        /// What came out of the descriptor for words.
        let phrase: String

        /// The answer as JSON.
        var json: [String: Any] {
            let object = try? JSONSerialization.jsonObject(with: Data(output.utf8))
            return object as? [String: Any] ?? [:]
        }

        /// The code of a refusal.
        var code: String { json["code"] as? String ?? "no code: \(output) \(errors)" }
    }

    /// Runs `bulkhead WORDS`, in the person's folder, with these answers on descriptor 0 and the words
    /// coming out of descriptor 3.
    ///
    /// - Parameter meanwhile: Runs with its pid before it gets any answer.
    @discardableResult
    func run(
        _ words: String, answers: [String]? = nil, input: Data? = nil, isJSON: Bool = true,
        phraseFile: String? = nil, outputFile: String? = nil, largestFile kibibytes: Int? = nil,
        meanwhile: (pid_t) throws -> Void = { _ in }
    ) throws -> Result {
        let process = Process()
        let (input_, output, errors) = (Pipe(), Pipe(), Pipe())
        let phrase = files.appending(path: ".phrase")
        process.executableURL = URL(filePath: "/bin/bash")
        let flags =
            (answers == nil ? [] : ["--password-fd", "0"]) + (isJSON ? ["--json"] : [])
        let limit = kibibytes.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
        let target = outputFile.map { " >\($0)" } ?? ""
        process.arguments = ["-c", limit + #"exec "$@" 3>"$0""# + target]
        process.arguments? += [phraseFile ?? phrase.path, Self.program.path]
        process.arguments? += ["--runtime-directory", keeper.runtime.path]
        process.arguments? += words.split(separator: " ").map(String.init) + flags
        process.currentDirectoryURL = files
        process.environment = ["HOME": files.path, "PATH": "/usr/bin:/bin"]
        process.standardInput = input_
        process.standardOutput = output
        process.standardError = errors
        try process.runAsFromShell()
        try meanwhile(process.processIdentifier)
        // A command that refuses at once reads nothing.
        try? input_.fileHandleForWriting.write(
            contentsOf: input ?? Data((answers ?? []).map { $0 + "\n" }.joined().utf8))
        try input_.fileHandleForWriting.close()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self),
            phrase: (try? String(contentsOf: phrase, encoding: .utf8)) ?? "")
    }

    /// The groups of a code in a kit's text: the indented lines behind its title, up to the drawing.
    func code(_ title: String, in kit: String) throws -> String {
        let text = try String(contentsOf: files.appending(path: kit), encoding: .utf8)
        let lines = text.components(separatedBy: "\n").drop { $0 != title }.dropFirst()
        let groups = lines.drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }
        return groups.map { $0.trimmingCharacters(in: .whitespaces) }.joined()
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: files.appending(path: name).path)
    }

    /// What is in the person's folder, hidden files too.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? [])
            .filter { $0 != ".phrase" }.sorted()
    }
}
