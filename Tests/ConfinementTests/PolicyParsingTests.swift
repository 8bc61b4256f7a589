import Testing

@testable import Confinement

@Suite("Reading policies")
struct PolicyParsingTests {
    @Test("a rule has a call, a verdict, conditions and a reason")
    func rule() throws {
        let policy = try policy(
            """
            # Loaded by nobody.
            # It is a test.

            clone3: errno ENOSYS  # falls back
            mmap: allow if prot == PROT_READ maybe PROT_WRITE and flags == MAP_PRIVATE|MAP_ANONYMOUS  # memory # more
            """)
        #expect(policy.header == "Loaded by nobody. It is a test.")
        #expect(policy.rules.map(\.line) == [4, 5])
        #expect(policy.rules.map(\.reason) == ["falls back", "memory # more"])
        #expect(policy.rules[0].verdict == .errno("ENOSYS", 38))
        #expect(
            policy.rules[1].description
                == "mmap: allow if prot == PROT_READ maybe PROT_WRITE and flags == MAP_PRIVATE|MAP_ANONYMOUS"
        )
        let prot = policy.rules[1].conditions[0].comparison(on: .x86_64)
        #expect(prot.mask == ~2 && prot.value == 1)
    }

    @Test("of an int only the lower 32 bits count, of a word all")
    func widths() throws {
        let policy = try policy(
            """
            # Test.
            fcntl: allow if cmd == F_GETFL  # int
            mprotect: allow if prot == PROT_READ  # word
            """)
        #expect(policy.rule(for: "fcntl", arguments: [0, 3 | 1 << 40]) != nil)
        #expect(policy.rule(for: "mprotect", arguments: [0, 0, 1 | 1 << 40]) == nil)
    }

    @Test("flags that Arm numbers differently have its numbers there")
    func armFlags() throws {
        let policy = try policy(
            """
            # Test.
            openat: allow if flags == O_DIRECTORY  # list
            """)
        #expect(policy.rule(for: "openat", arguments: [0, 0, 0o200000], on: .x86_64) != nil)
        #expect(policy.rule(for: "openat", arguments: [0, 0, 0o40000], on: .aarch64) != nil)
        #expect(policy.rule(for: "openat", arguments: [0, 0, 0o200000], on: .aarch64) == nil)
    }

    @Test("a line for one architecture is for no other")
    func prefix() throws {
        let policy = try policy(
            """
            # Test.
            [x86_64] poll: allow  # Arm has ppoll only
            """)
        #expect(policy.rule(for: "poll", arguments: [], on: .x86_64) != nil)
        #expect(policy.rule(for: "poll", arguments: [], on: .aarch64) == nil)
        #expect(policy.unknownCall(on: .aarch64) == nil)
    }

    @Test("included rules come first, and includes are one level deep")
    func includes() throws {
        let base = "# Base.\nread: allow # r"
        let middle = "# Middle.\n@include base\nwrite: allow # w"
        let both = try policy(
            "# Top.\n@include base\n@include middle\nclose: allow # c",
            beside: ["base": base, "middle": middle])
        #expect(both.rules.map(\.call) == ["read", "write", "close"])
        expect(
            "# Top.\n\n@include middle", beside: ["base": base, "middle": middle],
            fails: .nestedInclude("base"), line: 3)
    }

    @Test("a bad line is named with its number, what is wrong and what to write")
    func errors() {
        expect("read: allow # why", fails: .missingHeader, line: 1)
        expect("# T.\nread: allow", fails: .missingReason, line: 2)
        expect("# T.\nread: allow #  ", fails: .missingReason, line: 2)
        expect("# T.\nread allow # r", fails: .malformed("read allow"), line: 2)
        expect("# T.\nre-ad: allow # r", fails: .malformed("re-ad: allow"), line: 2)
        expect("# T.\n[arm read: allow # r", fails: .malformed("[arm read: allow"), line: 2)
        expect("# T.\n[] read: allow # r", fails: .malformed("[] read: allow"), line: 2)
        expect("# T.\n[mips] read: allow # r", fails: .unknownArchitecture("mips"), line: 2)
        expect("# T.\nread: kill # r", fails: .unknownVerdict("kill"), line: 2)
        expect("# T.\nread: errno EWHAT # r", fails: .unknownErrno("EWHAT"), line: 2)
        expect(
            "# T.\ngetpid: allow if a == 1 # r", fails: .noArguments(call: "getpid"), line: 2)
        expect(
            "# T.\nkill: allow if sig == 9 # r",
            fails: .unknownArgument("sig", call: "kill", known: ["pid", "signal"]), line: 2)
        expect(
            "# T.\nkill: allow if signal == SIGWHAT # r", fails: .unknownConstant("SIGWHAT"),
            line: 2)
        expect(
            "# T.\nkill: allow if signal == 9 maybe # r", fails: .unknownConstant("9 maybe"),
            line: 2)
        expect("# T.\nkill: allow if signal = 9 # r", fails: .malformed("signal = 9"), line: 2)
        expect(
            "# T.\nkill: allow if pid == 1 and pid == 2 # r", fails: .repeatedArgument("pid"),
            line: 2)
        expect(
            "# T.\nwrite: allow # w\nread: allow # r", fails: .unsorted(after: "write: allow"),
            line: 3)
        expect("# T.\nread: allow # w\n@include x", fails: .lateInclude, line: 3)
        expect("# T.\n@include nowhere", fails: .missingFile, line: 0, file: "nowhere")
        expect(
            "# T.\nread: allow # w\nread: allow # r", fails: .redundant(with: "read: allow"),
            line: 3)
        expect(
            "# T.\nkill: allow # r\nkill: allow if pid == 1 # r",
            fails: .redundant(with: "test.policy: kill: allow"), line: 3)
    }

    @Test("a rule that an included file has already is refused")
    func redundantWithInclude() {
        expect(
            "# T.\n@include base\nkill: allow # r",
            beside: ["base": "# B.\nkill: allow if pid == 1 # r"],
            fails: .redundant(with: "base.policy: kill: allow if pid == 1"), line: 3)
    }

    @Test("bytes that are no text are refused")
    func unreadable() {
        #expect(throws: PolicyError(file: "p", line: 0, problem: .unreadable)) {
            try SeccompPolicy("p") { _ in [0x23, 0xFF, 0x0A] }
        }
    }

    @Test("every prefix of a policy, and every byte changed, is read without a trap")
    func noTraps() {
        let text = Array(
            "# T.\n@include b\n[x86_64] poll: allow if x == A|B maybe C and y == 1 # r\n".utf8)
        for index in text.indices {
            for byte in [UInt8(ascii: "#"), 0, 0xFF, UInt8(ascii: " "), UInt8(ascii: "\n"), 0x5D] {
                var changed = text
                changed[index] = byte
                for candidate in [changed, Array(text[..<index])] {
                    _ = try? SeccompPolicy("p") { $0 == "p" ? candidate : Array("# B.\n".utf8) }
                }
            }
        }
    }

    private func expect(
        _ text: String, beside others: [String: String] = [:],
        fails problem: PolicyError.Problem, line: Int, file: String = "test",
        location: SourceLocation = #_sourceLocation
    ) {
        let expected = PolicyError(file: file, line: line, problem: problem)
        #expect(throws: expected, sourceLocation: location) {
            try policy(text, beside: others)
        }
        #expect(expected.description.hasSuffix("."), sourceLocation: location)
        #expect(expected.description.contains("\(file).policy"), sourceLocation: location)
    }
}
