import Foundation
import TestSupport
import Testing

/// Who starts the keeper in a test.
enum Starter: String, CaseIterable, CustomTestStringConvertible {
    case root
    case ordinaryUser = "an ordinary user"

    var testDescription: String { rawValue }

    /// As root both cases are tried, else the one that can be.
    static var available: [Starter] { geteuid() == 0 ? allCases : [.ordinaryUser] }

    /// The uid that the keeper runs as.
    var uid: uid_t { self == .root ? 0 : geteuid() == 0 ? 65534 : geteuid() }
}

/// The wall cannot be tried on a machine that forbids it; `scripts/test --without-wall` says so.
let isWallTested = ProcessInfo.processInfo.environment["BULKHEAD_WITHOUT_WALL"] == nil

struct TestFailure: Error, CustomStringConvertible {
    let description: String
}

/// A keeper with a state directory of its own, whose children do what the test wants.
final class KeeperUnderTest {
    let starter: Starter
    let folder: URL
    let state: URL
    let runtime: URL
    private(set) var process = Process()
    private let log: URL

    /// The folder of the programs that were built with this test.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// - Parameter programs: Where the children's programs are; test children where none is given.
    init(_ starter: Starter, programs: URL? = nil) throws {
        self.starter = starter
        folder = URL(filePath: "/tmp/bulkhead-test-\(UUID().uuidString.prefix(13))")
        state = folder.appending(path: "state")
        // Short, because it becomes part of a socket's path, and nobody else's.
        runtime = state.appending(path: "run")
        log = folder.appending(path: "log")
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        try files.createDirectory(
            at: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        chown(state.path, starter.uid, starter.uid)
        let bin = folder.appending(path: "bin")
        try files.createDirectory(at: bin, withIntermediateDirectories: true)
        for name in ["bulkhead-signer", "bulkhead-network"] {
            let program = (programs ?? Self.products).appending(
                path: programs == nil ? "KeeperTestChild" : name)
            try files.createSymbolicLink(
                at: bin.appending(path: name), withDestinationURL: program)
        }
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    var usualFlags: [String] {
        [
            "--state-directory", state.path, "--runtime-directory", runtime.path,
            "--program-directory", folder.path + "/bin", "--restart-delay", "20ms",
            "--signer-user", "daemon", "--network-user", "nobody", "--group", "nogroup",
        ]
    }

    /// Tells a child how to behave from its next start on.
    func behave(_ child: String, _ behaviour: String) throws {
        let directory = state.appending(path: child)
        if !FileManager.default.fileExists(atPath: directory.path) {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let uid = starter == .root ? (child == "signer" ? 1 : 65534) : starter.uid
            chown(directory.path, uid, uid)
        }
        let file = directory.appending(path: "behaviour")
        try Data(behaviour.utf8).write(to: file)
        chmod(file.path, 0o644)
    }

    /// Starts the keeper and returns at once.
    ///
    /// - Parameter wrapper: A program and its arguments that becomes the keeper.
    func launch(
        _ flags: [String]? = nil, under wrapper: [String] = [], environment: [String: String] = [:]
    ) throws {
        process = Process()
        let changesUser = starter == .ordinaryUser && geteuid() == 0
        var words: [String] = []
        if changesUser {
            words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        }
        words += wrapper
        words.append(Self.products.appending(path: "bulkheadd").path)
        words += flags ?? usualFlags
        let isPath = words[0].hasPrefix("/")
        process.executableURL = URL(filePath: isPath ? words[0] : "/usr/bin/" + words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: log)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    /// Starts the keeper and waits until everything is ready.
    func start(_ extraFlags: [String] = [], environment: [String: String] = [:]) throws {
        try launch(usualFlags + extraFlags, environment: environment)
        try waitForLog("ready on ")
    }

    /// Starts the keeper and waits until both children have used their link.
    func startAndCrossLink() throws {
        try start()
        try waitForLinks("link 0 crossed\n", "link 0 crossed\n")
    }

    /// Waits until the children have written this about their links.
    func waitForLinks(_ signer: String, _ network: String) throws {
        try wait("links \(signer) and \(network)") {
            self.file("signer", "links") == signer && self.file("network", "links") == network
        }
    }

    /// Runs the keeper to its end and returns its status and what it said.
    func run(_ flags: [String]? = nil) throws -> (status: Int32, said: String) {
        try launch(flags)
        return try end()
    }

    /// Waits for the end of the keeper.
    func end() throws -> (status: Int32, said: String) {
        try wait("the keeper to end") { !self.process.isRunning }
        return (process.terminationStatus, said)
    }

    var said: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    func waitForLog(_ text: String, count: Int = 1) throws {
        try wait("\"\(text)\" in the log") {
            self.said.components(separatedBy: text).count > count
        }
    }

    /// Waits until something holds; what it waited for is in the error.
    func wait(
        _ what: String, seconds: Double = 60, until condition: () throws -> Bool
    ) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while try !condition() {
            guard Date() < deadline else {
                throw TestFailure(
                    description: "waited in vain for \(what); the keeper said:\n\(said)")
            }
            usleep(5000)
        }
    }

    /// What a child wrote into its directory.
    func file(_ child: String, _ name: String) -> String {
        let path = state.appending(path: child + "/" + name)
        return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    }

    /// The pid of a child now; nil while it has none.
    func pid(_ child: String) -> pid_t? {
        let children = Self.children(of: process.processIdentifier)
        return children.first { Self.name(of: $0) == "bulkhead-\(child)".prefix(15) }
    }

    static func children(of parent: pid_t) -> [pid_t] {
        let text = try? ProcessFile.text(of: parent, "task/\(parent)/children")
        return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    }

    /// Whether a process has ended, reaped or not.
    static func isGone(_ pid: pid_t) -> Bool {
        status(pid, "State")?.hasPrefix("Z") ?? true
    }

    static func name(of pid: pid_t) -> String {
        let text = try? ProcessFile.text(of: pid, "comm")
        return (text ?? "").trimmingCharacters(in: .newlines)
    }

    /// A line of /proc/PID/status.
    static func status(_ pid: pid_t, _ key: String) -> String? {
        let text = try? ProcessFile.text(of: pid, "status")
        let line = text?.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return line.map { $0.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
