import Foundation
import Testing

@Suite("The console on a terminal", .serialized, .enabled(if: isWallTested))
struct ConsoleTerminalTests {
    /// The console of an appliance, once it draws; the pid of its launcher.
    private func open(_ terminal: PersonTerminal, _ runtime: String, _ shown: String) throws
        -> pid_t
    {
        let path = KeeperUnderTest.products.appending(path: "bulkhead").path
        try terminal.start(path, ["--runtime-directory", runtime, "console"])
        try terminal.wait("the screen") { terminal.shown.contains(shown) }
        #expect(terminal.modes & tcflag_t(ICANON | ECHO | ISIG) == 0)
        return try #require(terminal.leader)
    }

    private func expectEnd(_ processes: [pid_t], _ terminal: PersonTerminal) throws {
        try terminal.wait("the terminal as it was") { terminal.isRestored }
        try terminal.wait("the end of everything") { processes.allSatisfy(KeeperUnderTest.isGone) }
        #expect(terminal.shown.contains("\u{1b}[?25h\u{1b}[?1049l"))
    }

    @Test("q gives the terminal back, with an appliance and without", arguments: [true, false])
    func leave(isRunning: Bool) throws {
        let keeper = try KeeperUnderTest(
            Starter.available[0], programs: KeeperUnderTest.products)
        if isRunning { try keeper.start(["--network", "regtest"]) }
        let terminal = try PersonTerminal()
        let text = isRunning ? "coins of no value" : "does not exist"
        let launcher = try open(terminal, keeper.runtime.path, text)
        let all = [launcher] + KeeperUnderTest.children(of: launcher)
        terminal.type("q")
        try expectEnd(all, terminal)
        try terminal.wait("its exit") { !terminal.program.isRunning }
        #expect(terminal.program.terminationStatus == 0)
    }

    @Test(
        "the screen gives the terminal back when its launcher is killed",
        arguments: [true, false], [SIGKILL, SIGTERM, SIGHUP])
    func killed(isRunning: Bool, signal: Int32) throws {
        let keeper = try KeeperUnderTest(
            Starter.available[0], programs: KeeperUnderTest.products)
        if isRunning { try keeper.start(["--network", "regtest"]) }
        let terminal = try PersonTerminal()
        let text = isRunning ? "coins of no value" : "does not exist"
        let launcher = try open(terminal, keeper.runtime.path, text)
        let all = [launcher] + KeeperUnderTest.children(of: launcher)
        // A signal that can be ignored goes to the whole group, as from a terminal or from timeout(1).
        kill(signal == SIGKILL ? launcher : -launcher, signal)
        try expectEnd(all, terminal)
    }

    @Test("screens that are killed give the terminal back and are told")
    func screensKilled() throws {
        let terminal = try PersonTerminal()
        let launcher = try open(terminal, "/var/empty", "the appliance does not run")
        let children = KeeperUnderTest.children(of: launcher)
        for pid in children { kill(pid, SIGKILL) }
        try expectEnd([launcher] + children, terminal)
        try terminal.wait("its exit") { !terminal.program.isRunning }
        #expect(terminal.program.terminationStatus == 12)
        #expect(terminal.shown.contains("the screens' confined process ended early"))
    }

    @Test("a terminal that its shell has set meanwhile is left alone")
    func shellFirst() throws {
        let terminal = try PersonTerminal()
        let launcher = try open(terminal, "/var/empty", "the appliance does not run")
        let all = [launcher] + KeeperUnderTest.children(of: launcher)
        // Stopped, the screen cannot be faster.
        for pid in all.dropFirst() { kill(pid, SIGSTOP) }
        kill(launcher, SIGKILL)
        var other = terminal.before
        other.c_lflag &= ~tcflag_t(ECHO)
        terminal.set(other)
        for pid in all.dropFirst() { kill(pid, SIGCONT) }
        try terminal.wait("the end of everything") { all.allSatisfy(KeeperUnderTest.isGone) }
        #expect(terminal.modes == other.c_lflag)
    }
}
