import Foundation
import TestSupport
import Testing

@Suite("scripts/run", .serialized, .enabled(if: isWallTested))
struct RunScriptTests {
    /// A home whose `swift` has built everything already, so that the script only starts it.
    private final class Home {
        let folder = URL(filePath: "/tmp/bulkhead-run-\(UUID().uuidString.prefix(13))")
        var state: String { folder.path + "/.local/state/bulkhead" }
        private var runtime: String { folder.path + "/sockets" }

        init() throws {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "bin"), withIntermediateDirectories: true)
            let swift = folder.appending(path: "bin/swift")
            let text = """
                #!/bin/sh
                for word; do [ "$word" != --show-bin-path ] || echo "\(KeeperUnderTest.products.path)"; done
                """
            try Data(text.utf8).write(to: swift)
            chmod(swift.path, 0o755)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func start(_ flags: [String], on terminal: PersonTerminal) throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "scripts/run")
            let users = [
                "--signer-user", "daemon", "--network-user", "nobody", "--group", "nogroup",
            ]
            try terminal.start(
                script.path,
                ["--runtime-directory", runtime] + (geteuid() == 0 ? users : []) + flags,
                environment: [
                    "HOME": folder.path, "TERM": "xterm",
                    "PATH": folder.path + "/bin:/usr/bin:/bin:/usr/sbin:/sbin",
                ])
        }

        /// Every process with this home's sockets on its command line.
        var processes: [pid_t] {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
            return (names ?? []).compactMap { pid_t($0) }.filter { pid in
                let line = try? ProcessFile.text(of: pid, "cmdline")
                return line?.contains(runtime) ?? false
            }
        }
    }

    @Test("a wrong command line leaves nothing behind")
    func wrongFlag() throws {
        for (flags, sentence) in [
            (["--rolle", "home"], "did you mean --role?"),
            (["--network", "x"], "allowed: mainnet"),
        ] {
            let (home, terminal) = (try Home(), try PersonTerminal())
            try home.start(flags, on: terminal)
            try terminal.wait("its end") { !terminal.program.isRunning }
            #expect(terminal.program.terminationStatus == 2)
            #expect(terminal.shown.contains(sentence), "\(terminal.shown)")
            #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/.local"))
        }
    }

    @Test("it opens the console, and leaving that ends everything and gives the terminal back")
    func life() throws {
        let (home, terminal) = (try Home(), try PersonTerminal())
        try home.start(["--network", "regtest"], on: terminal)
        try terminal.wait("the screen") { terminal.shown.contains("coins of no value") }
        #expect(FileManager.default.fileExists(atPath: home.state + ".log"))
        terminal.type("q")
        try terminal.wait("its end") { !terminal.program.isRunning }
        #expect(terminal.program.terminationStatus == 0)
        #expect(terminal.isRestored)
        #expect(home.processes.isEmpty)
    }

    @Test(
        "killed outright it leaves neither keeper nor console, and the terminal as it was",
        arguments: ["home", "watch"])
    func killed(role: String) throws {
        let (home, terminal) = (try Home(), try PersonTerminal())
        try home.start(["--network", "regtest", "--role", role], on: terminal)
        let shown = role == "home" ? "coins of no value" : "Ctrl-C ends it"
        try terminal.wait("the appliance") { terminal.shown.contains(shown) }
        kill(try #require(terminal.leader), SIGKILL)
        try terminal.wait("the end of everything") {
            home.processes.allSatisfy(KeeperUnderTest.isGone)
        }
        try terminal.wait("the terminal as it was") { terminal.isRestored }
    }

    @Test("where the role has no signer it says so, and Ctrl-C ends it well")
    func watch() throws {
        let (home, terminal) = (try Home(), try PersonTerminal())
        try home.start(["--network", "regtest", "--role", "watch"], on: terminal)
        try terminal.wait("the sentence") { terminal.shown.contains("no console; Ctrl-C ends it") }
        terminal.type("\u{3}")
        try terminal.wait("its end") { !terminal.program.isRunning }
        #expect(terminal.program.terminationStatus == 0)
        #expect(home.processes.isEmpty)
    }
}
