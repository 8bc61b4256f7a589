import Messages
import Testing

@testable import ConsoleRuntime

@Suite("How a command ends")
struct CommandEndTests {
    @Test("nothing that waits under a number is a wrong input, whoever says so")
    func noSuchEntry() {
        #expect(CommandEnd.refused(.noSuchEntry(EntryID(7))).exitCode == .input)
        #expect(CommandEnd.entry(.noSuchEntry(EntryID(7))).exitCode == .input)
    }
}
