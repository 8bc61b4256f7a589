import CWallTests
import Foundation
import Testing

/// No rule without a use: every call of the real programs is watched while they do all that their
/// own tests have them do, and while a person looks at status, audit and console.
///
/// It looks for rules too many, not for holes. Only root may read which filter a process loads that
/// is not dumpable, so for an ordinary user `scripts/test` says that it does not run.
@Suite(
    "Rules that real processes use", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["BULKHEAD_WITHOUT_WALL"] != "1"),
    .enabled(if: geteuid() == 0, "only root may watch processes that are not dumpable"))
struct CoverageTests {
    static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    @Test("each rule is used by some process, or says that it is rare")
    func everyRuleIsUsed() throws {
        let coverage = try Coverage()
        try runProcessTests(coverage)
        try runCommands(coverage)
        #expect(coverage.unknownFilters == 0)
        #expect(coverage.deadRules == [])
    }

    /// The suites that start the real programs, in a test process of their own.
    private func runProcessTests(_ coverage: Coverage) throws {
        let log = try Log()
        let status = coverage.run(
            [
                CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter",
                #"^ProcessTests\.|^KeeperRuntimeTests\.RealProgramsTests"#, "--skip", "flood",
                // The same calls as in their smaller sisters, many times over.
                "--skip", "LightClientProcessTests/(wholeChain|forks)",
                "--skip", "SigningProcessTests/(recorded|attacks)",
                "--skip", "SigningMemoryTests",
            ], terminal: log.number, seconds: 480)
        #expect(status == 0, "\(log.text.suffix(2000))")
    }

    /// `bulkheadd` with `status`, `audit` and `console` at a terminal.
    private func runCommands(_ coverage: Coverage) throws {
        let folder = "/tmp/bulkhead-coverage-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let terminal = try PseudoTerminal()
        terminal.type("rq", every: 2)
        let status = coverage.run(
            ["/bin/bash", "-c", Self.commands, "commands", Self.products.path, folder],
            terminal: terminal.inner, seconds: 120)
        #expect(status == 0, "\(terminal.output.suffix(3000))")
    }

    private static let commands = #"""
        set -u
        mkdir -p -m 700 "$2/state"
        "$1/bulkheadd" --network regtest --state-directory "$2/state" \
            --runtime-directory "$2/state/run" --signer-user daemon --network-user nobody \
            --group nogroup 2>"$2/log" </dev/null >/dev/null &
        keeper=$!
        trap 'kill $keeper; wait $keeper' EXIT
        for _ in $(seq 200); do grep -q 'ready on' "$2/log" && break; sleep 0.1; done
        "$1/bulkhead" status --runtime-directory "$2/state/run" || exit 10
        "$1/bulkhead" audit --runtime-directory "$2/state/run"
        [ $? -le 1 ] || exit 11
        # A command that hands a pipe with a password to the signer.
        printf 'Coverage-1\n' | "$1/bulkhead" items create Papers --kit "$2/kit.pdf" \
            --password-fd 0 --no-backup --runtime-directory "$2/state/run"
        "$1/bulkhead" console --runtime-directory "$2/state/run" || exit 12
        """#
}

/// A file that output goes to.
private final class Log {
    private let path = "/tmp/bulkhead-coverage-log-\(UUID().uuidString)"
    let number: Int32

    init() throws {
        number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(number >= 0)
    }

    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    deinit {
        close(number)
        unlink(path)
    }
}

/// A terminal with keys that somebody types.
private final class PseudoTerminal: @unchecked Sendable {
    private let outer: Int32
    let inner: Int32
    private let lock = NSLock()
    private var seen = ""

    init() throws {
        var end: Int32 = -1
        inner = wall_terminal(&end)
        let outer = end
        self.outer = outer
        try #require(inner >= 0)
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(outer, &buffer, buffer.count)
                guard count > 0 else { return }
                lock.withLock { seen += String(decoding: buffer[..<count], as: UTF8.self) }
            }
        }
    }

    /// Types these keys over and over, one in so many seconds.
    func type(_ keys: String, every seconds: Double) {
        Thread.detachNewThread { [outer] in
            while true {
                for key in keys.utf8 {
                    Thread.sleep(forTimeInterval: seconds)
                    guard write(outer, [key], 1) == 1 else { return }
                }
            }
        }
    }

    var output: String { lock.withLock { seen } }
}
