import Messages
import NetworkCore
import TestSupport
import Testing

/// Requests for signatures on their way through the network process.
@Suite("Requests for signatures in the network process")
struct SubmissionTests {
    private let asker = QueryID(1)
    private let id = RequestID(high: 1, low: 2)
    private let other = RequestID(high: 3, low: 4)

    private func process(
        _ limits: NetworkLimits = NetworkLimits(), isUp: Bool = true
    ) -> NetworkProcess {
        var process = NetworkProcess(
            chain: .regtest, limits: limits, random: SeededGenerator(seed: 1), at: .zero)
        _ = process.handle(.started, at: .zero)
        _ = process.handle(.connected(asker), at: .zero)
        if isUp { _ = process.handle(.link(.welcome), at: .zero) }
        return process
    }

    private func inquiries(_ actions: [NetworkAction]) -> [RequestID] {
        actions.compactMap { if case .tell(.inquiry(let id)) = $0 { id } else { nil } }
    }

    @Test("A file goes to the signer once, and its states and the signed file to who asked")
    func there() {
        var process = process()
        let sent = process.handle(.query(asker, .submit(id, file: [1])), at: .zero)
        #expect(sent == [.tell(.request(id, payload: [1]))])
        for state in [RequestState.reviewing, .pending, .signed] {
            let told = process.handle(.link(.answer(id, state)), at: .zero)
            #expect(told == [.reply(asker, .answer(id, state))])
        }
        let signed = process.handle(.link(.signed(id, file: [2])), at: .zero)
        #expect(signed == [.reply(asker, .signed(id, file: [2]))])
        #expect(
            process.handle(.query(asker, .collected(id)), at: .zero) == [.tell(.collected(id))])
        #expect(process.status(at: .zero).sent == 1)
        #expect(process.status(at: .zero).answered == 1)
        #expect(process.status(at: .zero).waiting == 0)
        // Nobody waits for it any more.
        #expect(process.handle(.link(.answer(id, .expired)), at: .zero) == [])
        #expect(process.handle(.link(.signed(id, file: [2])), at: .zero) == [])
    }

    @Test("A refusal carries its reason to who asked, and makes room")
    func refusal() {
        var process = process()
        _ = process.handle(.query(asker, .submit(id, file: [1])), at: .zero)
        let state = RequestState.refused(.rejected, "not ours")
        let told = process.handle(.link(.answer(id, state)), at: .zero)
        #expect(told == [.reply(asker, .answer(id, state))])
        #expect(process.status(at: .zero).waiting == 0)
    }

    @Test(
        "Without a link a file waits; what the signer has not got is sent again over the next one")
    func links() {
        var process = process(isUp: false)
        #expect(process.handle(.query(asker, .submit(id, file: [1])), at: .zero) == [])
        #expect(inquiries(process.handle(.link(.welcome), at: .zero)) == [id])
        let sent = process.handle(.link(.answer(id, .unknown)), at: .zero)
        #expect(sent == [.tell(.request(id, payload: [1]))])
        _ = process.handle(.linkEnded(.closed, "gone"), at: .zero)
        _ = process.handle(.control(.newLink(generation: 1)), at: .zero)
        #expect(inquiries(process.handle(.link(.welcome), at: .zero)) == [id])
        #expect(process.handle(.link(.answer(id, .unknown)), at: .zero) == sent)
        _ = process.handle(.link(.answer(id, .reviewing)), at: .zero)
        // From here on the signer has it, and a signer that has forgotten it is the command's to know.
        let forgotten = process.handle(.link(.answer(id, .unknown)), at: .zero)
        #expect(forgotten == [.reply(asker, .answer(id, .unknown))])
        #expect(process.status(at: .zero).waiting == 0)
    }

    @Test("An inquiry over another connection takes the answers over")
    func anotherConnection() {
        var process = process()
        _ = process.handle(.query(asker, .submit(id, file: [1])), at: .zero)
        let second = QueryID(2)
        _ = process.handle(.connected(second), at: .zero)
        let asked = process.handle(.query(second, .inquiry(id)), at: .zero)
        #expect(asked == [.tell(.inquiry(id))])
        // The first one leaves and takes nothing with it.
        _ = process.handle(.queryEnded(asker, violation: nil), at: .zero)
        let told = process.handle(.link(.answer(id, .pending)), at: .zero)
        #expect(told == [.reply(second, .answer(id, .pending))])
    }

    @Test("A command that is gone is forgotten with what it waited for, and does not matter")
    func gone() {
        var process = process(isUp: false)
        _ = process.handle(.query(asker, .submit(id, file: [1, 2, 3])), at: .zero)
        _ = process.handle(.queryEnded(asker, violation: nil), at: .zero)
        #expect(process.status(at: .zero).waiting == 0)
        #expect(inquiries(process.handle(.link(.welcome), at: .zero)) == [])
        #expect(process.handle(.link(.answer(id, .pending)), at: .zero) == [])
    }

    @Test("Ids and bytes are bounded, of one connection and of all")
    func quotas() {
        var limits = NetworkLimits()
        limits.requests = 3
        limits.requestsOfOneConnection = 2
        limits.requestBytes = 10
        var process = process(limits, isUp: false)
        let second = QueryID(2)
        _ = process.handle(.connected(second), at: .zero)
        func ask(_ asker: QueryID, _ number: UInt64, _ bytes: Int) -> Bool {
            let id = RequestID(high: 0, low: number)
            let file = [UInt8](repeating: 0, count: bytes)
            let actions = process.handle(.query(asker, .submit(id, file: file)), at: .zero)
            guard !actions.isEmpty else { return true }
            #expect(actions == [.reply(asker, .answer(id, .full))])
            return false
        }
        #expect(ask(asker, 1, 4))
        #expect(!ask(asker, 2, 7))
        #expect(ask(asker, 2, 6))
        #expect(!ask(asker, 3, 0))
        #expect(ask(second, 3, 0))
        #expect(!ask(second, 4, 0))
        // The same again takes no more room.
        #expect(ask(asker, 1, 4))
        let inquiry = process.handle(.query(second, .inquiry(other)), at: .zero)
        #expect(inquiry == [.reply(second, .answer(other, .full))])
        #expect(process.status(at: .zero).waiting == 3)
        _ = process.handle(.queryEnded(asker, violation: nil), at: .zero)
        #expect(ask(second, 4, 10))
    }
}
