import Foundation
import Testing

@Suite("A command in whose middle something ends", .serialized, .enabled(if: isWallTested))
struct EarlyEndTests {
    private static let create = "wallet create Savings --kit kit.txt --phrase-fd 3"

    /// The confined process of a command that waits for a password.
    private func confinedChild(of command: pid_t, _ commands: VaultCommands) throws -> pid_t {
        var found: pid_t?
        try commands.keeper.wait("the command's confined process") {
            found = KeeperUnderTest.children(of: command).first {
                KeeperUnderTest.status($0, "Seccomp") == "2"
            }
            return found != nil
        }
        return try #require(found)
    }

    private func expectRefusal(_ result: VaultCommands.Result, _ status: Int32, _ code: String) {
        #expect(result.status == status && result.code == code, "\(result)")
        #expect(result.output.split(separator: "\n").count == 1)
        let sentence = result.json["sentence"] as? String ?? "?"
        #expect(result.errors == "bulkhead: \(sentence)\n")
    }

    @Test("its confined process by a signal: it is told which, and as JSON", arguments: [9, 31])
    func ownProcess(signal: Int32) throws {
        let commands = try VaultCommands()
        let result = try commands.run(Self.create, answers: ["Correct-Horse-1"]) { pid in
            kill(try confinedChild(of: pid, commands), signal)
        }
        expectRefusal(result, 12, "confinement")
        #expect(result.errors.contains("was ended by signal \(signal) before it was done"))
        #expect(commands.names.isEmpty)
    }

    @Test("the command by a signal that asks it to: it is told as JSON")
    func command() throws {
        let commands = try VaultCommands()
        let result = try commands.run(Self.create, answers: []) { pid in
            _ = try confinedChild(of: pid, commands)
            kill(pid, SIGTERM)
            // Its answers end only then, which would be another reason to end.
            try commands.keeper.wait("the end of the command") { KeeperUnderTest.isGone(pid) }
        }
        expectRefusal(result, 16, "cancelled")
        #expect(commands.names.isEmpty)
    }

    @Test("the signer while it derives a key: what is sure is told, and nothing was made")
    func signer() throws {
        let commands = try VaultCommands()
        let signer = try #require(commands.keeper.pid("signer"))
        let result = try commands.run(Self.create, answers: ["Correct-Horse-1"]) { _ in
            // The answers come after this. The derivation is what takes memory.
            Thread.detachNewThread {
                for _ in 0..<60_000 {
                    let isDeriving = KeeperUnderTest.children(of: signer).contains { worker in
                        let size = KeeperUnderTest.status(worker, "VmRSS")?.split(separator: " ")
                        return size?.first.flatMap { Int($0) } ?? 0 > 60 << 10
                    }
                    if isDeriving { break }
                    usleep(1000)
                }
                kill(signer, SIGKILL)
            }
        }
        expectRefusal(result, 11, "channel")
        #expect(result.errors.contains("the signer ended before it answered"))
        #expect(result.errors.contains("whole or not at all, and bulkhead ledger list says which"))
        #expect(commands.names.isEmpty)
        try commands.keeper.waitForLog("bulkhead-signer is ready", count: 2)
        let list = try commands.run("wallet list")
        #expect(list.status == 0 && (list.json["vaults"] as? [Any])?.isEmpty == true, "\(list)")
    }
}
