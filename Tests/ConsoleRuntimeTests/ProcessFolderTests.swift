import ConsoleCore
import Glibc
import Testing

@testable import ConsoleRuntime

@Suite("What /proc shows of a process")
struct ProcessFolderTests {
    /// Starts a process in which these numbers are open, all on /dev/null.
    private func start(open numbers: Range<Int32>) throws -> pid_t {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        try #require(null >= 0)
        defer { close(null) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in numbers { posix_spawn_file_actions_adddup2(&actions, null, number) }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        try #require(posix_spawn(&pid, "/bin/sleep", &actions, nil, &arguments, nil) == 0)
        return pid
    }

    @Test(
        "every descriptor of another process is seen, whatever numbers the audit itself uses"
    )
    func descriptors() throws {
        // More than this process has open, so that its own numbers are among them.
        let numbers = Int32(0)..<200
        let pid = try start(open: numbers)
        defer {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        let found = try #require(ProcessFolder.facts(of: pid).descriptors)
        for number in numbers { #expect(found[Int(number)] == "/dev/null") }
    }
}
