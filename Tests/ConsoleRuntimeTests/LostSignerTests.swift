import Configuration
import LinuxIO
import Messages
import StateFiles
import Testing

@testable import ConsoleRuntime

@Suite("A signer that ends before it answers")
struct LostSignerTests {
    @Test("each question's sentence says what is sure and what to do")
    func sentences() throws {
        let vault = try #require(VaultID([UInt8](repeating: 1, count: 16)))
        let expected: [(ConsoleRequest, String)] = [
            (.hello, "before it was asked"), (.secretInput, "before it was asked"),
            (.status, "nothing was changed"), (.operation(.list), "nothing was changed"),
            (.operation(.showPhrase(vault)), "nothing was changed"),
            (.submit(file: []), "nothing was signed by this"),
            (.review(EntryID(1), .json), "nothing was signed by this"),
            (.operation(.delete(vault, name: "a")), "whole or not at all"),
            (.operation(.rename(vault, name: "a")), "whole or not at all"),
        ]
        for (request, what) in expected {
            for end in [ChannelEnd.closed, .violation(.truncated)] {
                let end = LostSigner.end(.ended(end), asking: request)
                #expect(end.exitCode == .channel)
                #expect(end.sentence.hasPrefix("the signer ended before it "))
                #expect(end.sentence.contains(what), "\(end.sentence)")
                #expect(end.sentence.hasSuffix("once bulkhead status says that it runs"))
            }
        }
    }

    @Test("what is no end of it keeps its own sentence")
    func others() {
        let late = LostSigner.end(.late(.seconds(5)), asking: .operation(.list))
        #expect(late.sentence == "no answer within 5 seconds")
        let broken = LostSigner.end(.ended(.violation(.tooSlow)), asking: .operation(.list))
        #expect(broken.sentence == "\(ChannelViolation.tooSlow)")
    }
}
