import Foundation
import Testing

@testable import KeeperRuntime

@Suite("Refusals before the start", .serialized, .enabled(if: isWallTested))
struct RefusalTests {
    /// Every path below a folder with its type, mode and owner.
    private func listing(_ folder: URL) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return ((names ?? []) + ["."]).filter { $0 != "log" }.sorted().map { name in
            var facts = stat()
            lstat(folder.path + "/" + name, &facts)
            // A folder's size is the file system's own matter: tmpfs counts the log in it.
            let size = facts.st_mode & S_IFMT == S_IFDIR ? 0 : facts.st_size
            return "\(name) \(String(facts.st_mode, radix: 8)) \(facts.st_uid) \(size)"
        }
    }

    private func names(in folder: URL) -> [String] {
        listing(folder).map { $0.split(separator: " ").dropLast().joined(separator: " ") }
    }

    /// Runs the keeper, which must refuse with this status, say this, and leave everything as it was.
    private func expectRefusal(
        _ keeper: KeeperUnderTest, _ flags: [String], _ status: Int32, _ sentence: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = listing(keeper.folder)
        let end = try keeper.run(flags)
        #expect(end.status == status, sourceLocation: sourceLocation)
        #expect(
            end.said.split(separator: "\n").count == 1 && end.said.contains(sentence),
            "\(end.said)", sourceLocation: sourceLocation)
        #expect(listing(keeper.folder) == before, sourceLocation: sourceLocation)
    }

    @Test("a wrong command line or file", arguments: Starter.available)
    func settings(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        let usual = keeper.usualFlags
        try expectRefusal(keeper, ["--rolle", "home"], 2, "did you mean --role?")
        try expectRefusal(keeper, usual + ["--role", "x"], 2, "allowed: home, offline, watch")
        let file = keeper.folder.appending(path: "b.conf")
        try Data("role = home\nnetwrk = signet\n".utf8).write(to: file)
        try expectRefusal(
            keeper, usual + ["--config", file.path], 3,
            "\(file.path), line 2: unknown key \"netwrk\"; did you mean network?")
        try expectRefusal(
            keeper, usual + ["--config", file.path + "x"], 3, "cannot be read: no such file")
    }

    @Test("a file that is named and is no ordinary one, or too large", arguments: Starter.available)
    func namedFiles(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        let fifo = keeper.folder.path + "/fifo"
        #expect(mkfifo(fifo, 0o666) == 0)
        let list = ["--list-publishers", String(repeating: "a", count: 64), "--peer-list"]
        for path in [fifo, "/dev/zero", "/dev/null", keeper.folder.path] {
            for flags in [["--config"], ["--certificates"], list] {
                try expectRefusal(
                    keeper, keeper.usualFlags + flags + [path], 3, "it is no ordinary file")
            }
        }
        let file = keeper.folder.appending(path: "file")
        for count in [0, (4 << 20) + 1] {
            try Data(count: count).write(to: file)
            try expectRefusal(
                keeper, keeper.usualFlags + ["--certificates", file.path], 3,
                "it has \(count) bytes of 1 to \(4 << 20); install ca-certificates, or name another"
            )
        }
    }

    @Test("a check of file and flags says what is wrong with them, and looks at nothing else")
    func check() throws {
        let keeper = try KeeperUnderTest(Starter.available[0])
        let flags = ["--state-directory", "/var/empty/none", "--check"]
        #expect(try keeper.run(flags) == (0, ""))
        try expectRefusal(keeper, flags + ["--network", "x"], 2, "--network: \"x\" is not allowed")
        let file = keeper.folder.appending(path: "b.conf")
        try Data("netwrk = signet\n".utf8).write(to: file)
        try expectRefusal(keeper, flags + ["--config", file.path], 3, "unknown key \"netwrk\"")
    }

    @Test(
        "a state directory that is missing, open to others, or someone else's",
        arguments: Starter.available)
    func stateDirectory(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        let state = keeper.state.path
        try expectRefusal(
            keeper, ["--state-directory", state + "x"] + keeper.usualFlags.dropFirst(2), 4,
            "create it: install -d -m 0700 \(state)x")
        for mode: mode_t in [0o750, 0o701, 0o770] {
            chmod(state, mode)
            try expectRefusal(keeper, keeper.usualFlags, 4, "chmod 0700 \(state)")
        }
        chmod(state, 0o700)
        try FileManager.default.createDirectory(
            atPath: state + "/signer", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        chown(state + "/signer", starter == .root ? 1 : starter.uid, 0)
        try expectRefusal(keeper, keeper.usualFlags, 4, "chmod 0700 \(state)/signer")
        guard geteuid() == 0 else { return }
        chmod(state + "/signer", 0o700)
        chown(state + "/signer", 7, 7)
        try expectRefusal(keeper, keeper.usualFlags, 4, "belongs to user 7")
        chown(state, 7, 7)
        // Another's private directory cannot be read by an ordinary user, but its facts can.
        try expectRefusal(keeper, keeper.usualFlags, 4, "belongs to user 7")
    }

    @Test("another network than the state is for", arguments: Starter.available)
    func network(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        let state = keeper.state.path
        try keeper.start(["--network", "regtest"])
        kill(keeper.process.processIdentifier, SIGTERM)
        #expect(try keeper.end().status == 0)
        let marker = state + "/bitcoin-network"
        #expect(try String(contentsOfFile: marker, encoding: .utf8) == "regtest\n")

        for flags in [[], ["--network", "signet"]] {
            let sentence = "\(state) is for regtest, not \(flags.last ?? "mainnet"); start with"
            try expectRefusal(keeper, keeper.usualFlags + flags, 4, sentence)
        }
        for damaged in ["", "regtest", "regtest\n\n", "nonsense\n"] {
            try Data(damaged.utf8).write(to: URL(filePath: marker))
            try expectRefusal(
                keeper, keeper.usualFlags + ["--network", "regtest"], 4, "\(marker) is damaged")
        }
        // A draft that a power cut left is nothing.
        try FileManager.default.moveItem(atPath: marker, toPath: marker + ".new")
        chown(marker + ".new", starter.uid, starter.uid)
        try keeper.start(["--network", "signet"])
        #expect(try String(contentsOfFile: marker, encoding: .utf8) == "signet\n")
    }

    @Test(
        "a runtime directory that others may write, or with something else in a socket's place",
        arguments: Starter.available)
    func runtimeDirectory(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try FileManager.default.createDirectory(
            at: keeper.runtime, withIntermediateDirectories: true)
        chown(keeper.runtime.path, starter.uid, starter.uid)
        chmod(keeper.runtime.path, 0o777)
        try expectRefusal(keeper, keeper.usualFlags, 4, "that nobody else may write")
        chmod(keeper.runtime.path, 0o700)
        try Data("x".utf8).write(to: keeper.runtime.appending(path: "signer.sock"))
        try expectRefusal(keeper, keeper.usualFlags, 4, "it is no socket")

        let long = keeper.folder.path + "/" + String(repeating: "r", count: 100)
        let flags = keeper.usualFlags.map { $0 == keeper.runtime.path ? long : $0 }
        if starter == .ordinaryUser { chown(keeper.folder.path, starter.uid, starter.uid) }
        try expectRefusal(keeper, flags, 4, "give a shorter --runtime-directory")
        let nowhere = keeper.usualFlags.map {
            $0 == keeper.runtime.path ? keeper.folder.path + "/a/b" : $0
        }
        try expectRefusal(keeper, nowhere, 4, "is missing and cannot be made there")
    }

    @Test("a user or group that is missing, root, or the same for both")
    func accounts() throws {
        guard Starter.available.contains(.root) else { return }
        let keeper = try KeeperUnderTest(.root)
        let first = Array(keeper.usualFlags.dropLast(6))
        let users = ["--group", "nogroup", "--signer-user"]
        try expectRefusal(
            keeper, first + users + ["no-such-user"], 5, "the user no-such-user does not exist")
        try expectRefusal(
            keeper, first + users + ["no-such-user"], 5,
            "systemd-sysusers systemd/sysusers.d/bulkhead.conf")
        #expect(
            FileManager.default.fileExists(
                atPath: UnitFileTests.folder.appending(path: "sysusers.d/bulkhead.conf").path))
        try expectRefusal(keeper, first + users + ["root"], 5, "root, which no child may be")
        try expectRefusal(
            keeper, first + users + ["nobody", "--network-user", "nobody"], 5, "they must differ")
        try expectRefusal(
            keeper,
            first + ["--signer-user", "daemon", "--network-user", "nobody", "--group", "no-such"],
            5,
            "the group no-such does not exist")
    }

    @Test("a second instance on the same state or runtime directory", arguments: Starter.available)
    func secondInstance(starter: Starter) throws {
        let first = try KeeperUnderTest(starter)
        try first.startAndCrossLink()
        // What its children write comes before the list of what is there.
        try first.wait("the facts") {
            ["signer", "network"].allSatisfy { !first.file($0, "facts").isEmpty }
        }
        let second = try KeeperUnderTest(starter)
        let sameState = second.usualFlags.map { $0 == second.state.path ? first.state.path : $0 }
        let sameRuntime = second.usualFlags.map {
            $0 == second.runtime.path ? first.runtime.path : $0
        }
        let before = names(in: first.folder)
        try expectRefusal(
            second, sameState, 7, "another instance runs on the state directory \(first.state.path)"
        )
        try expectRefusal(
            second, sameRuntime, 7,
            "another instance runs on the runtime directory \(first.runtime.path)")
        #expect(names(in: first.folder) == before)
        #expect(first.process.isRunning)
    }

    @Test(
        "settings for development on a directory that was not made for it",
        arguments: Starter.available)
    func development(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.behave("signer", "serve")
        try expectRefusal(
            keeper, keeper.usualFlags + ["--trace"], 4, "--trace is for development")
        try expectRefusal(
            keeper, keeper.usualFlags + ["--without-namespaces"], 4,
            "--without-namespaces is for development")
        let fresh = try KeeperUnderTest(starter)
        for _ in 0..<2 {
            try fresh.start(["--trace"])
            kill(fresh.process.processIdentifier, SIGTERM)
            #expect(try fresh.end().status == 0)
        }
    }

    @Test("programs that are missing", arguments: Starter.available)
    func programs(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        let flags = keeper.usualFlags.map { $0 == keeper.folder.path + "/bin" ? "/var/empty" : $0 }
        try expectRefusal(
            keeper, flags, 15, "the program /var/empty/bulkhead-signer cannot be run: no such file")
    }
}
