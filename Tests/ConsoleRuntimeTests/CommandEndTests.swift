import Configuration
import Messages
import StateFiles
import Testing

@testable import ConsoleRuntime

@Suite("How a command ends")
struct CommandEndTests {
    @Test("one cause has one status, whoever finds it")
    func oneStatus() throws {
        let vault = try #require(VaultID([UInt8](repeating: 1, count: 16)))
        let causes: [(ExitCode, [ExitCode])] = [
            // Nothing waits under a number.
            (
                .input,
                [
                    CommandEnd.refused(.noSuchEntry(EntryID(7))).exitCode,
                    CommandEnd.entry(.noSuchEntry(EntryID(7))).exitCode,
                ]
            ),
            // Somebody was faster.
            (
                .refused,
                [
                    CommandEnd.refused(.decided(DecidedEntry(EntryID(7), .signed, ago: 1)))
                        .exitCode,
                    CommandEnd.entry(.decided(DecidedEntry(EntryID(7), .signed, ago: 1))).exitCode,
                ]
            ),
            // The file is no PSBT.
            (
                .input,
                [
                    CommandEnd.entry(.unreadable("x")).exitCode,
                    RequestState.refused(.unreadable, "x").exitCode,
                ]
            ),
            // It waits already, or there is no room.
            (
                .refused,
                [
                    CommandEnd.entry(.alreadyWaiting(EntryID(7))).exitCode,
                    RequestState.refused(.alreadyWaiting, "x").exitCode,
                    CommandEnd.entry(.full).exitCode, RequestState.full.exitCode,
                    ChainRefusal.full.exitCode,
                ]
            ),
            // There is no such thing; what was given cannot be right.
            (
                .input,
                [
                    CommandEnd.refused(.noSuchVault(vault)).exitCode,
                    CommandEnd.refused(.wrongKind(vault, .items)).exitCode,
                    CommandEnd.refused(.badInput("it is no backup")).exitCode,
                    CommandEnd.refused(.malformed(.words, place: 1, "x")).exitCode,
                    CommandEnd.prompt(.badAnswer("x")).exitCode, ChainRefusal.wallet.exitCode,
                    ChainRefusal.input.exitCode,
                ]
            ),
            // The disk did not take or give it.
            (
                .system,
                [
                    CommandEnd.refused(.diskFailed("x")).exitCode,
                    CommandEnd.refused(.outputFailed).exitCode,
                    CommandEnd.entry(.outputFailed).exitCode, ChainRefusal.store.exitCode,
                ]
            ),
            (.refused, [CommandEnd.refused(.wrongPassword(failures: 1, wait: 0)).exitCode]),
        ]
        for (status, found) in causes {
            #expect(found.allSatisfy { $0 == status }, "\(status): \(found)")
        }
    }

    @Test("an end that is about a file names it once, and ends as it would without")
    func file() {
        let end = CommandEnd.problem(.input, "it is empty").of("a.psbt")
        #expect(end.sentence == "a.psbt: it is empty" && end.exitCode == .input)
        #expect(end.of("b.psbt").sentence == end.sentence)
        #expect(CommandEnd.prompt(.gone).of("a").isWithoutLauncher)
    }
}
